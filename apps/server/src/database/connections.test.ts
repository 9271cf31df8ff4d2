import { readArchive, writeArchive } from '@parquetry/bundle'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPasswordProxy, type PasswordProxy } from '@parquetry/testing/password-proxy'
import { testCertificate } from '@parquetry/testing/test-certificate'
import { startSshServer, type TestSshServer } from '@parquetry/testing/ssh-server'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createRunners } from '../runners/create-runners.ts'
import { until } from '../runners/testing.ts'
import type { Runners } from '../runners/runners.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { readStoredConnection } from '../connection/source.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const password = 'a very s3cret word'
const mask = 'XXXXXXXXXX'

type Answer = { id: number; result: Record<string, unknown>; message: unknown; errors: { message: string }[] }

describe.skipIf(!url)('connections', () => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-connections-'))
  const real = new URL(url!)
  const target = { host: real.hostname, port: Number(real.port) }
  let runners: Runners
  let server: TestServer
  let ssh: TestSshServer
  let proxy: PasswordProxy

  beforeAll(async () => {
    runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 128, spillFolder: join(home, 'spill') })
    server = await startTestServer({ runners })
    server.deps.settings.flags['SSH_TUNNELING'] = true
    ssh = await startSshServer()
    proxy = await startPasswordProxy(target, password)
  })
  afterAll(async () => {
    await server.close()
    await runners.close(0)
    await ssh.close()
    await proxy.close()
    rmSync(home, { recursive: true, force: true })
  })

  const fields = (own: object = {}) => ({
    host: '127.0.0.1',
    port: proxy.port,
    database: real.pathname.slice(1),
    username: real.username,
    password,
    ...own,
  })
  const byFields = (database_name: string, own: object = {}, more: object = {}) => ({
    database_name,
    engine: 'postgresql',
    configuration_method: 'dynamic_form',
    parameters: fields(own),
    ...more,
  })
  const tunnel = (own: object = {}) => ({
    server_address: '127.0.0.1',
    server_port: ssh.port,
    username: 'jump',
    password: 'jump',
    ...own,
  })
  const uri = (secret = encodeURIComponent(password)) =>
    `postgresql://${real.username}:${secret}@127.0.0.1:${proxy.port}${real.pathname}`
  const send = async (method: 'post' | 'put' | 'get' | 'delete', path: string, body?: object) => {
    const response = await server.as('admin')[method](`/api/v1/database/${path}`, body)
    return { status: response.statusCode, text: response.body, body: response.json<Answer>() }
  }
  async function add(body: object): Promise<number> {
    const made = await send('post', '', body)
    expect(made.status, made.text).toBe(201)
    return made.body.id
  }
  async function bringBundle(zip: Buffer, fields: Record<string, object | boolean>) {
    const form = new FormData()
    form.set('formData', new Blob([new Uint8Array(zip)]), 'bundle.zip')
    for (const [name, value] of Object.entries(fields)) form.set(name, JSON.stringify(value))
    const request = new Request('http://x', { method: 'POST', body: form })
    return server.as('admin').send('POST', '/api/v1/database/import/', {
      payload: Buffer.from(await request.arrayBuffer()),
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
    })
  }
  const test = (body: object) => send('post', 'test_connection/', body)
  const rowOf = (id: number) =>
    server.deps.db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const storedPassword = async (id: number) => readStoredConnection(server.deps, await rowOf(id)).settings['password']

  it('API-094: a test reports success and the duration of each step', async () => {
    const { status, body } = await test(byFields('api-094'))
    expect(status).toBe(200)
    const ms = expect.any(Number) as number
    expect(body).toEqual({
      message: 'OK',
      parquetry: {
        steps: [
          { step: 'reach', ms },
          { step: 'sign_in', ms },
          { step: 'schemas', ms },
        ],
        schemas: expect.any(Number) as number,
        warnings: [
          {
            power: 'superuser',
            message: 'The account is a superuser: it can do anything on the server. A read-only account is enough.',
          },
        ],
        host_key: null,
      },
    })
  })

  it('regression: a saved connection reports that its account can do more than read', async () => {
    const q = (id: number) => `?q=(columns:!(last_test),filters:!((col:id,opr:eq,value:${id})))`
    const saved = await add(byFields('more than reading'))
    const [row] = (await send('get', q(saved))).body.result as unknown as { last_test: object }[]
    expect(row?.last_test).toMatchObject({ ok: true, powers: ['superuser'] })

    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const reader = `reader_${process.pid}`
    await client.query(`CREATE ROLE ${reader} LOGIN PASSWORD 'x'`)
    try {
      const { body } = await test(byFields('reader', { ...target, username: reader, password: 'x' }))
      const { warnings } = (body as unknown as { parquetry: { warnings: { power: string }[] } }).parquetry
      expect(warnings.map(({ power }) => power)).not.toContain('superuser')
      expect(warnings.map(({ power }) => power)).not.toContain('files')
    } finally {
      await client.query(`DROP ROLE ${reader}`)
      await client.end()
    }
  })

  it('API-094: a request without the trailing slash keeps its method and body', async () => {
    const response = await server.as('admin').post('/api/v1/database/test_connection', byFields('api-094'))
    if (response.statusCode === 308)
      expect(response.headers['location']).toMatch(/\/api\/v1\/database\/test_connection\/$/)
    else expect(response.json<Answer>().message).toBe('OK')
  })

  it('tests connections for clients older than /api/v1', async () => {
    const testconn = async (body: object, user: 'admin' | 'alpha' = 'admin') => {
      const response = await server.as(user).post('/superset/testconn', body)
      return [response.statusCode, response.json<unknown>()]
    }
    expect(await testconn({ uri: uri(), name: '', impersonate_user: false, extra: '{}' })).toEqual([200, 'OK'])
    // The masked password needs a stored database of this name.
    expect((await testconn({ uri: uri(mask), name: 'testconn' }))[0]).toBe(422)
    await add({ database_name: 'testconn', sqlalchemy_uri: uri() })
    expect(await testconn({ uri: uri(mask), name: 'testconn' })).toEqual([200, 'OK'])
    const elsewhere = `postgresql://someone:${mask}@127.0.0.1:${proxy.port}${real.pathname}`
    expect((await testconn({ uri: elsewhere, name: 'testconn' }))[0]).toBe(422)
    expect((await testconn({ uri: uri('wrong') }))[0]).toBe(422)
    expect((await testconn({ uri: uri() }, 'alpha'))[0]).toBe(403)
  })

  it('reports the failing step with the message of the server', async () => {
    const { status, body } = await test(byFields('wrong', { password: 'wrong' }))
    expect(status).toBe(422)
    expect(body.errors).toEqual([
      expect.objectContaining({
        error_type: 'CONNECTION_INVALID_PASSWORD_ERROR',
        message: `password authentication failed for user "${real.username}"`,
        extra: expect.objectContaining({
          invalid: ['username', 'password'],
          parquetry: { step: 'sign_in', steps: [{ step: 'reach', ms: expect.any(Number) as number }] },
        }) as object,
      }),
    ])
  })

  describe('a test does not reveal what responds on a port', () => {
    const sockets = new Set<Socket>()
    /** Time of the first connection to each port, so that the start-up time of the runner process is not counted. */
    const cameAt = new Map<number, number>()
    const servers: Server[] = []
    async function listen(answer: (socket: Socket) => void): Promise<number> {
      const made = createServer((socket) => {
        sockets.add(socket)
        if (!cameAt.has(port)) cameAt.set(port, performance.now())
        socket.on('close', () => sockets.delete(socket))
        socket.on('error', () => {})
        socket.resume() // otherwise its end would not be noticed
        answer(socket)
      })
      servers.push(made)
      await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
      const { port } = made.address() as AddressInfo
      return port
    }
    afterAll(() => {
      for (const socket of sockets) socket.destroy()
      for (const made of servers) made.close()
    })
    const half = Buffer.concat([Buffer.from('R'), Buffer.from([0, 0, 0, 200, 0])])
    const odd: Record<string, (socket: Socket) => void> = {
      'closes at once': (socket) => socket.destroy(),
      'resets at once': (socket) => socket.resetAndDestroy(),
      'is a web server': (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'answers with garbage': (socket) => socket.write(Buffer.alloc(5000, 0xee)),
      'closes in the middle of an answer': (socket) => socket.once('data', () => socket.end(half)),
      'never answers': () => {},
      'sends half an answer and waits': (socket) => socket.once('data', () => socket.write(half)),
    }
    it('regression: error and step match those of a closed port, within ten seconds, and no session stays open', async () => {
      const closed = await test(byFields('closed', { port: 1 }))
      const sentence = closed.body.errors[0]?.message
      const stepOf = ({ errors: [first] }: Answer) =>
        (first as { extra?: { parquetry?: unknown } } | undefined)?.extra?.parquetry
      expect(stepOf(closed.body)).toEqual({ step: 'reach', steps: [] })
      expect(sentence).toBe('Connection failed, please check your connection settings')
      const outcomes = Object.entries(odd).map(async ([name, answer]) => {
        const port = await listen(answer)
        const { status, body } = await test(byFields(name, { port }))
        const isInTime = performance.now() - cameAt.get(port)! < 11_000
        return [name, status, body.errors[0]?.message, isInTime, stepOf(body)]
      })
      const expected = Object.keys(odd).map((name) => [name, 422, sentence, true, stepOf(closed.body)])
      expect(await Promise.all(outcomes)).toEqual(expected)
      await until(() => sockets.size === 0)
    }, 60_000)
  })

  it('blocks metadata addresses in every notation, and private and local ones when those are disabled', async () => {
    for (const host of ['169.254.169.254', '::ffff:a9fe:a9fe', '2852039166', '0xa9.0xfe.0xa9.0xfe'])
      expect((await test(byFields('metadata', { host }))).text).toContain('link-local and metadata addresses')
    const strict = createRunners({
      log: pino({ level: 'silent' }),
      memoryLimitMb: 64,
      spillFolder: join(home, 'strict'),
      outgoing: { private: false, loopback: false },
    })
    const usual = server.deps.runners
    server.deps.runners = strict
    try {
      expect((await test(byFields('local'))).text).toContain('DATABASE_LOOPBACK_HOSTS')
      expect((await test(byFields('private', { host: '10.0.0.1' }))).text).toContain('DATABASE_PRIVATE_HOSTS')
      const behind = { ssh_tunnel: tunnel({ server_address: '203.0.113.1' }) }
      expect((await test(byFields('behind', {}, behind))).text).toContain('DATABASE_LOOPBACK_HOSTS')
    } finally {
      server.deps.runners = usual
      await strict.close(0)
    }
    const path = await test(byFields('path', { host: '/var/run/postgresql' }))
    expect(path.body.errors[0]?.message).toBe('The hostname could not be resolved.')
  })

  it('never exposes a secret in responses, lists, exports, history or the log', async () => {
    const made = await send('post', '', byFields('secret', {}, { ssh_tunnel: tunnel() }))
    const { id } = made.body
    const changed = await send('put', String(id), {
      database_name: 'secret',
      parameters: fields({ password: mask }),
      engine: 'postgresql',
    })
    expect(changed.status, changed.text).toBe(200)
    const row = await rowOf(id)
    const seen = [
      made.text,
      changed.text,
      (await send('get', String(id))).text,
      (await send('get', `${id}/connection`)).text,
      (await send('get', '')).text,
      (await send('get', `export/?q=!(${id})`).catch(() => ({ text: '' }))).text,
      JSON.stringify(await server.deps.db.selectFrom('version').selectAll().execute()),
      JSON.stringify(await server.deps.db.selectFrom('log').selectAll().execute()),
      JSON.stringify(row),
    ]
    for (const text of seen) {
      expect(text).not.toContain(password)
      expect(text).not.toContain(encodeURIComponent(password))
      expect(text).not.toMatch(/"password": ?"jump"/)
    }
    expect((made.body.result['parameters'] as Record<string, unknown>)['password']).toBe(mask)
    expect(made.body.result['ssh_tunnel']).toMatchObject({ username: 'jump', password: mask })
    const other = { ...row, uuid: crypto.randomUUID() }
    expect(() => readStoredConnection(server.deps, other)).toThrow()
  })

  it('keeps a masked secret only for the same host, port, user and driver', async () => {
    const id = await add(byFields('masked'))
    const put = (own: object, more: object = {}) =>
      send('put', String(id), { engine: 'postgresql', parameters: fields({ password: mask, ...own }), ...more })
    expect((await put({})).status).toBe(200)
    expect(await storedPassword(id)).toBe(password)
    for (const own of [{ host: 'localhost' }, { port: target.port }, { username: 'somebody' }]) {
      const { status, body } = await put(own)
      expect(status).toBe(422)
      expect(body.message).toMatchObject({ password: [expect.stringContaining('Enter the password again')] })
    }
    expect((await put({}, { driver: 'psycopg' })).status).toBe(422)
    expect((await put({}, { ssh_tunnel: tunnel() })).status).toBe(422)
    const masked = await send('put', String(id), { sqlalchemy_uri: uri(mask), ssh_tunnel: tunnel() })
    expect(masked.status).toBe(422)
    expect(await storedPassword(id)).toBe(password)
    const tested = await test({ database_name: 'masked', sqlalchemy_uri: uri(mask) })
    expect(tested.status, tested.text).toBe(200)
    expect((await test({ database_name: 'nobody', sqlalchemy_uri: uri(mask) })).status).toBe(422)
  })

  it('accepts a URI or form fields, and keeps fields that are not sent', async () => {
    const id = await add({ database_name: 'by uri', sqlalchemy_uri: uri() })
    const { version } = await rowOf(id)
    const flags = await send('put', String(id), { allow_dml: true, cache_timeout: 60 })
    expect(flags.status, flags.text).toBe(200)
    expect(await storedPassword(id)).toBe(password)
    expect((await rowOf(id)).version).toBe(version)
    const moved = await send('put', String(id), { engine: 'postgresql', parameters: fields({ database: 'nowhere' }) })
    expect(moved.status).toBe(422)
    expect(moved.text).toContain('nowhere')
  })

  describe('through an SSH tunnel', () => {
    it('reads schemas, and shows the tunnel with its host key and a masked password', async () => {
      const id = await add(byFields('tunnelled', {}, { ssh_tunnel: tunnel() }))
      expect(ssh.open().clients).toBeGreaterThan(0)
      const schemas = await send('get', `${id}/schemas/`)
      expect(schemas.status, schemas.text).toBe(200)
      expect(schemas.body.result).toContain('public')
      expect((await send('get', `${id}/connection`)).body.result['ssh_tunnel']).toEqual({
        server_address: '127.0.0.1',
        server_port: ssh.port,
        username: 'jump',
        password: mask,
        host_key: expect.stringMatching(/^SHA256:/) as string,
      })
    })

    it('accepts a key, keeps secrets that are sent masked or not at all, and requires them again for another server or user', async () => {
      const by = tunnel({ password: undefined, private_key: ssh.privateKey, private_key_password: 'sesame' })
      const id = await add(byFields('by key', {}, { ssh_tunnel: by }))
      const { ssh_tunnel: shown } = (await send('get', `${id}/connection`)).body.result as { ssh_tunnel: object }
      expect(shown).toMatchObject({ private_key: mask, private_key_password: mask })
      for (const ssh_tunnel of [shown, { server_address: '127.0.0.1', server_port: ssh.port, username: 'jump' }])
        expect((await send('put', String(id), { ssh_tunnel })).status).toBe(200)
      expect(readStoredConnection(server.deps, await rowOf(id)).tunnel?.private_key).toBe(ssh.privateKey)
      const elsewhere = await send('put', String(id), { ssh_tunnel: { ...shown, username: 'other' } })
      expect([elsewhere.status, elsewhere.text]).toEqual([
        422,
        expect.stringContaining('Enter the password or key again'),
      ])
    })

    it('refuses a server whose host key changed until the old key is cleared', async () => {
      const id = await add(byFields('host key', {}, { ssh_tunnel: tunnel() }))
      const { tunnel: known } = readStoredConnection(server.deps, await rowOf(id))
      const impostor = await startSshServer()
      const body = (own: object) => byFields('host key', {}, { ssh_tunnel: { ...known, ...own } })
      const refused = await test(body({ server_port: impostor.port, host_key: known!.host_key }))
      expect(refused.text).toContain('presented a different host key')
      expect(refused.text).not.toContain('"jump"')
      expect((await test(body({ server_port: impostor.port, host_key: null }))).status).toBe(200)
      await impostor.close()
    })

    it('reports invalid fields, and reports when tunnels are disabled', async () => {
      const wrong = async (ssh_tunnel: object) => {
        const { status, body } = await send('post', '', byFields('wrong tunnel', {}, { ssh_tunnel }))
        return [status, body.message]
      }
      expect(await wrong({ server_port: 99_999 })).toEqual([
        400,
        {
          ssh_tunnel: {
            server_address: ['Missing data for required field.'],
            username: ['Missing data for required field.'],
            server_port: ['The port must be between 1 and 65535.'],
          },
        },
      ])
      expect(await wrong(tunnel({ password: '' }))).toEqual([
        400,
        { ssh_tunnel: { password: ['Must provide credentials for the SSH Tunnel'] } },
      ])
      expect(await wrong(tunnel({ proxy_command: 'sh' }))).toEqual([
        400,
        { ssh_tunnel: { proxy_command: ['Unknown field.'] } },
      ])
      server.deps.settings.flags['SSH_TUNNELING'] = false
      expect(await wrong(tunnel())).toEqual([400, 'SSH Tunneling is not enabled'])
      server.deps.settings.flags['SSH_TUNNELING'] = true
    })

    it('is not used while the flag is off', async () => {
      const id = await add(byFields('flag off', {}, { ssh_tunnel: tunnel() }))
      server.deps.settings.flags['SSH_TUNNELING'] = false
      try {
        const { status, body } = await send('get', `${id}/schemas/?q=(force:!t)`)
        expect([status, body.message]).toEqual([400, 'SSH Tunneling is not enabled'])
      } finally {
        server.deps.settings.flags['SSH_TUNNELING'] = true
      }
    })

    it.each(['MYSQL', 'TRINO', 'CLICKHOUSE'].filter((name) => process.env[`PARQUETRY_TEST_${name}`]))(
      'reaches %s as well',
      async (name) => {
        const body = {
          database_name: name,
          sqlalchemy_uri: process.env[`PARQUETRY_TEST_${name}`],
          ssh_tunnel: tunnel(),
        }
        // Trino may still be starting.
        await vi.waitFor(
          async () => {
            const { status, text, body: report } = await test(body)
            expect([status, report.message], text).toEqual([200, 'OK'])
          },
          { timeout: 170_000, interval: 1000 },
        )
      },
      180_000,
    )

    it('is removed by DELETE', async () => {
      const id = await add({
        ...byFields('let go', { password: '', host: target.host, port: target.port }),
        ssh_tunnel: tunnel(),
      })
      expect((await send('delete', `${id}/ssh_tunnel/`)).body).toEqual({ message: 'OK' })
      expect((await rowOf(id)).ssh_tunnel).toBeNull()
      expect((await send('delete', `${id}/ssh_tunnel/`)).status).toBe(404)
    })
  })

  it('is exported without secrets and imported when they are supplied', async () => {
    const id = await add(byFields('travels', {}, { ssh_tunnel: tunnel(), extra: '{"cost_estimate_enabled": true}' }))
    const response = await server.as('admin').get(`/api/v1/database/export/?q=!(${id})`)
    const zip = response.rawPayload
    expect((await send('delete', String(id))).status).toBe(200)
    const bring = (fields: Record<string, object | boolean>, packed = zip) => bringBundle(packed, fields)
    const path = 'databases/travels.yaml'
    const without = await bring({})
    expect(without.statusCode).toBe(422)
    expect(without.json<{ errors: { extra: object }[] }>().errors[0]?.extra).toMatchObject({
      [path]: {
        _schema: ['Must provide a password for the database', 'Must provide a password for the ssh tunnel'],
      },
    })
    const secrets = { passwords: { [path]: password }, ssh_tunnel_passwords: { [path]: 'jump' } }
    const brought = await bring(secrets)
    expect([brought.statusCode, brought.body]).toEqual([200, '{"message":"OK"}'])
    const row = await server.deps.db
      .selectFrom('database')
      .selectAll()
      .where('database_name', '=', 'travels')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(password)
    expect(row.extra).toBe('{"cost_estimate_enabled":true}')
    expect((await send('get', `${row.id}/schemas/`)).body.result).toContain('public')
    expect((await bring(secrets)).body).toContain('already exists')

    await send('put', String(row.id), { database_name: 'renamed', extra: '{}' })
    const over = await bring({ overwrite: true })
    expect([over.statusCode, over.body]).toEqual([200, '{"message":"OK"}'])
    const again = await server.deps.db
      .selectFrom('database')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    expect(again).toMatchObject({
      database_name: 'travels',
      extra: '{"cost_estimate_enabled":true}',
      secrets: row.secrets,
    })
    expect((await send('get', `${row.id}/schemas/`)).body.result).toContain('public')

    const bundle = await readArchive(zip)
    const writeChanged = async (change: object) =>
      writeArchive({ ...bundle, files: new Map([[path, { ...bundle.files.get(path), ...change }]]) }, 'x')
    const elsewhere = {
      sqlalchemy_uri: String(bundle.files.get(path)?.['sqlalchemy_uri']).replace(/@[^/]+/, '@elsewhere:1'),
    }
    const moved = await bring({ overwrite: true }, await writeChanged(elsewhere))
    expect(moved.json<{ errors: { extra: object }[] }>().errors[0]?.extra).toMatchObject({
      [path]: { _schema: ['Must provide a password for the database'] },
    })
    const twin = await bring(secrets, await writeChanged({ uuid: randomUUID() }))
    // A database of another installation is not the one that has its name here.
    expect(twin.statusCode).toBe(200)
    const { db } = server.deps
    const named = await db.selectFrom('database').select('id').where('database_name', '=', 'travels (2)').execute()
    expect(named).toHaveLength(1)
    await db.deleteFrom('database').where('database_name', '=', 'travels (2)').execute()
    const asGamma = await server.as('gamma').post('/api/v1/database/import/', {})
    expect(asGamma.statusCode).toBe(403)
  })

  it('refuses a bundle with impersonation for an engine that does not support it', async () => {
    const id = await add(byFields('named'))
    await server.deps.db.updateTable('database').set({ impersonate_user: 1 }).where('id', '=', id).execute()
    const { rawPayload } = await server.as('admin').get(`/api/v1/database/export/?q=!(${id})`)
    expect((await send('delete', String(id))).status).toBe(200)
    const brought = await bringBundle(rawPayload, { passwords: { 'databases/named.yaml': password } })
    expect([brought.statusCode, brought.body]).toEqual([
      422,
      expect.stringContaining('use the account of the connection'),
    ])
  })

  it('stores the result of the last test of a saved connection', async () => {
    const id = await add(byFields('last test'))
    const last = async () => {
      const q = `(columns:!(last_test),filters:!((col:id,opr:eq,value:${id})))`
      const [row] = (await send('get', `?q=${q}`)).body.result as unknown as { last_test: object }[]
      return row?.last_test
    }
    expect(await last()).toMatchObject({ ok: true, message: null })
    const { changed_on } = await rowOf(id)
    await server.deps.db
      .updateTable('database')
      .set({ secrets: server.deps.keys.encrypt('{"password":"old"}', (await rowOf(id)).uuid) })
      .where('id', '=', id)
      .execute()
    expect((await test({ database_name: 'last test', sqlalchemy_uri: uri(mask) })).status).toBe(422)
    expect(await last()).toMatchObject({ ok: false, message: expect.stringContaining('password') as string })
    expect((await rowOf(id)).changed_on).toBe(changed_on)
  })

  describe('encrypted', () => {
    let encrypted: PasswordProxy
    beforeAll(async () => {
      encrypted = await startPasswordProxy(target, password, testCertificate)
    })
    afterAll(() => encrypted.close())
    const at = (own: object, more: object = {}) =>
      test(byFields('encrypted', { port: encrypted.port, host: 'localhost', ...own }, more))
    const message = async (pending: ReturnType<typeof test>) => (await pending).body.errors[0]?.message

    it('trusts the certificate authority of the connection and verifies the host name against the certificate', async () => {
      const { cert: server_cert } = testCertificate
      const good = await at({}, { server_cert })
      expect([good.status, good.body.message]).toEqual([200, 'OK'])
      expect(await message(at({ host: '127.0.0.1' }, { server_cert }))).toMatch(
        /^The server certificate could not be verified: .*IP/,
      )
    })

    it('trusts no other certificate unless the operator allows it', async () => {
      const refused = await at({ encryption: true })
      expect(refused.body.errors).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(/^The server certificate could not be verified: self-signed/) as string,
          extra: expect.objectContaining({ invalid: ['server_cert'] }) as object,
        }),
      ])
      const lax = createRunners({
        log: pino({ level: 'silent' }),
        memoryLimitMb: 64,
        spillFolder: join(home, 'lax'),
        outgoing: { private: true, loopback: true, unverifiedTls: true },
      })
      const usual = server.deps.runners
      server.deps.runners = lax
      try {
        expect((await at({ encryption: true })).status).toBe(200)
        expect(await message(at({ query: { sslmode: 'verify-full' } }))).toMatch(/could not be verified/)
      } finally {
        server.deps.runners = usual
        await lax.close(0)
      }
    })

    it('reports that a server does not support encryption', async () => {
      expect(await message(test(byFields('plain', { encryption: true })))).toBe(
        'The server does not support encrypted connections.',
      )
    })
  })

  it('accepts only valid certificates', async () => {
    for (const server_cert of ['nonsense', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']) {
      const { status, body } = await send('post', '', byFields('cert', {}, { server_cert }))
      expect([status, body.message]).toEqual([400, { server_cert: ['Invalid certificate'] }])
    }
  })

  it('validates options and refuses those without effect', async () => {
    const complaint = async (more: object) => {
      const { status, body } = await send('post', '', byFields('options', {}, more))
      return [status, body.message]
    }
    expect(await complaint({ impersonate_user: true })).toEqual([
      422,
      { impersonate_user: [expect.stringContaining('always use the account of the connection')] },
    ])
    expect(await complaint({ extra: '{"cost_estimate_enabled": "yes"}' })).toEqual([
      400,
      { extra: ['cost_estimate_enabled must be true or false.'] },
    ])
    expect(await complaint({ extra: '{"metadata_cache_timeout": {"schema_cache_timeout": "1 h"}}' })).toEqual([
      400,
      { extra: [expect.stringContaining('metadata_cache_timeout must be')] },
    ])
    expect(await complaint({ masked_encrypted_extra: '{"key": "x"}' })).toEqual([
      400,
      { masked_encrypted_extra: [expect.any(String)] },
    ])
    expect(await complaint({ sqlalchemy_uri: `${uri()}?sslrootcert=/etc/passwd` })).toEqual([
      400,
      { query: [expect.stringContaining('do not support the parameter sslrootcert. Supported parameters: sslmode')] },
    ])
    const parameters = (own: object) => complaint({ parameters: fields(own) })
    expect(await parameters({ query: { options: '-c x=y' } })).toEqual([400, { query: [expect.any(String)] }])
    expect(await parameters({ port: 'many' })).toEqual([400, { parameters: { port: [expect.any(String)] } }])
    expect(await parameters({ host: ['a'] })).toEqual([400, { parameters: { host: [expect.any(String)] } }])
    expect(await parameters({ socket: '/tmp/x' })).toEqual([400, { parameters: { socket: ['Unknown field.'] } }])
    expect(await parameters({ database: '' })).toEqual([422, 'One or more parameters are missing: database'])
    const id = await add(byFields('kept options', {}, { extra: '{"metadata_params": {}, "theirs": 1}' }))
    expect((await rowOf(id)).extra).toBe('{"metadata_params": {}, "theirs": 1}')
  })

  it('lists upload schemas only for users who may read them, and includes tabs in related objects', async () => {
    const id = await add(byFields('for files', {}, { extra: '{"schemas_allowed_for_file_upload": ["public", "raw"]}' }))
    expect((await send('get', `${id}/schemas_access_for_file_upload/`)).body).toEqual({ schemas: ['public', 'raw'] })
    const other = await server.as('gamma').get(`/api/v1/database/${id}/schemas_access_for_file_upload/`)
    expect(other.statusCode).toBe(404)
    const { body } = await send('get', `${id}/related_objects/`)
    expect(body).toMatchObject({
      charts: { count: 0, result: [] },
      dashboards: { count: 0, result: [] },
      sqllab_tab_states: { count: 0, result: [] },
    })
  })

  it('API-095: lists the available engines with their forms, preferred ones first', async () => {
    const { databases } = (await server.as('admin').get('/api/v1/database/available/')).json<{
      databases: { name: string; parquetry: { form: { properties: Record<string, object> } } }[]
    }>()
    expect(databases.slice(0, 2).map(({ name }) => name)).toEqual(['DuckDB', 'PostgreSQL'])
    const [, postgres] = databases
    expect(postgres?.parquetry.form.properties).toMatchObject({
      port: { title: 'Port', default: 5432 },
      password: { title: 'Password', secret: true },
    })
    expect(postgres?.parquetry.form.properties).not.toHaveProperty('driver')
  })

  it('API-096: maps parameter errors to their fields', async () => {
    const errors = async (own: object, more: object = {}) =>
      (await send('post', 'validate_parameters/', byFields('x', own, more))).body.errors
    expect(await errors({ host: 'nobody.invalid' })).toMatchObject([
      { error_type: 'CONNECTION_INVALID_HOSTNAME_ERROR', extra: { invalid: ['host'] } },
    ])
    expect(await errors({ port: 1 })).toMatchObject([
      { error_type: 'CONNECTION_PORT_CLOSED_ERROR', extra: { invalid: ['port'] } },
    ])
    expect(await errors({ database: '' })).toMatchObject([
      { error_type: 'CONNECTION_MISSING_PARAMETERS_ERROR', level: 'warning', extra: { missing: ['database'] } },
    ])
    expect(await errors({ host: '169.254.169.254' })).toMatchObject([{ extra: { invalid: ['host'] } }])
    expect(await errors({ host: 'only.there' }, { ssh_tunnel: tunnel() })).toBeUndefined()
    expect(await errors({}, { catalog: { first: 'https://example.com/a' } })).toBeUndefined()
  })

  it('is allowed only for users who may change databases', async () => {
    for (const user of ['gamma', 'alpha'] as const)
      for (const path of ['test_connection/', 'validate_parameters/', ''])
        expect((await server.as(user).post(`/api/v1/database/${path}`, byFields('x'))).statusCode).toBe(403)
  })

  it('leaves no session on the server after closing', async () => {
    await runners.close(0)
    await until(() => proxy.open() === 0 && ssh.open().clients === 0)
  })
})
