import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { AppError } from '@parquetry/model'
import { limitStatement, spendStatement } from './call-budget.ts'
import { withQueryTimeout } from './query-timeout.ts'
import { breaksConnection, storeUnavailable, translateError } from './postgres-failures.ts'
import { type ChangeKind, changesOf } from './table-changes.ts'
import { resolveOutcome, type TransactionId } from './transaction-outcome.ts'

export interface PoolLimits {
  /** A statement without a response within this time has lost its connection; undefined while migrations and backups run. */
  statementMs: number | undefined
  /** Maximum time to find out the outcome of a transaction whose commit was cut off. */
  settleMs: number
  /** Called when others may read what a statement or transaction has changed, before its caller goes on. */
  onChange?: (kinds: readonly ChangeKind[]) => void
}

const beginsTransaction = /^\s*(?:begin|start\s+transaction)\b/i

type Result = PostgresQueryResult<never>
const emptyResult: Omit<Result, 'command'> = { rows: [], rowCount: 0 }

/**
 * The connection pool for Kysely. A connection that breaks, or does not respond in time, fails its call as `unavailable` and is
 * never reused. The outcome of a commit that was cut off is looked up, so that only changes that were not made are reported as
 * failed.
 */
export function guardedPool(pool: pg.Pool, limits: PoolLimits): PostgresPool {
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((cause: unknown) => {
        throw storeUnavailable(cause)
      })
      const guardedClient = guarded.get(client) ?? guard(client, pool, limits)
      guarded.set(client, guardedClient)
      return guardedClient
    },
  }
}

function guard(client: pg.PoolClient, pool: pg.Pool, limits: PoolLimits): PostgresPoolClient {
  let connectionError: unknown
  let isInTransaction = false
  let changes: readonly ChangeKind[] = []
  async function execute(text: string, values: readonly unknown[] = []): Promise<Result> {
    if (connectionError !== undefined) throw translateError(connectionError)
    const limitMs = limitStatement(limits.statementMs)
    // A rollback and the look for an outcome must always be possible.
    if (limitMs !== undefined && limitMs <= 0 && text !== 'rollback')
      throw storeUnavailable(new Error('the statements of this call took too long together'))
    const start = performance.now()
    if (beginsTransaction.test(text)) isInTransaction = true
    const kinds = changesOf(text)
    if (kinds.length > 0) changes = [...changes, ...kinds]
    try {
      const timeoutMs = limitMs !== undefined && limitMs <= 0 ? limits.statementMs : limitMs
      return (await client.query(withQueryTimeout(text, values, timeoutMs))) as unknown as Result
    } catch (error) {
      if (breaksConnection(error)) connectionError = error
      throw translateError(error)
    } finally {
      spendStatement(performance.now() - start)
      if (text === 'rollback' && connectionError === undefined) changes = []
      if (text === 'commit' || text === 'rollback') isInTransaction = false
      // After the commit and not before: until then, other connections read the old state. A lost connection may have committed.
      if (changes.length > 0 && (!isInTransaction || connectionError !== undefined)) {
        limits.onChange?.(changes)
        changes = []
      }
    }
  }
  async function commit(): Promise<Result> {
    const { rows } = await execute('select pg_current_xact_id_if_assigned()::text as xid, pg_backend_pid() as pid')
    const [transaction] = rows as unknown as [TransactionId]
    try {
      return await execute('commit')
    } catch (error) {
      if (connectionError === undefined || transaction.xid === null) throw error
      const outcome = await resolveOutcome(pool, transaction, limits.settleMs)
      if (outcome === 'committed') return { command: 'COMMIT', ...emptyResult }
      throw outcome === 'aborted' ? error : new AppError('outcome_unknown', { cause: error })
    }
  }
  const query = (text: string, values?: readonly unknown[]): Promise<Result> => {
    if (text === 'commit') return commit()
    // The server rolls back what was open on a broken connection; the error that broke it is the one to report.
    if (text === 'rollback' && connectionError !== undefined)
      return Promise.resolve({ command: 'ROLLBACK', ...emptyResult })
    return execute(text, values)
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (isDiscarded) => client.release(isDiscarded === true || connectionError !== undefined),
  }
}
