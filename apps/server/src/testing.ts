import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, Response } from 'light-my-request'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { loadRights } from './access/load-principal.ts'
import { createMemoryCache } from './cache/memory-cache.ts'
import type { Channels } from './channel/channel.ts'
import { createChannels } from './channel/create-channels.ts'
import { ResponseStore } from './cache/response-store.ts'
import type { App } from './http/app.ts'
import { checkAnswers } from './http/check-answers.testing.ts'
import { FileResultStore } from './jobs/file-result-store.ts'
import { createMemoryPubSub } from './jobs/memory-pub-sub.ts'
import { StoreQueue } from './jobs/store-queue.ts'
import type { Deps } from './routes.ts'
import type { Runners } from './runners/runners.ts'
import { seedRoles } from './security/seed-roles.ts'
import { readSettings, type Settings } from './settings/settings.ts'
import { statementMs, type Store } from './store/open.ts'
import type { PostgresLimits } from './store/open-postgres.ts'
import { temporaryKeys } from './store/keys.ts'
import { openTestStore, type TestStore, type TestUser } from './template-store.testing.ts'

/** Stores that server tests run on: always SQLite, and PostgreSQL if the environment defines one. */
export const testStores: readonly [name: string, store: string][] = [
  ['SQLite', 'sqlite'],
  ...(process.env['PARQUETRY_TEST_POSTGRES']
    ? [['PostgreSQL', process.env['PARQUETRY_TEST_POSTGRES']] as [string, string]]
    : []),
]

export type { TestUser }

/**
 * Client of a user. Signs in at its first request by token, or through the page (`as(user, 'session')`), and sends the required
 * headers.
 */
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
  /** Opens its store once more, as another process does. */
  openStoreAgain(): Promise<Store>
  /** `nobody` is not signed in. */
  as(user: TestUser | 'nobody', by?: 'bearer' | 'session'): Client
  close(): Promise<void>
}

export interface TestServerOptions {
  /** `sqlite` is a file in a separate folder; a `postgres://…` URL gets a separate database, dropped by `close`. */
  store?: 'sqlite' | (string & {})
  /** Another server whose store and keys it uses. Close that one last. */
  sharesWith?: TestServer
  /** Limits of a database server used as store, all in milliseconds. */
  storeLimits?: PostgresLimits & { statementMs: number }
  runners?: Runners
  /** By default those of the settings. */
  channels?: Channels
  settings?: Partial<Settings>
  now?: () => Date
  /** By default it moves with `now`. */
  steadyMs?: () => number
  /** Additional routes of the test. */
  routes?: (app: App) => void
}

const noRunners = new Proxy({} as Runners, {
  get: (_target, name) => () => {
    if (name === 'close') return Promise.resolve()
    if (name === 'stats')
      return { running: 0, waiting: 0, refused: { source_busy: 0, queries_waiting: 0 }, runners: [] }
    if (name === 'isIdle') return true
    throw new Error(`this test server has no runners, but runners.${String(name)} was called`)
  },
})

async function openStoreFor({ store, sharesWith, storeLimits }: TestServerOptions, home: string): Promise<TestStore> {
  if (!sharesWith) return openTestStore(store ?? 'sqlite', home, storeLimits)
  const openAgain = () => sharesWith.openStoreAgain()
  return { store: await openAgain(), openAgain, drop: async () => {} }
}

/** Starts a complete server on a real store, without a port: requests are sent by `inject`. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
  const { store, openAgain, drop } = await openStoreFor(options, home)
  const settings = { ...(await readSettings({}, { home })), log: 'silent' as const, ...options.settings }
  const log = pino({ level: 'silent' })
  const now = options.now ?? (() => new Date())
  const server = randomUUID()
  const cache = createMemoryCache()
  const deps: Deps = {
    settings,
    server,
    db: store.db,
    checkStore: () => store.checkFile?.(),
    keys: options.sharesWith?.deps.keys ?? temporaryKeys(),
    runners: options.runners ?? noRunners,
    cache,
    responses: new ResponseStore({ cache, now }),
    jobs: new StoreQueue({ db: store.db, server, log, now, rightsOf: (id) => loadRights(store.db, id) }),
    events: createMemoryPubSub(Date.now),
    results: new FileResultStore({ settings, log, now }),
    log,
    channels: options.channels ?? createChannels(settings),
    examples: { state: 'off', done: 0, of: 0 },
    now,
    steadyMs: options.steadyMs ?? (options.now ? () => now().getTime() : () => performance.now()),
  }
  await seedRoles(deps.db, deps.settings.config)
  store.limitStatements?.(options.storeLimits?.statementMs ?? statementMs)
  const app = createApp(deps)
  checkAnswers(app.http)
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
    openStoreAgain: openAgain,
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
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/v1/security/login',
      payload: { ...credentials, provider: 'db' },
    })
    return { authorization: `Bearer ${response.json<{ access_token: string }>().access_token}` }
  }
  const page = await app.http.inject({ url: '/login/' })
  const csrf_token = /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const cookieOf = (response: Response) => String(response.headers['set-cookie']).split(';')[0] ?? ''
  const response = await app.http.inject({
    method: 'POST',
    url: '/login/',
    headers: { cookie: cookieOf(page), 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...credentials, csrf_token }).toString(),
  })
  const cookie = cookieOf(response)
  const token = await app.http.inject({ url: '/api/v1/security/csrf_token/', headers: { cookie } })
  const { result } = token.json<{ result: string }>()
  return { cookie, ...(result !== undefined && { 'x-csrftoken': result }) }
}
