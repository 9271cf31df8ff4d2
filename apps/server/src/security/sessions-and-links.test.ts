import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { addUser } from './users.ts'

interface Session {
  id: string
  kind: string
  user_agent: string | null
  is_current: boolean
}

const hour = 3_600_000

describe.each(testStores)('accounts on %s', (_name, store) => {
  let server: TestServer
  let time = Date.UTC(2026, 0, 31, 10)
  beforeAll(async () => {
    server = await startTestServer({ store, now: () => new Date(time) })
  })
  afterAll(() => server.close())

  const inject = (method: string, url: string, headers: Record<string, string> = {}, payload?: object) =>
    server.app.http.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
  const cookieOf = (response: { headers: Record<string, unknown> }) =>
    String(response.headers['set-cookie']).split(';')[0] ?? ''
  const userId = async (username: string): Promise<number> =>
    (await server.deps.db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id
  const roleId = async (name: string): Promise<number> =>
    (await server.deps.db.selectFrom('role').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id

  /** A page for visitors with its cookie and CSRF token. */
  async function openPage(url: string) {
    const page = await inject('GET', url)
    return {
      status: page.statusCode,
      location: page.headers.location,
      body: page.body,
      headers: {
        cookie: cookieOf(page),
        'x-csrftoken': /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.body)?.[1] ?? '',
      },
    }
  }
  /** Signs in with the form of the page. @returns the headers of the session */
  async function signIn(username: string, password: string, agent: string) {
    const { headers } = await openPage('/login/')
    const response = await server.app.http.inject({
      method: 'POST',
      url: '/login/',
      headers: { cookie: headers.cookie, 'user-agent': agent, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username, password, csrf_token: headers['x-csrftoken'] }).toString(),
    })
    const cookie = cookieOf(response)
    const token = await inject('GET', '/api/v1/security/csrf_token/', { cookie })
    return { cookie, 'x-csrftoken': token.json<{ result: string }>().result }
  }
  const me = async (headers: Record<string, string>) => (await inject('GET', '/api/v1/me/', headers)).statusCode
  const sessionsOf = async (headers: Record<string, string>) =>
    (await inject('GET', '/api/v1/me/sessions/', headers)).json<{ result: Session[] }>().result
  const actions = async (action: string) => {
    const rows = await server.deps.db.selectFrom('log').selectAll().where('action', '=', action).execute()
    return rows.map(({ user_id, json }) => [user_id, JSON.parse(json ?? 'null') as unknown])
  }

  describe('sessions', () => {
    it('are listed with device and time, and end one by one from the next call on', async () => {
      const { db, now } = server.deps
      const id = await addUser(db, { username: 'sam', password: 'sam-Passw0rd', roles: ['Gamma'] }, now())
      const [laptop, phone] = [
        await signIn('sam', 'sam-Passw0rd', 'Laptop/1.0'),
        await signIn('sam', 'sam-Passw0rd', 'Phone/2.0'),
      ]
      const login = await inject(
        'POST',
        '/api/v1/security/login',
        { 'user-agent': 'script' },
        { username: 'sam', password: 'sam-Passw0rd', provider: 'db' },
      )
      const script = { authorization: `Bearer ${login.json<{ access_token: string }>().access_token}` }
      const listed = await sessionsOf(laptop)
      expect(
        listed
          .map((each) => [each.user_agent, each.kind, each.is_current])
          .toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
      ).toEqual([
        ['Laptop/1.0', 'browser', true],
        ['Phone/2.0', 'browser', false],
        ['script', 'api', false],
      ])
      expect(listed[0]).toMatchObject({
        created_on: '2026-01-31T10:00:00.000',
        last_seen_on: '2026-01-31T10:00:00.000',
        expires_on: '2026-02-07T10:00:00.000',
      })
      const find = (agent: string) => listed.find(({ user_agent }) => user_agent === agent)!.id
      const end = (session: string, headers: Record<string, string>) =>
        inject('DELETE', `/api/v1/me/sessions/${session}`, headers)
      expect([await me(phone), await me(script)]).toEqual([200, 200])
      expect((await end(find('Phone/2.0'), laptop)).json()).toEqual({ message: 'OK', count: 1 })
      expect([await me(phone), await me(script), await me(laptop)]).toEqual([401, 200, 200])
      expect((await end(find('script'), laptop)).statusCode).toBe(200)
      expect(await me(script)).toBe(401)
      expect((await end(find('script'), laptop)).statusCode).toBe(404)
      expect(await actions('session.end')).toContainEqual([id, { user: id, count: 1 }])
    })

    it('of other users do not exist for a user, and no API key ends or lists them', async () => {
      const own = await signIn('gamma', 'gamma', 'a')
      const foreign = await signIn('alpha', 'alpha', 'b')
      const [session] = await sessionsOf(foreign)
      expect((await inject('DELETE', `/api/v1/me/sessions/${session?.id}`, own)).statusCode).toBe(404)
      const url = `/api/v1/security/users/${await userId('alpha')}/sessions/`
      for (const path of [url, `${url}${session?.id}`]) expect((await inject('DELETE', path, own)).statusCode).toBe(403)
      expect((await inject('GET', url, own)).statusCode).toBe(403)
      expect(await me(foreign)).toBe(200)
      const made = await inject('POST', '/api/v1/security/api_keys/', own, { name: 'k' })
      const key = { authorization: `Bearer ${made.json<{ result: { key: string } }>().result.key}` }
      for (const method of ['GET', 'DELETE'])
        expect((await inject(method, '/api/v1/me/sessions/', key)).statusCode).toBe(403)
    })

    it('end everywhere else at once, and the current one stays', async () => {
      const here = await signIn('gamma', 'gamma', 'here')
      const there = await signIn('gamma', 'gamma', 'there')
      const ended = await inject('DELETE', '/api/v1/me/sessions/', here)
      expect(ended.json<{ count: number }>().count).toBeGreaterThan(0)
      expect([await me(here), await me(there)]).toEqual([200, 401])
      expect(await sessionsOf(here)).toMatchObject([{ user_agent: 'here', is_current: true }])
      const withoutToken = await inject('DELETE', '/api/v1/me/sessions/', { cookie: here.cookie })
      expect(withoutToken.statusCode).toBe(400)
    })

    it('are listed and ended by administrators, but not those of administrators by others', async () => {
      const theirs = await signIn('sqllab', 'sqllab', 'theirs')
      const id = await userId('sqllab')
      const url = `/api/v1/security/users/${id}/sessions/`
      const { result } = (await server.as('admin').get(url)).json<{ result: Session[] }>()
      expect(result).toMatchObject([{ user_agent: 'theirs', is_current: false }])
      expect((await server.as('admin').delete(`${url}${result[0]?.id}`)).statusCode).toBe(200)
      expect(await me(theirs)).toBe(401)
      const again = await signIn('sqllab', 'sqllab', 'again')
      expect((await server.as('admin').delete(url)).json()).toEqual({ message: 'OK', count: 1 })
      expect(await me(again)).toBe(401)
      expect((await server.as('admin').delete('/api/v1/security/users/99999/sessions/')).statusCode).toBe(404)
      await withUserManager(async (manager) => {
        const ofAdmin = `/api/v1/security/users/${await userId('admin')}/sessions/`
        expect((await inject('DELETE', ofAdmin, manager)).statusCode).toBe(403)
        expect((await inject('DELETE', url, manager)).statusCode).toBe(200)
      })
    })
  })

  it('invite and reset nobody by links of administrators who are none any more', async () => {
    const { db, now } = server.deps
    const leaver = await addUser(db, { username: 'leaver', password: 'leaver-pass-1', roles: ['Admin'] }, now())
    const headers = await signIn('leaver', 'leaver-pass-1', 'l')
    const linkOf = async (url: string, body: object) => {
      const { result } = (await inject('POST', url, headers, body)).json<{ result: { link: string } }>()
      return new URL(result.link).pathname
    }
    const invitations = '/api/v1/security/invitations/'
    const paths = [
      await linkOf(invitations, { roles: [await roleId('Admin')] }),
      await linkOf(`/api/v1/security/users/${await userId('admin')}/reset_links/`, {}),
    ]
    const open = () => Promise.all(paths.map(async (path) => (await openPage(path)).status))
    expect(await open()).toEqual([200, 200])
    const admin = server.as('admin')
    const user = `/api/v1/security/users/${leaver}`
    await admin.put(user, { roles: [await roleId('Alpha')] })
    expect(await open()).toEqual([302, 302])
    const { headers: visitor } = await openPage('/login/')
    const [, , token] = (paths[0] ?? '').split('/')
    const person = { token, username: 'back', first_name: '', last_name: '', email: '', password: 'back-Passw0rd' }
    expect((await inject('POST', `${invitations}accept`, visitor, person)).statusCode).toBe(404)
    expect((await admin.get(invitations)).json()).toEqual({ result: [] })
    await admin.put(user, { roles: [await roleId('Admin')] })
    expect(await open()).toEqual([200, 200])
    await admin.put(user, { active: false })
    expect(await open()).toEqual([302, 302])
    await db.deleteFrom('user').where('id', '=', leaver).execute()
    await db.deleteFrom('invitation').execute()
    await db.deleteFrom('one_time_link').execute()
  })

  /** Runs with a user who manages accounts but is not an administrator. */
  async function withUserManager(run: (headers: Record<string, string>) => Promise<void>) {
    const { db, now } = server.deps
    const { id: role_id } = await db
      .insertInto('role')
      .values({
        uuid: crypto.randomUUID(),
        name: 'Managers',
        created_on: '',
        changed_on: '',
        created_by_fk: null,
        changed_by_fk: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const pairs = await db.selectFrom('permission').select('id').where('view', '=', 'User').execute()
    await db
      .insertInto('role_permission')
      .values(pairs.map(({ id }) => ({ role_id, permission_id: id })))
      .execute()
    await addUser(db, { username: 'manager', password: 'manager-1', roles: ['Managers'] }, now())
    try {
      await run(await signIn('manager', 'manager-1', 'm'))
    } finally {
      await db.deleteFrom('user').where('username', '=', 'manager').execute()
      await db.deleteFrom('role').where('id', '=', role_id).execute()
    }
  }

  describe('invitations', () => {
    const url = '/api/v1/security/invitations/'
    const invite = async (body: object = {}) => {
      const response = await server.as('admin').post(url, { roles: [await roleId('Gamma')], ...body })
      const { result } = response.json<{ result: { uuid: string; link: string } }>()
      return { status: response.statusCode, ...result, path: new URL(result.link).pathname }
    }
    const accept = async (path: string, body: object = {}) => {
      const { headers } = await openPage('/login/')
      const sent = {
        token: path.split('/')[2],
        username: 'nia',
        password: 'nia-Passw0rd',
        first_name: 'Nia',
        last_name: 'Long',
        email: 'nia@example.com',
        ...body,
      }
      return inject('POST', `${url}accept`, headers, sent)
    }

    it('are shown once and listed; the person chooses a name and password and is signed in with the roles', async () => {
      const { db } = server.deps
      const group = await db
        .insertInto('user_group')
        .values({
          uuid: crypto.randomUUID(),
          name: 'North',
          label: null,
          description: null,
          created_on: '',
          changed_on: '',
          created_by_fk: null,
          changed_by_fk: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { status, path, uuid } = await invite({
        groups: [group.id],
        email: ' nia@example.com ',
        expires_in_hours: 2,
      })
      expect(status).toBe(201)
      const listed = (await server.as('admin').get(url)).json<{ result: object[] }>().result
      expect(listed).toMatchObject([
        {
          uuid,
          username: null,
          email: 'nia@example.com',
          roles: [{ name: 'Gamma' }],
          groups: [{ name: 'North' }],
          created_by: { id: await userId('admin') },
          expires_on: '2026-01-31T12:00:00.000',
        },
      ])
      const token = path.split('/')[2] ?? ''
      const tables = ['invitation', 'version', 'log'] as const
      for (const table of tables)
        expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toContain(token)
      const page = await openPage(path)
      expect([page.status, page.body.includes('nia@example.com')]).toEqual([200, true])
      const response = await accept(path)
      expect([response.statusCode, response.json()]).toEqual([200, { signed_in: true }])
      const session = { cookie: cookieOf(response) }
      expect((await inject('GET', '/api/v1/me/', session)).json()).toMatchObject({
        result: { username: 'nia', first_name: 'Nia', email: 'nia@example.com' },
      })
      const roles = (await inject('GET', '/api/v1/me/roles/', session)).json<{ result: { roles: object } }>()
      expect(Object.keys(roles.result.roles)).toEqual(['Gamma'])
      expect(await db.selectFrom('user_group_member').selectAll().where('group_id', '=', group.id).execute()).toEqual([
        { group_id: group.id, user_id: await userId('nia') },
      ])
      expect(await actions('invitation.accept')).toEqual([[await userId('nia'), { user: await userId('nia') }]])
      expect((await server.as('admin').get(url)).json()).toEqual({ result: [] })
    })

    it('are refused alike when they were accepted, revoked, have expired or never existed', async () => {
      const [used, revoked, expired] = [await invite(), await invite(), await invite({ expires_in_hours: 1 })]
      expect((await accept(used.path, { username: 'once', email: '' })).statusCode).toBe(200)
      expect((await server.as('admin').delete(url + revoked.uuid)).statusCode).toBe(200)
      expect((await server.as('admin').delete(url + revoked.uuid)).statusCode).toBe(404)
      time += hour
      const answers = []
      for (const path of [used.path, revoked.path, expired.path, '/invitation/unknown/']) {
        const page = await openPage(path)
        expect([path, page.status, page.location]).toEqual([path, 302, '/login/'])
        const response = await accept(path, { username: 'twice', email: '' })
        answers.push(`${response.statusCode} ${response.body}`)
      }
      time -= hour
      expect([...new Set(answers)]).toEqual([
        `404 ${JSON.stringify({ message: 'This link was already used or has expired. Ask an administrator for a new one.' })}`,
      ])
    })

    it('stay valid when what the person enters is refused, with a message for each field', async () => {
      const { path } = await invite()
      const refused = async (body: object) => {
        const response = await accept(path, { username: 'kim', email: 'kim@example.com', ...body })
        return [response.statusCode, response.json<{ message: object }>().message]
      }
      expect(await refused({ username: 'ADMIN', email: 'NIA@example.com' })).toEqual([
        422,
        { username: ['A user named ADMIN already exists.'], email: ['Another user has this email address.'] },
      ])
      expect(await refused({ email: 'kim' })).toMatchObject([422, { email: [expect.any(String)] }])
      expect(await refused({ password: 'short' })).toMatchObject([422, { password: [expect.any(String)] }])
      expect(await refused({ password: 'kimberley', username: 'Kimberley' })).toMatchObject([
        422,
        { password: [expect.any(String)] },
      ])
      expect(await refused({ roles: [1] })).toEqual([400, { roles: ['Unknown field.'] }])
      expect((await accept(path, { username: 'kim', email: '' })).statusCode).toBe(200)
    })

    it('with a username cannot be accepted with another one', async () => {
      const { path } = await invite({ username: 'lee', first_name: 'Lee' })
      const session = { cookie: cookieOf(await accept(path, { username: 'root', email: '' })) }
      expect((await inject('GET', '/api/v1/me/', session)).json()).toMatchObject({ result: { username: 'lee' } })
    })

    it('need a known role or group and free names, and nothing is stored otherwise', async () => {
      const attempt = async (body: object) => {
        const response = await server.as('admin').post(url, body)
        return [response.statusCode, Object.keys(response.json<{ message: object }>().message)]
      }
      const roles = [await roleId('Gamma')]
      const before = (await server.as('admin').get(url)).json<object>()
      expect(await attempt({})).toEqual([400, ['roles']])
      expect(await attempt({ roles: [999_999] })).toEqual([400, ['roles']])
      expect(await attempt({ roles, groups: [999_999] })).toEqual([400, ['groups']])
      expect(await attempt({ roles, username: 'admin' })).toEqual([422, ['username']])
      expect(await attempt({ roles, username: ' a\n', email: 'x' })).toEqual([422, ['email']])
      expect(await attempt({ roles, expires_in_hours: 0 })).toEqual([400, ['expires_in_hours']])
      expect((await server.as('admin').get(url)).json()).toEqual(before)
      expect((await server.as('alpha').post(url, { roles })).statusCode).toBe(403)
      expect((await server.as('alpha').get(url)).statusCode).toBe(403)
    })

    it('of administrators are made by administrators only', async () => {
      await withUserManager(async (manager) => {
        const send = async (name: string) =>
          (await inject('POST', url, manager, { roles: [await roleId(name)] })).statusCode
        expect([await send('Admin'), await send('Gamma')]).toEqual([403, 201])
      })
    })

    it('need the CSRF token of the page', async () => {
      const { path } = await invite()
      const response = await inject('POST', `${url}accept`, {}, { token: path.split('/')[2] })
      expect(response.statusCode).toBe(400)
      expect(response.body).toContain('CSRF')
    })
  })

  describe('reset links', () => {
    const urlOf = async (username: string) => `/api/v1/security/users/${await userId(username)}/reset_links/`
    const create = async (username: string) => {
      const response = await server.as('admin').post(await urlOf(username), { expires_in_hours: 1 })
      const { result } = response.json<{ result: { uuid: string; link: string } }>()
      return { status: response.statusCode, ...result, path: new URL(result.link).pathname }
    }

    it('are shown once, listed and revoked; a newer one replaces them', async () => {
      const first = await create('alpha')
      const second = await create('alpha')
      expect([first.status, second.status]).toEqual([201, 201])
      expect((await openPage(first.path)).location).toBe('/login/')
      expect((await openPage(second.path)).status).toBe(200)
      const url = await urlOf('alpha')
      const listed = (await server.as('admin').get(url)).json<{ result: object[] }>().result
      expect(listed).toEqual([
        {
          uuid: second.uuid,
          created_on: '2026-01-31T10:00:00.000',
          created_by: expect.objectContaining({ id: await userId('admin') }) as object,
          expires_on: '2026-01-31T11:00:00.000',
        },
      ])
      expect((await server.as('admin').delete(url + second.uuid)).statusCode).toBe(200)
      expect((await openPage(second.path)).location).toBe('/login/')
      expect((await server.as('admin').delete(url + second.uuid)).statusCode).toBe(404)
    })

    it('expire, and are refused to other users, API keys and for deactivated accounts', async () => {
      const { path } = await create('gamma')
      time += hour
      expect((await openPage(path)).location).toBe('/login/')
      time -= hour
      const url = await urlOf('gamma')
      expect((await server.as('alpha').post(url, {})).statusCode).toBe(403)
      expect((await server.as('admin').post('/api/v1/security/users/99999/reset_links/', {})).statusCode).toBe(404)
      const made = await server.as('admin').post('/api/v1/security/api_keys/', { name: 'k' })
      const key = { authorization: `Bearer ${made.json<{ result: { key: string } }>().result.key}` }
      expect((await inject('POST', url, key, {})).statusCode).toBe(403)
      await withUserManager(async (manager) => {
        expect((await inject('POST', await urlOf('admin'), manager, {})).statusCode).toBe(403)
        expect((await inject('POST', url, manager, {})).statusCode).toBe(201)
      })
      await server.deps.db.updateTable('user').set({ active: 0 }).where('username', '=', 'nia').execute()
      expect((await server.as('admin').post(await urlOf('nia'), {})).statusCode).toBe(422)
    })
  })
})
