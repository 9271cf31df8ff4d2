import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { makeLink } from './one-time-link.ts'
import { addUser, setPassword } from './users.ts'

const minute = 60_000
const day = 24 * 60 * minute

describe.each(testStores)('signing in on %s', (_name, store) => {
  let server: TestServer
  let time = Date.UTC(2026, 0, 31, 10)
  beforeAll(async () => {
    server = await startTestServer({ store, now: () => new Date(time) })
  })
  afterAll(() => server.close())

  const login = (body: object) => server.as('nobody').post('/api/v1/security/login', body)
  const loginAs = async (username: string, more: object = {}) =>
    (await login({ username, password: username, provider: 'db', ...more })).json<{
      access_token: string
      refresh_token?: string
    }>()
  const meBy = (headers: Record<string, string>) => server.app.http.inject({ url: '/api/v1/me/', headers })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const cookieOf = (answer: { headers: Record<string, unknown> }) =>
    [answer.headers['set-cookie']]
      .flat()
      .map(String)
      .find((line) => line.startsWith('session='))
      ?.split(';')[0] ?? ''

  async function loginPage(next = ''): Promise<{ cookie: string; csrf_token: string; body: string }> {
    const page = await server.app.http.inject({ url: `/login/${next}` })
    return {
      cookie: cookieOf(page),
      csrf_token: /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.body)?.[1] ?? '',
      body: page.body,
    }
  }
  const sendForm = (url: string, cookie: string, fields: Record<string, string>) =>
    server.app.http.inject({
      method: 'POST',
      url,
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })

  describe('with tokens', () => {
    it('returns a refresh token only on request, including the text "true"', async () => {
      expect(Object.keys(await loginAs('admin'))).toEqual(['access_token'])
      expect(await loginAs('admin', { refresh: 'true' })).toHaveProperty('refresh_token')
    })

    it('ignores the case of the username', async () => {
      expect((await login({ username: 'ADMIN', password: 'admin', provider: 'db' })).statusCode).toBe(200)
    })

    it.each([
      [{ username: 'admin', password: 'x', provider: 'db' }, 401, 'Not authorized'],
      [{ username: 'nobody', password: 'x', provider: 'db' }, 401, 'Not authorized'],
      [{ username: 'admin', password: 5, provider: 'db' }, 400, { password: ['Not a valid string.'] }],
      [
        { username: 'admin', password: 'admin', provider: 'ldap' },
        400,
        { provider: ['Alternative authentication provider is not allowed'] },
      ],
    ])('rejects %j', async (body, status, message) => {
      const response = await login(body)
      expect([response.statusCode, response.json<{ message: unknown }>().message]).toEqual([status, message])
    })

    it('rejects expired, forged, foreign and refresh tokens with the messages that clients check', async () => {
      const { access_token, refresh_token } = await loginAs('admin', { refresh: true })
      const [head, body] = access_token.split('.')
      const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
      const weak = `${head}.${body}.${createHmac('sha256', '').update(`${head}.${body}`).digest('base64url')}`
      const msgOf = async (token: string) => {
        const response = await meBy(bearer(token))
        return [response.statusCode, response.json<{ msg: string }>().msg]
      }
      expect(await msgOf(none)).toEqual([422, 'The specified alg value is not allowed'])
      expect(await msgOf(weak)).toEqual([422, 'Signature verification failed'])
      expect(await msgOf('abc.def.ghi')).toEqual([422, 'Invalid header string'])
      expect(await msgOf(String(refresh_token))).toEqual([422, 'Only non-refresh tokens are allowed'])
      time += 16 * minute
      expect(await msgOf(access_token)).toEqual([401, 'Token has expired'])
    })

    it('refreshes only with a refresh token', async () => {
      const { access_token, refresh_token = '' } = await loginAs('gamma', { refresh: true })
      const refresh = (token?: string) =>
        server.as('nobody').send('POST', '/api/v1/security/refresh', { headers: token ? bearer(token) : {} })
      time += 60 * minute
      const { access_token: fresh } = (await refresh(refresh_token)).json<{ access_token: string }>()
      expect((await meBy(bearer(fresh))).json()).toMatchObject({ result: { username: 'gamma' } })
      expect((await refresh(fresh)).json()).toMatchObject({ msg: 'Only refresh tokens are allowed' })
      expect((await refresh(access_token)).statusCode).toBe(422)
      expect((await refresh()).json()).toMatchObject({ msg: 'Missing Authorization Header' })
      time += 8 * day
      expect((await refresh(refresh_token)).json()).toMatchObject({ msg: 'Token has expired' })
    })

    it('returns a CSRF token with the cookie that it belongs to', async () => {
      const { access_token } = await loginAs('admin')
      const response = await server.app.http.inject({
        url: '/api/v1/security/csrf_token/',
        headers: bearer(access_token),
      })
      expect(response.json<{ result: string }>().result).toMatch(/^[\w-]{43}$/)
      expect(String(response.headers['set-cookie'])).toMatch(/^session=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
    })
  })

  describe('with the sign-in page', () => {
    it('regression: every signed-in user gets a CSRF token, whatever their roles are', async () => {
      const { db, now } = server.deps
      await addUser(db, { username: 'sql_only', password: 'sql_only', roles: ['sql_lab'] }, now())
      await addUser(db, { username: 'no_right', password: 'no_right', roles: ['Public'] }, now())
      for (const username of ['sql_only', 'no_right', 'gamma']) {
        const { cookie: before, csrf_token } = await loginPage()
        const cookie = cookieOf(await sendForm('/login/', before, { username, password: username, csrf_token }))
        const response = await server.app.http.inject({ url: '/api/v1/security/csrf_token/', headers: { cookie } })
        expect([username, response.statusCode]).toEqual([username, 200])
      }
      expect((await server.as('nobody').get('/api/v1/security/csrf_token/')).statusCode).toBe(401)
    })

    it('has the hidden field that scripts read, and responds with 302 and a session cookie', async () => {
      const { cookie, csrf_token } = await loginPage()
      expect(csrf_token).not.toBe('')
      const response = await sendForm('/login/', cookie, { username: 'admin', password: 'admin', csrf_token })
      expect([response.statusCode, response.headers.location]).toEqual([302, '/'])
      expect(String(response.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax/)
      expect((await meBy({ cookie: cookieOf(response) })).json()).toMatchObject({ result: { username: 'admin' } })
      expect(cookieOf(response)).not.toBe(cookie)
    })

    it('regression: the CSRF token of the sign-in page stays valid in the session that it opens', async () => {
      const { cookie: before, csrf_token } = await loginPage()
      const response = await sendForm('/login/', before, { username: 'admin', password: 'admin', csrf_token })
      const write = async (cookie: string, token: string) => {
        const headers = { cookie, 'x-csrftoken': token }
        const payload = { dashboard_title: 'by a script' }
        return (await server.app.http.inject({ method: 'POST', url: '/api/v1/dashboard/', headers, payload }))
          .statusCode
      }
      const cookie = cookieOf(response)
      expect(await write(cookie, csrf_token)).toBe(201)
      const fresh = await server.app.http.inject({ url: '/api/v1/security/csrf_token/', headers: { cookie } })
      expect(await write(cookie, fresh.json<{ result: string }>().result)).toBe(201)
      const { csrf_token: foreign } = await loginPage()
      expect(await write(cookie, foreign)).toBe(400)
      expect(await write(cookie, cookie.split('.')[1] ?? '')).toBe(400)
      const again = await loginPage()
      const other = await sendForm('/login/', again.cookie, { username: 'admin', password: 'admin', ...again })
      expect(await write(cookieOf(other), csrf_token)).toBe(400)
    })

    it('shows the same message for a wrong username and a wrong password', async () => {
      const messages = []
      for (const username of ['admin', 'no such user']) {
        const { cookie, csrf_token } = await loginPage()
        const response = await sendForm('/login/', cookie, { username, password: 'x', csrf_token })
        expect([response.statusCode, response.headers.location]).toEqual([302, '/login/?next=/'])
        const flash = String(response.headers['set-cookie']).split(';')[0] ?? ''
        messages.push(
          /flash_messages":(\[\[.*?\]\])/.exec(
            (await server.app.http.inject({ url: '/login/', headers: { cookie: flash } })).body,
          )?.[1],
        )
      }
      expect(messages).toEqual(Array(2).fill('[["danger","Username or password is incorrect."]]'))
    })

    it('rejects forms without the CSRF token of this browser', async () => {
      const { cookie } = await loginPage()
      const { csrf_token: foreign } = await loginPage()
      for (const csrf_token of ['', foreign]) {
        const response = await sendForm('/login/', cookie, { username: 'admin', password: 'admin', csrf_token })
        expect(cookieOf(response)).toBe('')
      }
    })

    it.each([
      ['/superset/dashboard/1/?native_filters=(a:1)', '/superset/dashboard/1/?native_filters=(a:1)'],
      ['https://evil.example/', '/'],
      ['//evil.example/', '/'],
      ['/\\evil.example/', '/'],
      ['/.//evil.example/', '/'],
      ['/x/%2e%2e//evil.example/', '/'],
      ['/%2Fevil.example/', '/'],
      ['javascript:alert(1)', '/'],
    ])('redirects only to local addresses: %s', async (next, location) => {
      const query = `?next=${encodeURIComponent(next)}`
      const { cookie, csrf_token } = await loginPage(query)
      const response = await sendForm(`/login/${query}`, cookie, { username: 'alpha', password: 'alpha', csrf_token })
      expect(response.headers.location).toBe(location)
    })

    async function session(username: string): Promise<string> {
      const { cookie, csrf_token } = await loginPage()
      return cookieOf(await sendForm('/login/', cookie, { username, password: username, csrf_token }))
    }

    it('regression: an image or stylesheet in user content with the sign-out address does not sign readers out', async () => {
      const cookie = await session('alpha')
      const by = (dest: string) =>
        server.app.http.inject({ url: '/logout/', headers: { cookie, 'sec-fetch-dest': dest } })
      for (const dest of ['image', 'style', 'iframe']) await by(dest)
      expect((await meBy({ cookie })).statusCode).toBe(200)
      await by('document')
      expect((await meBy({ cookie })).statusCode).toBe(401)
    })

    it('ends on sign-out, after 12 idle hours and after 7 days', async () => {
      const out = await session('alpha')
      await server.app.http.inject({ url: '/logout/', headers: { cookie: out } })
      expect((await meBy({ cookie: out })).statusCode).toBe(401)

      const idle = await session('alpha')
      const busy = await session('alpha')
      for (let hour = 0; hour < 13; hour++) {
        time += 60 * minute
        expect((await meBy({ cookie: busy })).statusCode).toBe(200)
      }
      expect((await meBy({ cookie: idle })).statusCode).toBe(401)
      for (let hour = 13; hour < 7 * 24; hour += 6) {
        time += 6 * 60 * minute
        await meBy({ cookie: busy })
      }
      time += minute
      expect((await meBy({ cookie: busy })).statusCode).toBe(401)
    })

    it('ends within a second when the password changes', async () => {
      const cookie = await session('sqllab')
      const { access_token } = await loginAs('sqllab')
      expect((await meBy({ cookie })).statusCode).toBe(200)
      const { id } = await server.deps.db
        .selectFrom('user')
        .select('id')
        .where('username', '=', 'sqllab')
        .executeTakeFirstOrThrow()
      await setPassword(server.deps.db, id, 'sqllab', new Date(time))
      time += 1001
      expect((await meBy({ cookie })).statusCode).toBe(401)
      expect((await meBy(bearer(access_token))).json()).toMatchObject({ msg: 'Token has been revoked' })
    })

    it('changes the password given the current one, and ends all other sessions', async () => {
      const cookie = await session('alpha')
      const { access_token } = await loginAs('alpha')
      const csrf = async (of: string) =>
        (await server.app.http.inject({ url: '/api/v1/security/csrf_token/', headers: { cookie: of } })).json<{
          result: string
        }>().result
      const change = async (of: string, payload: object) =>
        server.app.http.inject({
          method: 'POST',
          url: '/api/v1/me/password',
          headers: { cookie: of, 'x-csrftoken': await csrf(of) },
          payload,
        })
      const changePassword = async (payload: object) => {
        const response = await change(cookie, payload)
        return [response.statusCode, response.json<{ message: unknown }>().message]
      }
      expect(await changePassword({ current: 'wrong', password: 'a new long one' })).toEqual([
        422,
        'The current password is incorrect.',
      ])
      expect(await changePassword({ current: 'alpha', password: 'short' })).toEqual([
        422,
        'The password must have at least 8 characters.',
      ])
      const changed = await change(cookie, { current: 'alpha', password: 'a new long one' })
      expect(changed.statusCode).toBe(200)
      expect((await meBy({ cookie })).statusCode).toBe(401)
      expect((await meBy(bearer(access_token))).statusCode).toBe(401)
      const next = cookieOf(changed)
      expect((await meBy({ cookie: next })).json()).toMatchObject({ result: { username: 'alpha' } })
      expect((await login({ username: 'alpha', password: 'alpha', provider: 'db' })).statusCode).toBe(401)
      expect((await login({ username: 'alpha', password: 'a new long one', provider: 'db' })).statusCode).toBe(200)
    })

    it('redirects users without access to the sign-in page, with the address to return to', async () => {
      const ask = (url: string, cookie = '') => server.app.http.inject({ url, headers: { cookie } })
      const response = await ask('/explore/?datasource_type=table&datasource_id=2')
      expect([response.statusCode, response.headers.location]).toEqual([
        302,
        '/login/?next=/explore/?datasource_type%3Dtable%26datasource_id%3D2',
      ])
      expect((await ask('/superset/sqllab/', await session('gamma'))).headers.location).toBe(
        '/login/?next=/superset/sqllab/',
      )
      expect((await ask('/superset/sqllab/', await session('sqllab'))).statusCode).toBe(200)
      expect((await ask('/login/', await session('gamma'))).headers.location).toBe('/')
    })
  })

  describe('with a one-time link', () => {
    const linkOf = async (username: string) => {
      const { id } = await server.deps.db
        .selectFrom('user')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
      return `/login/link/${await makeLink(server.deps.db, id, new Date(time))}/`
    }
    async function open(link: string): Promise<{ cookie: string; csrf_token: string; status: number }> {
      const page = await server.app.http.inject({ url: link })
      const csrf_token = /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.body)?.[1] ?? ''
      return { cookie: cookieOf(page), csrf_token, status: page.statusCode }
    }

    it('sets a password once and signs in', async () => {
      const link = await linkOf('publicuser')
      await open(link) // mail programs that preview links do not use them up
      const { cookie, csrf_token } = await open(link)
      const response = await sendForm(link, cookie, { password: 'a new password', csrf_token })
      expect([response.statusCode, response.headers.location]).toEqual([302, '/'])
      expect((await meBy({ cookie: cookieOf(response) })).json()).toMatchObject({ result: { username: 'publicuser' } })
      expect((await open(link)).status).toBe(302)
      const again = await sendForm(link, cookie, { password: 'another password', csrf_token })
      expect(again.headers.location).toBe('/login/')
    })

    it('rejects weak passwords, and expires after a day', async () => {
      const link = await linkOf('publicuser')
      const { cookie, csrf_token } = await open(link)
      for (const password of ['short', 'password', 'PUBLICUSER'])
        expect((await sendForm(link, cookie, { password, csrf_token })).headers.location).toBe(link)
      time += day + minute
      expect((await open(link)).status).toBe(302)
    })

    it('regression: a password that is too long is not reported as easy to guess', async () => {
      const link = await linkOf('publicuser')
      const { cookie, csrf_token } = await open(link)
      const { headers } = await sendForm(link, cookie, { password: 'x'.repeat(1025), csrf_token })
      expect([headers.location, headers['set-cookie']]).toEqual([link, expect.stringMatching(/^flash=password-long/)])
    })
  })

  it('throttles password guessing, for a limited time and per address', async () => {
    const guess = (password: string) => login({ username: 'gamma', password, provider: 'db' })
    for (let n = 0; n < 10; n++) expect((await guess('x')).statusCode).toBe(401)
    const refused = await guess('gamma')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '300'])
    const { cookie, csrf_token } = await loginPage()
    const form = await sendForm('/login/', cookie, { username: 'gamma', password: 'gamma', csrf_token })
    expect([form.statusCode, form.headers['retry-after'], cookieOf(form)]).toEqual([429, '300', ''])
    expect(form.body).toContain('Too many failed sign-ins. Try again in 5 minutes.')
    time += 5 * minute
    expect((await guess('gamma')).statusCode).toBe(200)
  })

  it('regression: counts attempts in flight, and accepts correct ones among them', async () => {
    const tries = (password: string, count: number) =>
      Promise.all(
        Array.from(
          { length: count },
          async () => (await login({ username: 'gamma', password, provider: 'db' })).statusCode,
        ),
      )
    expect(await tries('gamma', 30)).toEqual(Array(30).fill(200))
    const wrong = await tries('x', 40)
    expect(wrong.filter((status) => status === 401)).toHaveLength(10)
    expect(wrong.filter((status) => status === 429)).toHaveLength(30)
    time += 5 * minute
  })

  it('logs sign-ins and the usernames of failed attempts', async () => {
    const rows = await server.deps.db.selectFrom('log').select(['action', 'json', 'user_id']).execute()
    expect(rows.some(({ action, user_id }) => action === 'sign-in' && user_id !== null)).toBe(true)
    expect(rows.some(({ action, json }) => action === 'sign-in failed' && json === '{"username":"no such user"}')).toBe(
      true,
    )
  })
})
