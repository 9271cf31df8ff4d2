import { beforeAll, expect, it } from 'vitest'
import { listBreakingChanges } from './compare.ts'
import { buildCurrentDocument } from './document.ts'
import { formatReleased, readReleased } from './released.ts'
import type { ApiDocument, JsonSchema, Operation } from './types.ts'

const body = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 10 },
    size: { type: ['integer', 'null'] },
    kind: { type: 'string', enum: ['a', 'b'] },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
  },
}
const reply = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, value: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
}

/** A document with one call, whose parts a test changes. */
function createDocument(change: {
  operation?: Partial<Operation>
  body?: JsonSchema
  reply?: JsonSchema
  part?: JsonSchema
  path?: string
  statuses?: string[]
}): ApiDocument {
  const { statuses = ['400'] } = change
  const operation: Operation = {
    operationId: 'putThing',
    security: [],
    parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
    requestBody: { content: { 'application/json': { schema: change.body ?? body } } },
    responses: {
      200: { content: { 'application/json': { schema: change.reply ?? reply } } },
      ...Object.fromEntries(statuses.map((status) => [status, { $ref: '#/components/responses/Error' }])),
    },
    ...change.operation,
  }
  return {
    paths: { [change.path ?? '/thing/{id}']: { put: operation } },
    components: {
      schemas: { Part: change.part ?? { type: 'object', properties: { next: { $ref: '#/components/schemas/Part' } } } },
      responses: { Error: { content: { 'application/json': { schema: {} } } } },
    },
  }
}

const withField = (schema: typeof body | typeof reply, name: string, field: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, [name]: field },
})
const without = (schema: typeof body | typeof reply, name: string): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties).filter(([key]) => key !== name)),
})

const route = 'PUT /thing/{id}'
const compare = (change: Parameters<typeof createDocument>[0]): string[] =>
  listBreakingChanges(createDocument({}), createDocument(change))

it.each<[string, Parameters<typeof createDocument>[0], string]>([
  ['a removed address', { path: '/other/{id}' }, `${route}: removed`],
  ['a removed status', { statuses: [] }, `${route} 400: is no longer answered`],
  ['a renamed operation', { operation: { operationId: 'other' } }, `${route} its operationId was putThing`],
  ['signing in', { operation: { security: [{ bearer: [] }] } }, `${route} requires signing in now`],
  ['a removed parameter', { operation: { parameters: [] } }, `${route} ?page: removed`],
  [
    'a new required parameter',
    { operation: { parameters: [{ name: 'page', in: 'query', required: true, schema: { type: 'integer' } }] } },
    `${route} ?page: is required now`,
  ],
  ['a removed field of the body', { body: without(body, 'size') }, `${route} body.size: removed`],
  ['a new required field', { body: { ...body, required: ['name', 'size'] } }, `${route} body.size: is required now`],
  [
    'a narrower type of the body',
    { body: withField(body, 'size', { type: 'integer' }) },
    `${route} body.size: no longer accepts null`,
  ],
  [
    'a shorter text',
    { body: withField(body, 'name', { type: 'string', maxLength: 5 }) },
    `${route} body.name: maxLength is stricter`,
  ],
  [
    'a removed value',
    { body: withField(body, 'kind', { type: 'string', enum: ['a'] }) },
    `${route} body.kind: the value "b" is gone`,
  ],
  [
    'fields that were ignored',
    { body: { ...body, additionalProperties: false } },
    `${route} body: no longer accepts other fields`,
  ],
  ['a removed field in a shared schema', { part: { type: 'object' } }, `${route} body.parts[].next: removed`],
  ['a removed field of the response', { reply: without(reply, 'id') }, `${route} 200.id: removed`],
  [
    'a response field that may be missing',
    { reply: { ...reply, required: [] } },
    `${route} 200.id: may be missing now`,
  ],
  [
    'another type in the response',
    { reply: withField(reply, 'id', { type: ['integer', 'null'] }) },
    `${route} 200.id: may be null now`,
  ],
  [
    'another variant in the response',
    { reply: withField(reply, 'value', { anyOf: [{ type: 'string' }, { type: 'boolean' }] }) },
    `${route} 200.value: may be "boolean" now`,
  ],
])('reports %s as a breaking change', (_name, change, expected) => {
  expect(compare(change)).toEqual([expected])
})

it.each<[string, Parameters<typeof createDocument>[0]]>([
  ['nothing', {}],
  ['another name of a parameter in the address', { path: '/thing/{pk}/' }],
  ['a new status', { statuses: ['400', '404'] }],
  ['a new optional field of the body', { body: withField(body, 'more', { type: 'string' }) }],
  ['a wider type of the body', { body: withField(body, 'size', { type: ['integer', 'null', 'string'] }) }],
  ['a longer text', { body: withField(body, 'name', { type: 'string', maxLength: 20 }) }],
  ['a field that is no longer required', { body: { ...body, required: [] } }],
  ['a new field of the response', { reply: withField(reply, 'more', { type: 'string' }) }],
  ['fewer variants in the response', { reply: withField(reply, 'value', { type: 'string' }) }],
])('accepts %s', (_name, change) => {
  expect(compare(change)).toEqual([])
})

let current: ApiDocument
beforeAll(async () => {
  current = await buildCurrentDocument()
})

it('the API has every call of the released one, and a removed call is found', () => {
  const released = readReleased()
  expect(listBreakingChanges(released, current)).toEqual([])
  const { '/api/v1/chart/': charts, ...paths } = current.paths
  expect(charts).toBeDefined()
  expect(listBreakingChanges(released, { ...current, paths })).toEqual(
    ['GET', 'POST', 'DELETE'].map((method) => `${method} /api/v1/chart/: removed`),
  )
})

it('the released document keeps all that the comparison reads', () => {
  const released = JSON.parse(formatReleased(current)) as ApiDocument
  expect(listBreakingChanges(current, released)).toEqual([])
  expect(listBreakingChanges(released, current)).toEqual([])
})
