import { errorCodes } from '@parquetry/model'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isApiCall } from '../open-api/build-document.ts'
import { allPairs } from '../security/roles.ts'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('every schema of every route compiles', () => {
  for (const contract of server.app.contracts)
    for (const part of ['params', 'query', 'rison', 'body', 'json', 'reply'] as const) {
      const schema = contract[part]
      if (typeof schema === 'object') expect(() => Compile(schema), `${contract.path} ${part}`).not.toThrow()
    }
})

it('every permission required by a route is in the roles', () => {
  const known = new Set(allPairs.map((pair) => pair.join(' ')))
  const unknown = server.app.contracts.filter(({ can }) => typeof can !== 'string' && !known.has(can.join(' ')))
  expect(unknown.map(({ path, can }) => [path, can])).toEqual([])
})

it('no path is served twice, and every declared error exists', () => {
  const seen = new Set<string>()
  for (const { method, path, fails } of server.app.contracts) {
    const key = `${method} ${path.replace(/\/$/, '')}`
    expect(seen.has(key), key).toBe(false)
    seen.add(key)
    for (const code of fails) expect(errorCodes).toHaveProperty(code)
  }
})

it('writes require a CSRF token and are logged', () => {
  // checks that change nothing, states of one user's page, and the events that are the log themselves
  const unlogged = /validate|form_data|filter_state|^\/superset\/(?:log\/$|explore\/)|^\/(tabstate|tableschema)view\//
  const writes = server.app.contracts.filter(
    ({ method, rate, can }) => method !== 'GET' && rate === 'write' && can !== 'anyone',
  )
  const pathsOf = (contracts: typeof writes) => contracts.map(({ method, path }) => `${method} ${path}`)
  expect(pathsOf(writes.filter(({ csrf }) => csrf !== 'token'))).toEqual(['POST /superset/log/'])
  expect(pathsOf(writes.filter(({ audit, path }) => audit === 'none' && !unlogged.test(path)))).toEqual([])
})

interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; responses: object; requestBody?: object }>>
  components: Record<'schemas' | 'responses', Record<string, object>>
}
const fetchDocument = async () => (await server.as('gamma').get('/api/v1/_openapi')).json<ApiDocument>()

it('the OpenAPI document contains every route with the statuses of its failures', async () => {
  const { paths } = await fetchDocument()
  for (const { method, path, fails, success = [200] } of server.app.contracts.filter(isApiCall)) {
    const responses = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses
    expect(responses).toBeDefined()
    const statuses = [...success, ...fails.map((code) => errorCodes[code].status)].map(String)
    expect(Object.keys(responses ?? {}), `${method} ${path}`).toEqual(expect.arrayContaining(statuses))
  }
})

it('regression: a bearer token that is not valid is 422 with `msg` on every route that reads it, and documented', async () => {
  const { paths } = await fetchDocument()
  for (const { method, path, can } of server.app.contracts.filter(isApiCall)) {
    if (can === 'anyone') continue
    const { statusCode, body } = await server.as('nobody').send(method, path.replaceAll(/:\w+/g, '1'), {
      headers: { authorization: 'Bearer broken.token.here' },
    })
    expect([statusCode, body], `${method} ${path}`).toEqual([422, expect.stringContaining('"msg":"Invalid header')])
    const responses = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses
    expect(Object.keys(responses ?? {}), `${method} ${path}`).toContain('422')
  }
})

it('every operation of the OpenAPI document has its own id, and every reference leads to a shared part', async () => {
  const document = await fetchDocument()
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids).toEqual(expect.arrayContaining(['getChart', 'putChartById', 'getChartInfo', 'postChartData']))
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(schemas|responses)\/(\w+)"/g)
  const parts = [...references].map(([, kind, name]) => [kind, name] as ['schemas', string])
  expect(parts.length).toBeGreaterThan(1000)
  for (const [kind, name] of parts) expect(document.components[kind]).toHaveProperty(name)
  for (const name of ['ChartPut', 'QueryContext', 'ListQuery', 'TypedError'])
    expect(document.components.schemas).toHaveProperty(name)
})

it('every form names its fields', async () => {
  const forms = server.app.contracts.filter(
    ({ body, reply }) => (body === 'form' || body === 'multipart') && reply !== 'page',
  )
  expect(forms.filter(({ form }) => !form).map(({ method, path }) => `${method} ${path}`)).toEqual([])
  const { paths } = await fetchDocument()
  expect(paths['/api/v1/database/import/']?.['post']?.requestBody).toMatchObject({
    content: { 'multipart/form-data': { schema: { properties: { formData: { format: 'binary' } } } } },
  })
})
