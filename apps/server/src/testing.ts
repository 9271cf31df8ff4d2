import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, Response } from 'light-my-request'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { createMemoryCache } from './cache/memory-cache.ts'
import type { Deps } from './deps.ts'
import type { App } from './http/app.ts'
import { FileResults } from './jobs/file-results.ts'
import { createMemoryPubSub } from './jobs/memory-pub-sub.ts'
import { StoreQueue } from './jobs/store-queue.ts'
import type { Runners } from './runners/runners.ts'
import { seedRoles } from './security/seed-roles.ts'
import { addUser } from './security/users.ts'
import { readSettings, type Settings } from './settings.ts'
import { temporaryKeys } from './store/keys.ts'
import { migrate } from './store/migrate.ts'
import { openPostgres, openSqlite, type Store } from './store/open.ts'

/** Stores that server tests run on: a SQLite file always, PostgreSQL where the environment names one. */
export const testStores: readonly [name: string, store: string][] = [
  ['SQLite', 'sqlite'],
  ...(process.env['PARQUETRY_TEST_POSTGRES']
    ? [['PostgreSQL', process.env['PARQUETRY_TEST_POSTGRES']] as [string, string]]
    : []),
]

/** The users that every test server has; the password is the name. */
const users = {
  admin: ['Admin'],
  alpha: ['Alpha'],
  gamma: ['Gamma'],
  sqllab: ['Gamma', 'sql_lab'],
  publicuser: ['Public'],
} as const
export type TestUser = keyof typeof users

/** A caller: signs in at its first request by a token, or by the page (`as(user, 'session')`), and sends what it then needs. */
export interface Client {
  send(method: string, path: string, options?: Omit<InjectOptions, 'method' | 'url' | 'path'>): Promise<Response>
  get(path: string): Promise<Response>
  post(path: string, body?: object): Promise<Response>
  put(path: string, body?: object): Promise<Response>
  delete(path: string): Promise<Response>
}

export interface TestServer {
  app: App
  deps: Deps
  home: string
  /** `nobody` is somebody who has not signed in. */
  as(user: TestUser | 'nobody', by?: 'bearer' | 'session'): Client
  close(): Promise<void>
}

export interface TestServerOptions {
  /** `sqlite` is a file in a folder of its own; a `postgres://…` address gets a schema of its own, dropped by `close`. */
  store?: 'sqlite' | (string & {})
  runners?: Runners
  settings?: Partial<Settings>
  now?: () => Date
  /** Routes of the test itself, beside the product's. */
  routes?: (app: App) => void
}

const noRunners = new Proxy({} as Runners, {
  get: (_target, name) => () => {
    if (name === 'close') return Promise.resolve()
    if (name === 'stats') return { running: 0, runners: [] }
    throw new Error(`this test server has no runners, but runners.${String(name)} was called`)
  },
})

async function openTestStore(store: string, home: string): Promise<{ store: Store; drop: () => Promise<void> }> {
  if (store === 'sqlite') return { store: await openSqlite(join(home, 'parquetry.sqlite')), drop: async () => {} }
  const { default: pg } = await import('pg')
  const schema = `test_${randomBytes(6).toString('hex')}`
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: store })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await run(`create schema ${schema}`)
  const url = new URL(store)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return { store: await openPostgres(url.href), drop: () => run(`drop schema ${schema} cascade`) }
}

/** A whole server on a real store, without a port: requests go in by `inject`. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
  const { store, drop } = await openTestStore(options.store ?? 'sqlite', home)
  await migrate(store, async () => {})
  const settings = { ...(await readSettings({}, { home })), log: 'silent' as const, ...options.settings }
  const log = pino({ level: 'silent' })
  const now = options.now ?? (() => new Date())
  const deps: Deps = {
    settings,
    db: store.db,
    keys: temporaryKeys(),
    runners: options.runners ?? noRunners,
    cache: createMemoryCache(),
    jobs: new StoreQueue({ db: store.db, log, now }),
    events: createMemoryPubSub(Date.now),
    results: new FileResults({ settings, log, now }),
    log,
    examples: { state: 'off', done: 0, of: 0 },
    now,
  }
  await seedRoles(deps.db, deps.settings.config)
  for (const [username, roles] of Object.entries(users)) {
    const named = username === 'admin' ? { first_name: 'Ada', last_name: 'Admin', email: 'admin@example.com' } : {}
    await addUser(deps.db, { username, password: username, roles: [...roles], ...named }, deps.now())
  }
  const app = createApp(deps)
  options.routes?.(app)
  const clients = new Map<string, Promise<Record<string, string>>>()
  const headersOf = (user: TestUser | 'nobody', by: 'bearer' | 'session') => {
    const key = `${user} ${by}`
    const known = clients.get(key) ?? signIn(app, user, by)
    clients.set(key, known)
    return known
  }
  return {
    app,
    deps,
    home,
    as(user, by = 'bearer') {
      const send: Client['send'] = async (method, url, more = {}) =>
        app.http.inject({
          ...more,
          method: method as 'GET',
          url,
          headers: { accept: 'application/json', ...(await headersOf(user, by)), ...more.headers },
        })
      const withBody = (method: string) => (path: string, body?: object) =>
        send(method, path, body === undefined ? {} : { payload: body })
      return {
        send,
        get: (path) => send('GET', path),
        post: withBody('POST'),
        put: withBody('PUT'),
        delete: (path) => send('DELETE', path),
      }
    },
    async close() {
      await deps.jobs.close()
      await app.http.close()
      await store.close()
      await drop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function signIn(app: App, user: TestUser | 'nobody', by: 'bearer' | 'session'): Promise<Record<string, string>> {
  if (user === 'nobody') return {}
  const credentials = { username: user, password: user }
  if (by === 'bearer') {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/v1/security/login',
      payload: { ...credentials, provider: 'db' },
    })
    return { authorization: `Bearer ${answer.json<{ access_token: string }>().access_token}` }
  }
  const page = await app.http.inject({ url: '/login/' })
  const csrf_token = /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const cookieOf = (answer: Response) => String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const answer = await app.http.inject({
    method: 'POST',
    url: '/login/',
    headers: { cookie: cookieOf(page), 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...credentials, csrf_token }).toString(),
  })
  const cookie = cookieOf(answer)
  const token = await app.http.inject({ url: '/api/v1/security/csrf_token/', headers: { cookie } })
  const { result } = token.json<{ result?: string }>() // without `can_read SecurityRestApi` there is none
  return { cookie, ...(result !== undefined && { 'x-csrftoken': result }) }
}
