import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExampleProgress } from '@parquetry/model'
import { type App, createApp } from './app.ts'
import { createMemoryCache } from './cache/memory-cache.ts'
import { createChannels } from './channel/create-channels.ts'
import { ResponseStore } from './cache/response-store.ts'
import { ensureFirstUser, hashAdminPassword } from './first-user.ts'
import { ensureServerId, fullDisk, lockHome, openHome } from './home.ts'
import { startHeartbeat } from './heartbeat.ts'
import { endQueries, startHousekeeping } from './housekeeping.ts'
import { startIdleCollection } from './idle-memory.ts'
import { FileResultStore } from './jobs/file-result-store.ts'
import { loadRights } from './access/load-principal.ts'
import { createMemoryPubSub } from './jobs/memory-pub-sub.ts'
import { StoreQueue } from './jobs/store-queue.ts'
import { closeLog, createLog, flushLog } from './log.ts'
import { webFolder } from './page/assets.ts'
import type { Deps } from './routes.ts'
import type { Runners } from './runners/runners.ts'
import { addMissingDataPermissions } from './access/data-permissions.ts'
import { linkPath } from './security/one-time-link.ts'
import { startReports } from './report/run/start-reports.ts'
import { startQueryScheduler } from './saved-query/run-schedules.ts'
import { seedRoles } from './security/seed-roles.ts'
import { errorTranslator } from './settings/messages.ts'
import type { Settings } from './settings/settings.ts'
import { StartError } from './settings/start-error.ts'
import { backUp } from './store/backup.ts'
import { canDecryptSecrets, holdsSecrets } from './store/stored-secrets.ts'
import { openKeys } from './store/keys.ts'
import { alone, migrate, readSchemaVersion } from './store/migrate.ts'
import { isDiskFull } from './store/failure.ts'
import { openStore, statementMs } from './store/open.ts'
import { storeConfiguredThemes } from './theme/configured-themes.ts'

export interface RunningServer {
  app: App
  /** `http://HOST:PORT` */
  url: string
  /** One-time link to set the password of the first administrator; undefined if some user has a password. */
  setupLink: string | undefined
  /** Starts the work that follows the ready line: loading the examples, then compressing the web files of a new build. */
  startBackgroundWork(): void
  /** Stops the server. Repeated calls return the same promise. */
  stop(): Promise<void>
}

const runnerGraceMs = 10_000
const connectionGraceMs = 1000
/** Clients that are sending requests get a response that closes their connection, before idle connections are closed. */
const drainMs = 300

/**
 * Starts the server and resolves when it can serve all requests.
 * @param injected  test runners that replace the real ones
 * @throws StartError with an exit code and a message for the administrator
 */
