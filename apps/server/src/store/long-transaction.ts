import type { DialectAdapter, Kysely, KyselyPlugin, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

type Work<T> = (trx: Transaction<Tables>) => Promise<T>

/** Runs work in a transaction on a connection of its own. */
export type RunTransaction = <T>(work: Work<T>, plugins: readonly KyselyPlugin[]) => Promise<T>

/** By the adapter, which a store shares with what is derived from it. */
const runs = new WeakMap<DialectAdapter, RunTransaction>()

/** For a store whose only connection would otherwise be taken from all others until the transaction ends. */
export const registerLongTransactions = (db: Kysely<Tables>, run: RunTransaction): void =>
  void runs.set(db.getExecutor().adapter, run)

/**
 * Runs a transaction of thousands of statements. Others read on, and see nothing of it before it ends; on SQLite what they write waits
 * for it, so it should contain nothing but its statements.
 */
export function runLongTransaction<T>(db: Kysely<Tables>, work: Work<T>): Promise<T> {
  const { adapter, plugins } = db.getExecutor()
  const run = runs.get(adapter)
  return run ? run(work, plugins) : db.transaction().execute(work)
}
