import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { withQueryTimeout } from './query-timeout.ts'

export interface TransactionId {
  /** Null for a transaction that has written nothing. */
  xid: string | null
  pid: number
}

type TransactionOutcome = 'committed' | 'aborted' | 'unknown'
const pauseMs = 50
const endMs = 1000

/**
 * Finds out the outcome of a transaction whose connection broke at its commit. If the server still considers it open, because it
 * has not noticed, it is terminated first: no one waits for it.
 * @returns `unknown` when the server does not respond in time
 */
export async function resolveOutcome(
  pool: pg.Pool,
  { xid, pid }: TransactionId,
  withinMs: number,
): Promise<TransactionOutcome> {
  const until = performance.now() + withinMs
  do {
    const status = await readTransactionStatus(pool, xid, until - performance.now()).catch(() => undefined)
    if (status === 'committed' || status === 'aborted') return status
    if (status === 'in progress') await end(pool, xid, pid).catch(() => undefined)
    await sleep(pauseMs)
  } while (performance.now() < until)
  return 'unknown'
}

async function readTransactionStatus(
  pool: pg.Pool,
  xid: string | null,
  withinMs: number,
): Promise<string | null | undefined> {
  const { rows } = await pool.query<{ status: string | null }>(
    withQueryTimeout('select pg_xact_status($1::text::xid8) as status', [xid], withinMs),
  )
  return rows[0]?.status
}

const end = (pool: pg.Pool, xid: string | null, pid: number) =>
  pool.query(
    withQueryTimeout(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_xid = ($2::text::xid8)::xid',
      [pid, xid],
      endMs,
    ),
  )
