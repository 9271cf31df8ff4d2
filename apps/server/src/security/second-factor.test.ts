import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canDecryptSecrets } from '../store/stored-secrets.ts'
import { temporaryKeys } from '../store/keys.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { addUser } from './users.ts'

const minute = 60_000
const path = '/api/v1/me/second_factor/'

describe.each(testStores)('the second factor on %s', (_name, store) => {
  let server: TestServer
  let time = Date.UTC(2026, 0, 31, 10)
  beforeAll(async () => {
    server = await startTestServer({ store, now: () => new Date(time) })
  })
  afterAll(() => server.close())

  type Headers = Record<string, string>
  const inject = (method: string, url: string, headers: Headers = {}, payload?: object) =>
    server.app.http.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
  const cookieOf = (response: { headers: Record<string, unknown> }) =>
    [response.headers['set-cookie']]
      .flat()
      .map(String)
      .find((line) => line.startsWith('session='))
      ?.split(';')[0] ?? ''
  const csrf = async (page: { body: string }) => /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const bootOf = (page: { body: string }) =>
    JSON.parse(/<script[^>]*id="boot"[^>]*>([\s\S]*?)<\/script>/.exec(page.body)?.[1] ?? '{}') as {
      common: { second_factor?: { step: string; secret?: string; uri?: string } }
    }
  const idOf = async (username: string): Promise<number> =>
    (await server.deps.db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id
  const codeOf = (secret: string, at = time) => new TOTP({ secret }).generate({ timestamp: at })
  let users = 0
  const createUser = async () => {
    const username = `user${++users}`
    const id = await addUser(
      server.deps.db,
      { username, password: `${username}-Passw0rd`, roles: ['Gamma'] },
      server.deps.now(),
    )
    return { id, username, password: `${username}-Passw0rd` }
  }

  /** Sends the password with the form. @returns the headers of the browser, and where it was sent */
  async function sendPassword(username: string, password: string, next = '') {
    const page = await inject('GET', '/login/')
    const response = await server.app.http.inject({
      method: 'POST',
      url: `/login/${next}`,
      headers: { cookie: cookieOf(page), 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username, password, csrf_token: await csrf(page) }).toString(),
    })
    const cookie = cookieOf(response)
    const again = await inject('GET', '/login/', { cookie })
    const token =
      again.statusCode === 200
        ? await csrf(again)
        : (await inject('GET', '/api/v1/security/csrf_token/', { cookie })).json<{ result: string }>().result
    return {
      headers: { cookie, 'x-csrftoken': token },
      location: response.headers.location,
      step: again.statusCode === 200 ? bootOf(again).common.second_factor : undefined,
    }
  }
  const secondStep = (headers: Headers, code: string) =>
    inject('POST', '/api/v1/security/second_step', headers, { code })
  const me = async (headers: Headers) => (await inject('GET', '/api/v1/me/', headers)).statusCode
  const stateOf = async (headers: Headers) => (await inject('GET', path, headers)).json<{ result: object }>().result

  /** A user with a second factor, signed in. */
  async function createUserWithFactor() {
    const user = await createUser()
    const { headers } = await sendPassword(user.username, user.password)
    const begun = await inject('POST', path, headers, { current_password: user.password })
    const { secret, uri } = begun.json<{ result: { secret: string; uri: string } }>().result
    const confirmed = await inject('PUT', path, headers, { code: codeOf(secret) })
    const { recovery_codes } = confirmed.json<{ result: { recovery_codes: string[] } }>().result
    return { ...user, headers, secret, uri, recovery_codes }
  }

  it('is set up with the password and a first code; the secret is encrypted and recovery codes are shown once', async () => {
    const user = await createUser()
    const { headers } = await sendPassword(user.username, user.password)
    expect(await stateOf(headers)).toEqual({
      active: false,
      confirmed_on: null,
      recovery_codes_left: 0,
      required: false,
    })
    expect((await inject('POST', path, headers, { current_password: 'wrong' })).json()).toEqual({
      message: { current_password: ['The current password is incorrect.'] },
    })
    const { secret, uri } = (await inject('POST', path, headers, { current_password: user.password })).json<{
      result: { secret: string; uri: string }
    }>().result
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(
      `otpauth://totp/Parquetry:${user.username}?issuer=Parquetry&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(await stateOf(headers)).toMatchObject({ active: false })
    expect((await inject('PUT', path, headers, { code: '000000' })).statusCode).toBe(422)
    const { recovery_codes } = (await inject('PUT', path, headers, { code: codeOf(secret) })).json<{
      result: { recovery_codes: string[] }
    }>().result
    expect(recovery_codes).toHaveLength(10)
    for (const code of recovery_codes) expect(code).toMatch(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/)
    expect(await stateOf(headers)).toMatchObject({ active: true, recovery_codes_left: 10 })
    const { db, keys } = server.deps
    for (const table of ['second_factor', 'recovery_code', 'log', 'version'] as const) {
      const stored = JSON.stringify(await db.selectFrom(table).selectAll().execute())
      for (const text of [secret, ...recovery_codes]) expect(stored).not.toContain(text)
    }
    expect([await canDecryptSecrets(db, keys), await canDecryptSecrets(db, temporaryKeys())]).toEqual([true, false])
    expect((await inject('POST', path, headers, { current_password: user.password })).statusCode).toBe(422)
  })

  it('is asked for after the password, and gives no access before', async () => {
    const { username, password, secret } = await createUserWithFactor()
    time += minute
    const { headers, location, step } = await sendPassword(username, password, '?next=/chart/list/')
    expect([location, step]).toEqual(['/login/?next=/chart/list/', { step: 'code' }])
    expect(await me(headers)).toBe(401)
    for (const [method, url] of [
      ['GET', '/api/v1/chart/'],
      ['GET', path],
      ['DELETE', '/api/v1/me/sessions/'],
    ] as const)
      expect([url, (await inject(method, url, headers)).statusCode]).toEqual([url, 401])
    expect((await secondStep(headers, '123')).statusCode).toBe(422)
    const done = await secondStep(headers, ` ${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)} `)
    expect([done.statusCode, done.json()]).toEqual([200, { signed_in: true }])
    expect(cookieOf(done)).not.toBe(headers.cookie)
    expect(await me({ cookie: cookieOf(done) })).toBe(200)
    expect(await me(headers)).toBe(401)
    expect((await secondStep(headers, codeOf(secret))).statusCode).toBe(401)
  })

  it('refuses a code that was used, old codes, and a step that took too long', async () => {
    const { username, password, secret } = await createUserWithFactor()
    const [first, second] = [await sendPassword(username, password), await sendPassword(username, password)]
    expect((await secondStep(first.headers, codeOf(secret))).statusCode).toBe(422)
    time += minute
    expect((await secondStep(first.headers, codeOf(secret, time - minute))).statusCode).toBe(422)
    expect((await secondStep(first.headers, codeOf(secret))).statusCode).toBe(200)
    expect((await secondStep(second.headers, codeOf(secret))).statusCode).toBe(422)
    time += 15 * minute
    expect((await secondStep(second.headers, codeOf(secret))).statusCode).toBe(401)
  })

  it('accepts each recovery code once, and new ones replace them', async () => {
    const { username, password, recovery_codes, headers } = await createUserWithFactor()
    const [code = '', unused = ''] = recovery_codes
    const attempt = async (sent: string) =>
      (await secondStep((await sendPassword(username, password)).headers, sent)).statusCode
    expect(await attempt(code.toUpperCase())).toBe(200)
    expect(await attempt(code)).toBe(422)
    expect(await stateOf(headers)).toMatchObject({ recovery_codes_left: 9 })
    const renewed = await inject('POST', `${path}recovery_codes`, headers, { current_password: password })
    const [fresh = ''] = renewed.json<{ result: { recovery_codes: string[] } }>().result.recovery_codes
    expect(await attempt(unused)).toBe(422)
    expect(await attempt(fresh)).toBe(200)
  })

  it('limits guessing per account from any address; correct passwords do not clear the count', async () => {
    const { username, password, secret } = await createUserWithFactor()
    const statuses: number[] = []
    for (let at = 0; at < 12; at++)
      statuses.push((await secondStep((await sendPassword(username, password)).headers, '000000')).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429, 429])
    const other = await createUserWithFactor()
    const step = await sendPassword(other.username, other.password)
    expect((await secondStep(step.headers, other.recovery_codes[0] ?? '')).statusCode).toBe(200)
    time += 6 * minute
    expect((await secondStep((await sendPassword(username, password)).headers, codeOf(secret))).statusCode).toBe(200)
  })

  it('is required for tokens as well: the call names the field, and API keys go on working', async () => {
    const { username, password, secret, headers } = await createUserWithFactor()
    const login = (code?: string) =>
      inject('POST', '/api/v1/security/login', {}, { username, password, provider: 'db', ...(code && { code }) })
    const refused = await login()
    expect(refused.statusCode).toBe(401)
    expect(refused.json<{ message: string }>().message).toContain('Send its current code in the field "code"')
    expect((await login('000000')).statusCode).toBe(401)
    time += minute
    const accepted = await login(codeOf(secret))
    expect(accepted.statusCode).toBe(200)
    expect((await login(codeOf(secret))).statusCode).toBe(401)
    const made = await inject('POST', '/api/v1/security/api_keys/', headers, { name: 'k' })
    const key = { authorization: `Bearer ${made.json<{ result: { key: string } }>().result.key}` }
    expect(await me(key)).toBe(200)
    for (const [method, url, body] of [
      ['POST', path, { current_password: password }],
      ['PUT', path, { code: codeOf(secret) }],
      ['POST', `${path}disable`, { current_password: password }],
      ['POST', `${path}recovery_codes`, { current_password: password }],
    ] as const)
      expect([url, (await inject(method, url, key, body)).statusCode]).toEqual([url, 403])
  })

  it('can be required for a role: its users set one up at their next sign-in before anything else', async () => {
    const { db, now } = server.deps
    const role = await db
      .insertInto('role')
      .values({
        uuid: crypto.randomUUID(),
        name: 'Careful',
        created_on: '',
        changed_on: '',
        created_by_fk: null,
        changed_by_fk: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const url = `/api/v1/security/roles/${role.id}/second_factor/`
    await addUser(db, { username: 'careful', password: 'careful-1', roles: ['Careful', 'Gamma'] }, now())
    const before = await sendPassword('careful', 'careful-1')
    expect((await server.as('alpha').put(url, { required: true })).statusCode).toBe(403)
    expect(
      (await server.as('admin').put('/api/v1/security/roles/99999/second_factor/', { required: true })).statusCode,
    ).toBe(404)
    expect((await server.as('admin').put(url, { required: true })).json()).toEqual({ result: { required: true } })
    expect((await server.as('admin').get(url)).json()).toEqual({ result: { required: true } })
    expect(await me(before.headers)).toBe(200)
    expect(await stateOf(before.headers)).toMatchObject({ active: false, required: true })
    const login = await inject(
      'POST',
      '/api/v1/security/login',
      {},
      { username: 'careful', password: 'careful-1', provider: 'db' },
    )
    expect([login.statusCode, login.json<{ message: string }>().message]).toEqual([
      401,
      'This account must have a second factor. Sign in with a browser to set it up.',
    ])
    const { headers, step } = await sendPassword('careful', 'careful-1')
    expect(step).toMatchObject({ step: 'set-up', secret: expect.any(String) })
    expect(bootOf(await inject('GET', '/login/', headers)).common.second_factor).toEqual(step)
    expect(await me(headers)).toBe(401)
    const done = await secondStep(headers, codeOf(step?.secret ?? ''))
    expect(done.json<{ recovery_codes: string[] }>().recovery_codes).toHaveLength(10)
    const session = { cookie: cookieOf(done), 'x-csrftoken': headers['x-csrftoken'] }
    expect(await me(session)).toBe(200)
    expect((await inject('POST', `${path}disable`, session, { current_password: 'careful-1' })).statusCode).toBe(422)
    expect((await sendPassword('careful', 'careful-1')).step).toEqual({ step: 'code' })
  })

  it('is removed by its user with the password, and reset by administrators', async () => {
    const one = await createUserWithFactor()
    expect((await inject('POST', `${path}disable`, one.headers, { current_password: 'x' })).statusCode).toBe(422)
    expect((await inject('POST', `${path}disable`, one.headers, { current_password: one.password })).statusCode).toBe(
      200,
    )
    expect((await sendPassword(one.username, one.password)).step).toBeUndefined()
    const two = await createUserWithFactor()
    const url = `/api/v1/security/users/${two.id}/second_factor/`
    expect((await server.as('admin').get(url)).json()).toMatchObject({
      result: { active: true, recovery_codes_left: 10 },
    })
    expect([(await server.as('alpha').get(url)).statusCode, (await server.as('alpha').delete(url)).statusCode]).toEqual(
      [403, 403],
    )
    expect(
      (await inject('DELETE', `/api/v1/security/users/${await idOf('admin')}/second_factor/`, two.headers)).statusCode,
    ).toBe(403)
    expect((await server.as('admin').delete(url)).statusCode).toBe(200)
    expect((await server.as('admin').delete(url)).statusCode).toBe(404)
    expect((await sendPassword(two.username, two.password)).step).toBeUndefined()
  })

  it('is asked for after a link for a new password, too', async () => {
    const user = await createUserWithFactor()
    const made = await server.as('admin').post(`/api/v1/security/users/${user.id}/reset_links/`, {})
    const link = new URL(made.json<{ result: { link: string } }>().result.link).pathname
    const page = await inject('GET', link)
    const response = await server.app.http.inject({
      method: 'POST',
      url: link,
      headers: { cookie: cookieOf(page), 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ password: 'another-Passw0rd', csrf_token: await csrf(page) }).toString(),
    })
    expect(response.headers.location).toBe('/login/')
    const headers = { cookie: cookieOf(response) }
    expect(await me(headers)).toBe(401)
    expect(bootOf(await inject('GET', '/login/', headers)).common.second_factor).toEqual({ step: 'code' })
  })
})
