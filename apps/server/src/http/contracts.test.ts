import { errorCodes } from '@parquetry/model'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
  const unlogged = /validate|form_data|filter_state|^\/superset\/log\/$|^\/(tabstate|tableschema)view\//
  const writes = server.app.contracts.filter(
    ({ method, rate, can }) => method !== 'GET' && rate === 'write' && can !== 'anyone',
  )
  const pathsOf = (contracts: typeof writes) => contracts.map(({ method, path }) => `${method} ${path}`)
  expect(pathsOf(writes.filter(({ csrf }) => csrf !== 'token'))).toEqual(['POST /superset/log/'])
  expect(pathsOf(writes.filter(({ audit, path }) => audit === 'none' && !unlogged.test(path)))).toEqual([])
})

it('the OpenAPI document contains every route with the statuses of its failures', async () => {
  const response = await server.as('gamma').get('/api/v1/_openapi')
  const { paths } = response.json<{ paths: Record<string, Record<string, { responses: object }>> }>()
  for (const { method, path, reply, fails } of server.app.contracts) {
    if (reply === 'page' || path.startsWith('/static/')) continue
    const responses = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses
    expect(responses).toBeDefined()
    const statuses = fails.map((code) => String(errorCodes[code].status))
    expect(Object.keys(responses ?? {}), `${method} ${path}`).toEqual(expect.arrayContaining(statuses))
  }
})
