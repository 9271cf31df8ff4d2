import { AppError, defineRoute, type RouteContract } from '@parquetry/model'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { serve } from './serve.ts'

const note = defineRoute({
  method: 'POST',
  path: '/api/v1/test/:id/notes/',
  summary: 'A route with everything',
  params: Type.Object({ id: Type.Integer() }),
  query: Type.Object({ force: Type.Optional(Type.Boolean()) }),
  rison: Type.Object({ keys: Type.Optional(Type.Array(Type.String())) }),
  body: Type.Object(
    { label: Type.String({ minLength: 1, maxLength: 5 }), n: Type.Optional(Type.Integer()) },
    { additionalProperties: false },
  ),
  reply: Type.Unknown(),
  can: ['can_write', 'Chart'],
  object: 'none',
  rate: 'write',
  audit: 'test.note',
  csrf: 'token',
  errors: 'plain',
  fails: [],
})
const route = (path: string, more: Partial<RouteContract>) =>
  ({ ...note, rison: undefined, query: undefined, params: undefined, path, ...more }) as unknown as RouteContract

let left: Promise<unknown>
function routes(app: TestServer['app']): void {
  serve(app, note, ({ params, query, rison, body, principal }) => ({
    params,
    query,
    rison,
    body,
    by: principal.username,
  }))
  serve(app, route('/api/v1/test/422', { errors: 'plain-422' }), ({ body }) => body)
  serve(app, route('/api/v1/test/typed', { errors: 'typed' }), () => {
    throw new AppError('syntax_error', { details: { line: 3 } })
  })
  serve(app, route('/api/v1/test/legacy', { errors: 'legacy' }), () => {
    throw new AppError('unprocessable', { message: 'No.' })
  })
  serve(app, route('/api/v1/test/first', { csrfFirst: true }), () => ({}))
  serve(app, route('/api/v1/test/bug', {}), () => {
    throw new TypeError('/secret/path is undefined')
  })
  serve(app, route('/api/v1/test/form', { body: 'form', csrf: 'same-origin' }), ({ body }) => body)
  serve(app, route('/api/v1/test/either', { formField: 'doc', csrf: 'none' }), ({ body }) => body)
  serve(app, route('/api/v1/test/slow', { method: 'GET', body: 'none', can: 'anyone' }), async ({ signal, reply }) => {
    left = new Promise((resolve) => signal.addEventListener('abort', resolve))
    reply.raw.destroy()
    await left
    return reply
  })
}