export async function start(settings: Settings, injected: { runners?: Runners } = {}): Promise<RunningServer> {
  const log = createLog(settings)
  for (const name of settings.unknownVariables)
    log.warn({ name }, 'this variable of the environment is not a setting and has no effect')
  openHome(settings.home)
  const unlock = await lockHome(settings.home)
  const undo: (() => unknown)[] = [unlock]
  try {
    const store = await openStore(settings)
    undo.push(() => store.close())
    const now = () => new Date()
    // The hash of a new store's first password is computed while its tables are created.
    const adminHash = (await readSchemaVersion(store)) === 0 ? hashAdminPassword(settings) : undefined
    const { from, to } = await migrate(store, async (version) => {
      const path = await backUp(store, join(settings.home, 'backups'), `before-migration-${version + 1}`, now())
      log.info({ path }, 'metadata store backed up')
    })
    if (from !== to) log.info({ from, to }, 'metadata store migrated')
    // Keys are created after the store: a home with keys but no store has lost its store.
    const keysPath = settings.keysFile ?? join(settings.home, 'keys.json')
    const keys = openKeys(keysPath, settings.keysFile === null && !(await holdsSecrets(store.db)))
    if (!(await canDecryptSecrets(store.db, keys)))
      log.error({ keysPath }, 'the passwords of connections cannot be read with this key file; restore the key file')
    store.limitStatements?.(statementMs)
    const token = await alone(store, async () => {
      await seedRoles(store.db, settings.config)
      await addMissingDataPermissions(store.db)
      await storeConfiguredThemes(store.db, settings.config, now())
      return ensureFirstUser(store.db, settings, log, now(), adminHash)
    })
    const server = ensureServerId(settings.home)
    const translate = errorTranslator(settings)
    await endQueries(
      { db: store.db, server, now },
      'failed',
      translate('errors.jobs.ended', 'The server ended while this query was running. Run the query again.'),
    )

    const runners = injected.runners ?? (await import('./runners/index.ts')).createServerRunners({ settings, log })
    undo.push(() => runners.close(0))
    const examples: ExampleProgress = { state: settings.examples ? 'loading' : 'off', done: 0, of: 0 }
    const cache = createMemoryCache()
    const deps: Deps = {
      settings,
      server,
      db: store.db,
      checkStore: () => store.checkFile?.(),
      keys,
      runners,
      cache,
      responses: new ResponseStore({ cache, now }),
      jobs: new StoreQueue({ db: store.db, server, log, now, rightsOf: (id) => loadRights(store.db, id) }),
      events: createMemoryPubSub(Date.now),
      results: new FileResultStore({ settings, log, now }),
      log,
      channels: createChannels(settings),
      examples,
      now,
      steadyMs: () => performance.now(),
    }
    const app = createApp(deps)
    await deps.jobs.recover()
    const url = await listen(app, settings)
    if (settings.baseUrl === null && !isLoopback(settings.host))
      log.warn('PARQUETRY_BASE_URL is not set: links use the address that each request was sent to')
    const endHousekeeping = startHousekeeping(deps)
    const endHeartbeat = store.kind === 'postgres' ? startHeartbeat(deps) : undefined
    const endSchedules = startQueryScheduler(deps)
    const endReports = startReports(deps, { isStoreShared: store.kind === 'postgres' })
    const endIdleCollection = startIdleCollection()
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

    await flushLog(log)
    let stopped: Promise<void> | undefined
    async function stopOnce(): Promise<void> {
      endHousekeeping()
      endSchedules()
      endIdleCollection()
      stopping.abort()
      // /health now fails, so that load balancers redirect requests before the port is closed.
      app.isStopping = true
      const drained = sleep(drainMs)
      await Promise.all([deps.jobs.close(), endReports()])
      await runners.close(runnerGraceMs)
      await endQueries(
        deps,
        'stopped',
        translate('errors.jobs.stopped', 'The server was stopped while this query was running. Run the query again.'),
      ).catch((error: unknown) => {
        log.error({ err: error }, 'running queries could not be recorded as stopped; the next start does this')
      })
      await drained
      const closeTimer = setTimeout(() => app.http.server.closeAllConnections(), connectionGraceMs)
      await app.http.close()
      await background
      await endHeartbeat?.().catch(() => undefined)
      clearTimeout(closeTimer)
      await store.close()
      unlock()
      log.info('stopped')
      await closeLog(log)
    }
    return {
      app,
      url,
      setupLink: token && `${settings.baseUrl ?? url}${linkPath(token)}`,
      startBackgroundWork() {
        background ??= runBackgroundWork()
      },
      stop: () => (stopped ??= stopOnce()),
    }
  } catch (error) {
    for (const step of undo.reverse()) await step()
    throw explainStartFailure(error, settings)
  }
}

/** Errors of the metadata store and its disk in words for the administrator; others as they are. */
function explainStartFailure(error: unknown, { home, metadataUrl }: Settings): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '' } = cause as { code?: string }
    if (metadataUrl === null) {
      if (isDiskFull(cause)) return fullDisk(home, error)
      continue
    }
    const store = `The metadata store at ${new URL(metadataUrl).host}`
    const text = startFailures[code]
    if (text) return new StartError('store', `${store} ${text}`, { cause: error })
  }
  return error
}

/** By error code of PostgreSQL. */
const startFailures: Readonly<Record<string, string>> = {
  '25006': 'is read-only. Connect to the primary server, or make the database writable.',
  '42501':
    'does not allow its user to create or change tables. Grant the user these rights, or connect as another one.',
  '53100': 'has no space left on its disk. Free some space there.',
  '55P03': 'is locked by another session. Start again when that session has finished.',
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
        `Port ${port} on ${host} is already in use. Stop the process that uses it, or choose another port with PARQUETRY_PORT.`,
        { cause },
      )
    if (code === 'EACCES')
      throw new StartError(
        'port',
        `Port ${port} on ${host} is not available to this user. Choose a port above 1023 with PARQUETRY_PORT.`,
        { cause },
      )
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN')
      throw new StartError('setting', `PARQUETRY_HOST: ${host} is not an address of this machine.`, { cause })
    throw cause
  }
  const address = http.server.address()
  const found = typeof address === 'object' && address ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${found}`
}
