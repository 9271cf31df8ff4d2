import { describe, expect, it } from 'vitest'
import { listOperations, searchOperations, type ApiDocument, type Operation } from './api-document.ts'
import { buildRequest, type RequestDraft } from './build-request.ts'
import { createExample } from './example-value.ts'

const call = (summary: string, tag: string) => ({
  operationId: summary,
  summary,
  description: '',
  tags: [tag],
  parameters: [],
  responses: {},
})
const document: ApiDocument = {
  paths: {
    '/api/v1/chart/{id}': { put: call('Updates a chart', 'chart'), get: call('Returns a chart', 'chart') },
    '/api/v1/annotation/': { get: call('Lists annotations', 'annotation') },
  },
  components: {
    schemas: {
      Node: {
        type: 'object',
        required: ['name', 'kind', 'next', 'sizes'],
        properties: {
          name: { type: 'string', minLength: 1 },
          kind: { type: 'string', enum: ['a', 'b'] },
          next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
          sizes: { type: 'array', minItems: 1, items: { type: ['integer', 'null'], minimum: 2 } },
          left: { type: 'string' },
        },
      },
    },
    responses: {},
  },
}

describe('search of calls', () => {
  const operations = listOperations(document)
  it('lists calls by group, address and method', () => {
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      'Lists annotations',
      'Returns a chart',
      'Updates a chart',
    ])
  })
  it('finds every word in any order, in method, address and summary', () => {
    const find = (text: string) => searchOperations(operations, text).map(({ operationId }) => operationId)
    expect(find(' chart PUT')).toEqual(['Updates a chart'])
    expect(find('v1/annot')).toEqual(['Lists annotations'])
    expect(find('nothing')).toEqual([])
    expect(find('')).toHaveLength(3)
  })
})

it('an example has the required fields, and ends in schemas that contain themselves', () => {
  const example = createExample(document, { $ref: '#/components/schemas/Node' })
  expect(example).toMatchObject({ name: 'a', kind: 'a', sizes: [2], next: { name: 'a' } })
  expect(example).not.toHaveProperty('left')
  expect(createExample(document, { type: 'object', properties: { owners: { type: 'array' } } })).toEqual({})
})

describe('request', () => {
  const operation: Operation = {
    ...call('Updates a thing', 'thing'),
    method: 'PUT',
    path: '/thing/{id}/{name}',
    group: 'thing',
    parameters: [
      { name: 'id', in: 'path', required: true },
      { name: 'q', in: 'query', required: false },
      { name: 'page', in: 'query', required: false },
    ],
  }
  const draft: RequestDraft = {
    parameters: { id: '../1', name: 'a b', q: '(a:1)', page: '' },
    contentType: null,
    text: '{"a": 1}',
    fields: { name: 'x', empty: '' },
    files: {},
  }
  it('encodes parameters, and omits empty ones', () => {
    expect(buildRequest(operation, draft)).toEqual({ url: '/thing/..%2F1/a%20b?q=(a%3A1)', headers: {} })
  })
  it('sends JSON as typed', () => {
    expect(buildRequest(operation, { ...draft, contentType: 'application/json' })).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: '{"a": 1}',
    })
  })
  it('sends the filled fields of a form', () => {
    const { body } = buildRequest(operation, { ...draft, contentType: 'application/x-www-form-urlencoded' })
    expect(String(body as URLSearchParams)).toBe('name=x')
  })
})
