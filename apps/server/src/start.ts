import { join } from 'node:path'
import type { ExampleProgress } from '@parquetry/model'
import { type App, createApp } from './app.ts'
import { createMemoryCache } from './cache/memory-cache.ts'
import { letFirstUserIn } from './first-user.ts'
import { lockHome, openHome, serverIdOf } from './home.ts'
import { endQueries, keepHouse } from './housekeeping.ts'
import { giveMemoryBack } from './idle-memory.ts'
import { FileResults } from './jobs/file-results.ts'
import { createMemoryPubSub } from './jobs/memory-pub-sub.ts'
import { StoreQueue } from './jobs/store-queue.ts'
import { createLog, written } from './log.ts'
import { webFolder } from './page/assets.ts'
import type { Deps } from './routes.ts'
import type { Runners } from './runners/runners.ts'
import { addMissingDataPermissions } from './access/data-permissions.ts'
import { linkPath } from './security/one-time-link.ts'
import { keepSchedules } from './saved-query/run-schedules.ts'
import { seedRoles } from './security/seed-roles.ts'
import type { Settings } from './settings/settings.ts'
import { StartError } from './settings/start-error.ts'
import { backUp } from './store/backup.ts'
import { openKeys } from './store/keys.ts'
import { migrate } from './store/migrate.ts'
import { openStore, statementMs } from './store/open.ts'

export interface RunningServer {
  app: App
  /** `http://HOST:PORT` */
  url: string
  /** Path of the one-time link, when nobody can sign in yet. */
  link: string | undefined
  /** Starts the work that follows the ready line: loading the examples, then compressing the web files of a new build. */
  startBackgroundWork(): void
  /** Asked twice it stops once. */
  stop(): Promise<void>
}

const runnerGraceMs = 10_000
const connectionGraceMs = 1000

/**
 * Starts the server as its settings say; after that every call works.
 * @param injected  runners of a test instead of the real ones
 * @throws StartError with the exit code and the sentence of the start contract
 */
export async function start(settings: Settings, injected: { runners?: Runners } = {}): Promise<RunningServer> {
  const log = createLog(settings)
  openHome(settings.home)
  const unlock = await lockHome(settings.home)
  const undo: (() => unknown)[] = [unlock]
  try {
    const store = await openStore(settings)
    undo.push(() => store.close())
    const now = () => new Date()
    const { from, to } = await migrate(store, async (version) => {
      const path = await backUp(store, join(settings.home, 'backups'), `before-migration-${version + 1}`, now())
      log.info({ path }, 'metadata store backed up')
    })
    if (from !== to) log.info({ from, to }, 'metadata store migrated')
    // after the store: keys without one are of a home that lost it
    const keys = openKeys(settings.keysFile ?? join(settings.home, 'keys.json'), settings.keysFile === null)
    store.limitStatements?.(statementMs)
    await seedRoles(store.db, settings.config)
    await addMissingDataPermissions(store.db)
    const token = await letFirstUserIn(store.db, settings, log, now())
    const server = serverIdOf(settings.home)
    await endQueries({ db: store.db, server, now }, 'failed', 'The server ended while this query ran.')

    const runners = injected.runners ?? (await import('./runners/index.ts')).createRunners({ settings, log })
    undo.push(() => runners.close(0))
    const examples: ExampleProgress = { state: settings.examples ? 'loading' : 'off', done: 0, of: 0 }
    const deps: Deps = {
      settings,
      server,
      db: store.db,
      checkStore: () => store.checkPlace?.(),
      keys,
      runners,
      cache: createMemoryCache(),
      jobs: new StoreQueue({ db: store.db, server, log, now }),
      events: createMemoryPubSub(Date.now),
      results: new FileResults({ settings, log, now }),
      log,
      examples,
      now,
    }
    const app = createApp(deps)
    await deps.jobs.recover()
    const url = await listen(app, settings)
    if (settings.baseUrl === null && !isLoopback(settings.host))
      log.warn('PARQUETRY_BASE_URL is not set: links are made of the address that each request was sent to')
    const endHousekeeping = keepHouse(deps)
    const endSchedules = keepSchedules(deps)
    const keepMemory = giveMemoryBack()
    const stopping = new AbortController()
    let background: Promise<void> | undefined
    async function runBackgroundWork(): Promise<void> {
      const { signal } = stopping
      if (settings.examples) {
        const { loadExamples } = await import('./examples/load-examples.ts')
        await loadExamples(deps, examples, signal)
      }
      const { compressInBackground } = await import('./page/background-compression.ts')
      await compressInBackground(webFolder, { log, signal })
    }

    await written(log)
    let stopped: Promise<void> | undefined
    async function stopOnce(): Promise<void> {
      endHousekeeping()
      endSchedules()
      keepMemory()
      stopping.abort()
      // Whoever sends calls here learns from /health to send them elsewhere before the port is closed.
      app.isStopping = true
      await deps.jobs.close()
      await runners.close(runnerGraceMs)
      await endQueries(deps, 'stopped', 'The server was stopped while this query ran.').catch((error: unknown) => {
        log.error({ err: error }, 'what ran could not be written as stopped: the next start does so')
      })
      const cut = setTimeout(() => app.http.server.closeAllConnections(), connectionGraceMs)
      await app.http.close()
      await background
      clearTimeout(cut)
      await store.close()
      unlock()
      log.info('stopped')
      await written(log)
    }
    return {
      app,
      url,
      link: token && `${settings.baseUrl ?? url}${linkPath(token)}`,
      startBackgroundWork() {
        background ??= runBackgroundWork()
      },
      stop: () => (stopped ??= stopOnce()),
    }
  } catch (error) {
    for (const step of undo.reverse()) await step()
    throw error
  }
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host)

async function listen({ http }: App, { host, port }: Settings): Promise<string> {
  try {
    await http.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(
        'port',
        `Port ${port} on ${host} is taken. Stop what uses it, or choose another one with PARQUETRY_PORT.`,
        { cause },
      )
    if (code === 'EACCES')
      throw new StartError(
        'port',
        `Port ${port} on ${host} may not be used by this user. Choose one above 1023 with PARQUETRY_PORT.`,
        { cause },
      )
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN')
      throw new StartError('setting', `PARQUETRY_HOST: ${host} is no address of this machine.`, { cause })
    throw cause
  }
  const address = http.server.address()
  const found = typeof address === 'object' && address ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${found}`
}
