import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import type { Settings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { countChanges } from './kept-reads.ts'
import { withKeptStatements } from './kept-statements.ts'
import type { Tables } from './tables.ts'

export interface Store {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  /** A consistent copy of the SQLite file, while the store is in use; undefined for PostgreSQL. */
  copyTo?: (path: string) => Promise<void>
  close(): Promise<void>
}

export const storePath = (home: string): string => join(home, 'parquetry.sqlite')

/** Opens the metadata store of the settings. Only the client that is used is loaded. */
export const openStore = ({ metadataUrl, home }: Pick<Settings, 'metadataUrl' | 'home'>): Promise<Store> =>
  metadataUrl === null ? openSqlite(storePath(home)) : openPostgres(metadataUrl)

const quickToCheck = 32 << 20

/** Reading the whole file is for those that are small or were not closed; SQLite finds other damage when it meets it. */
function isWorthChecking(path: string): boolean {
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size(path) < quickToCheck || size(`${path}-wal`) > 0
}

/** @throws StartError exit code 5 for a file that is no store or is damaged */
export async function openSqlite(path: string): Promise<Store> {
  const [{ default: Database }, { SqliteDialect }] = await Promise.all([import('better-sqlite3'), import('kysely')])
  let database: InstanceType<typeof Database>
  const isChecked = isWorthChecking(path)
  try {
    database = new Database(path, { timeout: 5000 })
    for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 5000'])
      database.pragma(pragma)
    const damage = isChecked ? database.pragma('quick_check(1)', { simple: true }) : 'ok'
    if (damage !== 'ok') throw new Error(String(damage))
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? ''
    if (/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR)/.test(code))
      throw new StartError('home', `The metadata store ${path} cannot be opened for writing.`, { cause })
    throw new StartError('store', `The metadata store ${path} is damaged. Put back a copy from the folder backups.`, {
      cause,
    })
  }
  // SQLite's own lower() knows ASCII only; searches write lower(x) like ?, never ILIKE
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  )
  const statements = withKeptStatements(database)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: statements }) })
  countChanges(db, statements.changes)
  return {
    kind: 'sqlite',
    db,
    copyTo: async (target) => void (await database.backup(target)),
    close: () => db.destroy(),
  }
}

/** @throws StartError exit code 5 when the server does not answer */
export async function openPostgres(url: string): Promise<Store> {
  const [{ default: pg }, { PostgresDialect }] = await Promise.all([import('pg'), import('kysely')])
  const int8 = 20
  const types = {
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      id === int8 ? Number : pg.types.getTypeParser(id, format as 'text'),
  }
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 10_000, types: types as never })
  pool.on('error', () => undefined) // an idle connection that breaks is replaced at its next use
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await pool.query('select 1')
  } catch (cause) {
    await db.destroy()
    const { host } = new URL(url)
    throw new StartError(
      'store',
      `The metadata store at ${host} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
  return { kind: 'postgres', db, close: () => db.destroy() }
}