describe.each(testStores)('a route on %s', (_name, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store, routes })
  })
  afterAll(() => server.close())
  const path = '/api/v1/test/7/notes/'
  const send = (user: Parameters<TestServer['as']>[0], body: object, at = path) => server.as(user).post(at, body)

  it('passes the request to its handler, parsed by the schemas', async () => {
    const response = await server.as('admin').post(`${path}?force=true&q=(keys:!(a))`, { label: 'x', n: 1 })
    expect(response.json()).toEqual({
      params: { id: 7 },
      query: { force: true },
      rison: { keys: ['a'] },
      body: { label: 'x', n: 1 },
      by: 'admin',
    })
  })

  it('serves both spellings of a path without a redirect', async () => {
    expect((await send('admin', { label: 'x' }, '/api/v1/test/7/notes')).statusCode).toBe(200)
  })

  it.each([
    [{ label: 5 }, { label: ['Not a valid string.'] }],
    [{ label: '' }, { label: ['Length must be between 1 and 5.'] }],
    [{}, { label: ['Missing data for required field.'] }],
    [{ label: 'x', n: '1' }, { n: ['Not a valid integer.'] }],
    [{ label: 'x', nope: 1 }, { nope: ['Unknown field.'] }],
    [{ label: null }, { label: ['Field may not be null.'] }],
    [[], { _schema: ['Invalid input type.'] }],
  ])('refuses the body %j', async (body, message) => {
    const response = await send('admin', body)
    expect([response.statusCode, response.json()]).toEqual([400, { message }])
  })

  it('returns 422 for an invalid body where the contract requires it', async () => {
    const response = await send('admin', {}, '/api/v1/test/422')
    expect([response.statusCode, response.json()]).toEqual([
      422,
      { message: { label: ['Missing data for required field.'] } },
    ])
  })

  it('writes errors in the format of the contract', async () => {
    const typed = await send('admin', { label: 'x' }, '/api/v1/test/typed')
    expect([typed.statusCode, typed.json()]).toEqual([
      400,
      {
        errors: [
          {
            message: 'The SQL has a syntax error.',
            error_type: 'SYNTAX_ERROR',
            level: 'error',
            extra: { line: 3, issue_codes: [{ code: 1030, message: 'Issue 1030 - The query has a syntax error.' }] },
          },
        ],
      },
    ])
    const legacy = await send('admin', { label: 'x' }, '/api/v1/test/legacy')
    expect([legacy.statusCode, legacy.json()]).toEqual([422, { error: 'No.' }])
  })

  it('reveals nothing about internal errors', async () => {
    const response = await send('admin', { label: 'x' }, '/api/v1/test/bug')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toMatch(/secret|TypeError|\.ts/)
    expect(response.headers['x-request-id']).toBeTruthy()
  })

  it('checks the identity before reading the body', async () => {
    const nobody = await send('nobody', {})
    expect([nobody.statusCode, nobody.json()]).toEqual([
      401,
      { message: 'Not authorized', msg: 'Missing Authorization Header' },
    ])
    const noRight = await send('publicuser', {})
    expect([noRight.statusCode, noRight.json()]).toEqual([403, { message: 'Forbidden' }])
  })

  it('logs actions and refusals', async () => {
    await send('gamma', { label: 'x' })
    await send('publicuser', { label: 'x' })
    await server.app.audit.flush()
    const rows = await server.deps.db
      .selectFrom('log')
      .innerJoin('user', 'user.id', 'user_id')
      .select(['action', 'username', 'json'])
      .where('username', 'in', ['gamma', 'publicuser'])
      .where('action', 'in', ['test.note', 'refused'])
      .execute()
    expect(rows).toContainEqual({ action: 'test.note', username: 'gamma', json: null })
    expect(rows).toContainEqual({
      action: 'refused',
      username: 'publicuser',
      json: JSON.stringify({ route: note.path, method: 'POST' }),
    })
  })

  it('refuses bodies that are not JSON, too deep, too large or of another type', async () => {
    const raw = (payload: string, type = 'application/json', at = path) =>
      server.as('admin').send('POST', at, { payload, headers: { 'content-type': type } })
    const statusOf = async (answer: Promise<{ statusCode: number; body: string }>) => {
      const { statusCode, body } = await answer
      return [statusCode, (JSON.parse(body) as { message: unknown }).message]
    }
    expect(await statusOf(raw('{'))).toEqual([400, 'Request is not JSON'])
    expect(await statusOf(raw('label=x', 'application/x-www-form-urlencoded'))).toEqual([400, 'Request is not JSON'])
    expect(await statusOf(raw(`${'['.repeat(65)}${']'.repeat(65)}`))).toEqual([
      400,
      'The JSON is nested more than 64 levels deep.',
    ])
    expect((await raw('{"__proto__":{"isAdmin":true},"label":"x"}')).statusCode).toBe(400)
    expect((await raw(`{"label":"${'x'.repeat(1 << 20)}"}`)).statusCode).toBe(413)
    expect((await raw('<a/>', 'text/xml')).statusCode).toBe(415)
  })

  it('accepts a document in a form field where the contract allows it', async () => {
    const response = await server.as('admin').send('POST', '/api/v1/test/either', {
      payload: 'doc=%7B%22label%22%3A%22x%22%7D',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(response.json()).toEqual({ label: 'x' })
  })

  it('regression: accepts such a field in a multipart form, which browsers send for FormData', async () => {
    const send = (field: string) => {
      const payload = `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n{"label":"x"}\r\n--b--\r\n`
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      return server.as('admin').send('POST', '/api/v1/test/either', { payload, headers })
    }
    expect((await send('doc')).json()).toEqual({ label: 'x' })
    expect((await send('other')).statusCode).toBe(400)
  })

  it('distinguishes unknown paths from unknown methods', async () => {
    const none = await server.as('admin').get('/api/v1/nope/')
    expect([none.statusCode, none.json<{ errors: { message: string }[] }>().errors[0]?.message]).toEqual([
      404,
      expect.stringMatching(/^404 Not Found/),
    ])
    const other = await server.as('admin').delete(path)
    expect([other.statusCode, other.json<{ errors: { message: string }[] }>().errors[0]?.message]).toEqual([
      405,
      expect.stringMatching(/^405 Method Not Allowed/),
    ])
    expect((await send('admin', { label: 'x' }, '/api/v1/test/abc/notes/')).statusCode).toBe(404)
  })

  it('reads q as Rison or JSON and reports its errors', async () => {
    const ask = async (q: string) => {
      const response = await server.as('admin').post(`${path}?q=${encodeURIComponent(q)}`, { label: 'x' })
      return response.json<{ message: string; rison: unknown }>()
    }
    expect((await ask('{"keys":["a"]}')).rison).toEqual({ keys: ['a'] })
    expect((await ask('(keys')).message).toBe('Not a valid rison/json argument')
    expect((await ask('(keys:1)')).message).toMatch(/^Not a valid rison schema 1 is not of type 'array'\n/)
  })

  it('aborts the work of a client that disconnected', async () => {
    await server.app.http.inject({ url: '/api/v1/test/slow' }).catch(() => undefined)
    await expect(left).resolves.toBeDefined()
  })

  describe('CSRF', () => {
    const withoutToken = { headers: { 'x-csrftoken': '' }, payload: { label: 'x' } }

    it('is required for writes with a cookie, but not with a bearer token', async () => {
      expect((await send('admin', { label: 'x' })).statusCode).toBe(200)
      expect((await server.as('admin', 'session').post(path, { label: 'x' })).statusCode).toBe(200)
      const bad = await server.as('admin', 'session').send('POST', path, withoutToken)
      expect([bad.statusCode, bad.json()]).toMatchObject([
        400,
        { errors: [{ error_type: 'GENERIC_BACKEND_ERROR', message: expect.stringContaining('CSRF') }] },
      ])
    })

    it('refuses the token of another browser', async () => {
      const other = await server.app.http.inject({ url: '/login/' })
      const token = /name="csrf_token"[^>]*value="([^"]+)"/.exec(other.body)?.[1] ?? ''
      const response = await server
        .as('admin', 'session')
        .send('POST', path, { headers: { 'x-csrftoken': token }, payload: { label: 'x' } })
      expect(response.statusCode).toBe(400)
    })

    it('refuses requests from other sites even where no token is needed', async () => {
      const form = (headers: Record<string, string>) =>
        server.as('admin', 'session').send('POST', '/api/v1/test/form', {
          payload: 'a=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        })
      expect((await form({})).statusCode).toBe(200)
      expect((await form({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
      expect((await form({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(400)
      expect((await form({ origin: 'https://evil.example' })).statusCode).toBe(400)
    })

    it('is checked before the sign-in where the contract requires it', async () => {
      expect((await send('nobody', { label: 'x' }, '/api/v1/test/first')).statusCode).toBe(400)
      expect((await send('nobody', { label: 'x' })).statusCode).toBe(401)
    })
  })
})
