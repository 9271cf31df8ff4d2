import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { StartError } from '../settings/start-error.ts'
import { ChangeListener, type ListenerLimits } from './change-listener.ts'
import { addChanges, registerTracker, startCounts } from './changes.ts'
import { mayReadMemory } from './call-budget.ts'
import { createTransactionQueue, registerLongTransactions } from './long-transaction.ts'
import { withMemoryReads } from './memory-reads.ts'
import { guardedPool, type PoolLimits } from './guarded-pool.ts'
import type { Store } from './open.ts'
import type { Tables } from './tables.ts'

export interface PostgresLimits {
  /** Maximum time to get a connection, new or from the pool. */
  connectMs: number
  settleMs: number
  listener?: Partial<ListenerLimits>
}

const defaults: PostgresLimits = { connectMs: 5000, settleMs: 5000 }
const int8 = 20
/** The first statements of a new connection take several times as long: PostgreSQL reads its catalogs again. */
const idleConnectionMs = 5 * 60_000

/** @throws StartError exit code 5 when the server does not respond */
export async function openPostgres(url: string, overrides: Partial<PostgresLimits> = {}): Promise<Store> {
  const { connectMs, settleMs, listener: listenerLimits } = { ...defaults, ...overrides }
  const types = {
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      id === int8 ? Number : pg.types.getTypeParser(id, format as 'text'),
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleConnectionMs,
    types: types as never,
  })
  // The statement on a broken connection reports the error; an idle connection is replaced at its next use.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const counts = startCounts()
  const limits: PoolLimits = {
    statementMs: undefined,
    settleMs,
    onChange: (kinds) => addChanges(counts, kinds),
  }
  const listener = new ChangeListener({
    createClient: () =>
      new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: connectMs,
        keepAlive: true,
        application_name: 'parquetry changes',
      }),
    query: (text, values) => pool.query(text, values),
    onChange: (kinds) => addChanges(counts, kinds),
    ...(listenerLimits && { limits: listenerLimits }),
  })
  const countChanges = () => (listener.isListening() ? counts.content + counts.rights : undefined)
  const reads = withMemoryReads(guardedPool(pool, limits), () => (mayReadMemory() ? countChanges() : undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: reads }) })
  registerTracker(db, { count: () => counts, isComplete: () => listener.isListening() })
  registerLongTransactions(db, createTransactionQueue(db))
  try {
    await pool.query('select 1')
  } catch (cause) {
    await db.destroy()
    const { host } = new URL(url)
    throw new StartError(
      'store',
      `The metadata store at ${host} did not respond: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
  return {
    kind: 'postgres',
    db,
    limitStatements: (ms) => {
      limits.statementMs = ms
    },
    async close() {
      await listener.close()
      await db.destroy()
    },
  }
}
