import type BetterSqlite3 from 'better-sqlite3'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import type { Settings } from '../settings/settings.ts'
import { StartError } from '../settings/start-error.ts'
import { mayReadMemory } from './call-budget.ts'
import { registerTracker } from './changes.ts'
import { withCostlyReads } from './costly-reads.ts'
import { withStatementCache } from './statement-cache.ts'
import { readSchemaVersion } from './migrate.ts'
import { FileGuard } from './file-guard.ts'
import { FileHealth } from './file-health.ts'
import { registerLongTransactions } from './long-transaction.ts'
import { SqliteTurns } from './sqlite-turns.ts'
import type { Tables } from './tables.ts'

export interface Store {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  /** Copies the SQLite file consistently while the store is in use; undefined for PostgreSQL. */
  copyTo?: (path: string) => Promise<void>
  /**
   * From now on a statement without a response within this time fails its call as `unavailable`. Migrations and backups, which
   * may take longer, run before. Only for a database server.
   */
  limitStatements?: (ms: number) => void
  /** @throws AppError `unavailable` when writes would be lost because the file of the store was moved */
  checkFile?: () => void
  close(): Promise<void>
}

/** Longer than any statement of a request takes, shorter than any user waits. */
export const statementMs = 10_000

export const storePath = (home: string): string => join(home, 'parquetry.sqlite')

/** Opens the metadata store of the settings. Only the required client is loaded. */
export async function openStore({ metadataUrl, home }: Pick<Settings, 'metadataUrl' | 'home'>): Promise<Store> {
  if (metadataUrl === null) return openHomeStore(home)
  const { openPostgres } = await import('./open-postgres.ts')
  return openPostgres(metadataUrl)
}

/** True when a server has used this home folder: it contains what is created once there is a store, or what users added. */
const wasUsed = (home: string): boolean =>
  existsSync(join(home, 'keys.json')) ||
  existsSync(join(home, 'server-id')) ||
  ['data', 'backups'].some((folder) => existsSync(join(home, folder)) && readdirSync(join(home, folder)).length > 0)

/**
 * Tests if a file is a SQLite database of another program. It is only read, since opening it as a store would change it. A damaged
 * file is left to `openSqlite`.
 */
async function isForeign(path: string): Promise<boolean> {
  const { default: Database } = await import('better-sqlite3')
  let database: BetterSqlite3.Database | undefined
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
    const tables = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all()
    return tables.length > 0 && !tables.includes('schema_version')
  } catch {
    return false
  } finally {
    database?.close()
  }
}

/** Opens the store of a home folder. A folder that lost its store is not treated as new: an empty store would hide the loss. */
async function openHomeStore(home: string): Promise<Store> {
  const path = storePath(home)
  const missingStoreError = () =>
    new StartError(
      'store',
      `The metadata store ${path} is empty or missing, although this home folder was used before. Restore a backup from ${join(home, 'backups')}, or start with a new home folder by setting PARQUETRY_HOME.`,
    )
  // checked before opening: SQLite would delete the journal beside an empty file
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0 && wasUsed(home)) throw missingStoreError()
  if (await isForeign(path))
    throw new StartError(
      'store',
      `The file ${path} is a database of another program and was not changed. Move it away, or choose another home folder with PARQUETRY_HOME.`,
    )
  const store = await openSqlite(path)
  if (wasUsed(home) && (await readSchemaVersion(store)) === 0) {
    await store.close()
    throw missingStoreError()
  }
  return store
}

const maxQuickCheckBytes = 32 << 20

/** The whole file is read only if it is small or was not closed; SQLite finds other damage when it encounters it. */
function isWorthChecking(path: string): boolean {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size(path) < maxQuickCheckBytes || size(`${path}-wal`) > 0
}

/** Finds damage at the beginning of tables in files that are too large to be read as a whole. */
function readEachTable(database: BetterSqlite3.Database): void {
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[]
  for (const table of tables) database.prepare(`select * from "${table}" limit 1`).all()
}

/** A log that has grown beyond this is cut to it when it begins again. A smaller one is copied into the file within milliseconds. */
const largeLogBytes = 16 << 20

function connect(Database: typeof BetterSqlite3, path: string, { fileMustExist = false } = {}): BetterSqlite3.Database {
  const database = new Database(path, { timeout: 5000, fileMustExist })
  const pragmas = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']
  for (const pragma of [...pragmas, `journal_size_limit = ${largeLogBytes}`]) database.pragma(pragma)
  // SQLite's own lower() supports ASCII only; searches use lower(x) like ?, never ILIKE
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  )
  return database
}

/** @throws StartError exit code 5 for a file that is not a store or is damaged */
export async function openSqlite(path: string): Promise<Store> {
  const [{ default: Database }, { TurnsDialect }, { SqliteLongTransactions }] = await Promise.all([
    import('better-sqlite3'),
    import('./sqlite-dialect.ts'),
    import('./sqlite-long-transactions.ts'),
  ])
  let database: InstanceType<typeof Database>
  const isChecked = isWorthChecking(path)
  try {
    database = connect(Database, path)
    const damage = isChecked ? database.pragma('quick_check(1)', { simple: true }) : 'ok'
    if (damage !== 'ok') throw new Error(String(damage))
    readEachTable(database)
    // From now on, statements wait without blocking the process (`file-lock.ts`).
    database.pragma('busy_timeout = 0')
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? ''
    if (/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR)/.test(code))
      throw new StartError('home', `The metadata store ${path} could not be opened for writing.`, { cause })
    throw new StartError('store', `The metadata store ${path} is damaged. Restore a backup from the folder backups.`, {
      cause,
    })
  }
  const fileGuard = new FileGuard(path)
  const turns = new SqliteTurns()
  const health = new FileHealth(database, () => turns.isLong)
  const guarded = (connection: BetterSqlite3.Database) =>
    withStatementCache(connection, () => fileGuard.check(), health)
  const statements = guarded(database)
  const countChanges = () => {
    if (!mayReadMemory() || database.inTransaction) return undefined
    const { content, rights } = statements.countChanges()
    return content + rights
  }
  const reads = withCostlyReads(statements, countChanges)
  const db = new Kysely<Tables>({ dialect: new TurnsDialect(reads, turns) })
  registerTracker(db, { count: statements.countChanges, isComplete: () => true })
  const long = new SqliteLongTransactions({
    path,
    shared: database,
    turns,
    largeLogBytes,
    connect() {
      // SQLite would create a new file in the place of one that was moved.
      fileGuard.recheck()
      const connection = connect(Database, path, { fileMustExist: true })
      connection.pragma('busy_timeout = 0')
      return connection
    },
    withCache: guarded,
    onEnd: statements.addChanges,
  })
  if (!database.memory) registerLongTransactions(db, long.run)
  return {
    kind: 'sqlite',
    db,
    checkFile() {
      fileGuard.recheck()
      health.recheck()
    },
    copyTo: async (target) => void (await database.backup(target)),
    async close() {
      await long.close()
      await db.destroy()
    },
  }
}
