import type { ApiDocument, NamedOperation } from '@parquetry/testing/fuzz/api-document'
import { expect, it } from 'vitest'
import { createAnswerCheck } from './check-answer.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const named: NamedOperation = {
  method: 'GET',
  path: '/a',
  operation: {
    parameters: [],
    responses: { 200: json({ $ref: '#/components/schemas/A' }), 404: { $ref: '#/components/responses/Error404' } },
  },
}
const document: ApiDocument = {
  paths: {},
  components: {
    schemas: { A: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
    responses: { Error404: json({ type: 'object', required: ['message'] }) },
  },
}
const check = createAnswerCheck(document)
const answer = (status: number, body: string, headers: Record<string, string> = {}) =>
  check(named, { status, text: body, headers: new Headers({ 'content-type': 'application/json', ...headers }) })

it('accepts documented answers, and a busy server that says when to try again', () => {
  expect(answer(200, '{"n":1,"more":[]}')).toBeUndefined()
  expect(answer(404, '{"message":"Not found"}')).toBeUndefined()
  expect(answer(200, 'a,b', { 'content-type': 'text/csv' })).toBeUndefined()
  expect(
    check(
      { ...named, operation: { ...named.operation, responses: { 503: {} } } },
      {
        status: 503,
        text: '',
        headers: new Headers({ 'retry-after': '1' }),
      },
    ),
  ).toBeUndefined()
})

it('finds failures, undocumented statuses and bodies that do not match their schema', () => {
  expect(answer(500, '{}')).toBe('status 500')
  expect(answer(503, '{}')).toBe('status 503')
  expect(answer(418, '{}')).toBe('undocumented status 418')
  expect(answer(200, '{"n":"1"}')).toContain('does not match its schema: /n')
  expect(answer(200, '{}')).toContain('does not match its schema')
  expect(answer(404, '{}')).toContain('does not match its schema')
  expect(answer(200, '{')).toContain('not JSON')
})
