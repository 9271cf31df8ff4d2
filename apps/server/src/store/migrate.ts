import { type Kysely, sql } from 'kysely'
import { StartError } from '../settings/start-error.ts'
import { columnTypesFor } from './columns.ts'
import { migrations } from './migrations/index.ts'
import type { Store } from './open.ts'

const lockNotAvailable = '55P03'

interface Bare {
  schema_version: { n: number; name: string; at: string }
}

/** How long a start waits for another session, such as a server that migrates the same store. */
const lockTimeout = sql.raw(`'30s'`)

/** Number of the newest migration in the store; 0 for an empty one. */
export async function readSchemaVersion({ db, kind }: Store): Promise<number> {
  try {
    return await db.transaction().execute(async (trx) => {
      if (kind === 'postgres') await sql`set local lock_timeout = ${lockTimeout}`.execute(trx)
      const { rows } = await sql<{ n: number | null }>`select max(n) as n from schema_version`.execute(trx)
      return rows[0]?.n ?? 0
    })
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) throw error
    if (/no such table|does not exist/.test(error instanceof Error ? error.message : '')) return 0
    throw new StartError('store', 'The metadata store is damaged. Restore a backup from the folder backups.', {
      cause: error,
    })
  }
}

/** @throws StartError exit code 5 when a newer version of the product wrote the store */
export function refuseNewer(version: number, supported = migrations.length): void {
  if (version > supported)
    throw new StartError(
      'store',
      `The metadata store has version ${version}, but this program supports version ${supported} at most. Start the newer program, or restore a backup from the folder backups.`,
    )
}

/** Does what only one of several starting servers may do at a time. */
export async function alone<T>(store: Store, work: () => Promise<T>): Promise<T> {
  if (store.kind !== 'postgres') return work()
  return store.db.connection().execute(async (db) => {
    await sql`set lock_timeout = ${lockTimeout}`.execute(db)
    await sql`select pg_advisory_lock(7241604)`.execute(db)
    await sql`reset lock_timeout`.execute(db)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(7241604)`.execute(db)
    }
  })
}

/**
 * Runs all missing migrations in one transaction, under a lock that other servers wait for.
 * @param backUp  called before the first migration of a store that is not empty
 * @returns the numbers before and after
 */
export async function migrate(
  store: Store,
  backUp: (from: number) => Promise<void>,
  steps: typeof migrations = migrations,
): Promise<{ from: number; to: number }> {
  const from = await readSchemaVersion(store)
  refuseNewer(from, steps.length)
  if (from === steps.length) return { from, to: from }
  if (from > 0) await backUp(from)
  const bare = store.db as unknown as Kysely<Bare>
  await bare.transaction().execute(async (db) => {
    if (store.kind === 'postgres') {
      await sql`set local lock_timeout = ${lockTimeout}`.execute(db)
      await sql`select pg_advisory_xact_lock(7241603)`.execute(db)
    }
    await db.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('n', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .execute()
    const applied = await db.selectFrom('schema_version').select('n').execute() // another server may have been faster
    for (const [at, { name, up }] of steps.entries()) {
      if (applied.some(({ n }) => n === at + 1)) continue
      await up(db as never, columnTypesFor(store.kind)).catch((cause: unknown) => {
        throw new StartError(
          'store',
          `The metadata store could not be upgraded to version ${at + 1} (${name}): ${cause instanceof Error ? cause.message : String(cause)}. It was not changed. Start the previous version of the program, and report this error.`,
          { cause },
        )
      })
      await db
        .insertInto('schema_version')
        .values({ n: at + 1, name, at: new Date().toISOString() })
        .execute()
    }
  })
  return { from, to: steps.length }
}
