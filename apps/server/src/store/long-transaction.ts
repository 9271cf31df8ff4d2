import type { DialectAdapter, Kysely, KyselyPlugin, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

type Work<T> = (trx: Transaction<Tables>) => Promise<T>

/** Runs work in a transaction on a connection of its own. */
export type RunTransaction = <T>(work: Work<T>, plugins: readonly KyselyPlugin[]) => Promise<T>

/** By the adapter, which a store shares with what is derived from it. */
const runs = new WeakMap<DialectAdapter, RunTransaction>()

/** For a store whose connections would otherwise be taken from all others until the transactions end. */
export const registerLongTransactions = (db: Kysely<Tables>, run: RunTransaction): void =>
  void runs.set(db.getExecutor().adapter, run)

/** Runs one transaction after the other: imports wait for each other, and each that waits would keep a connection of the pool. */
export function createTransactionQueue(db: Kysely<Tables>): RunTransaction {
  let last: Promise<unknown> = Promise.resolve()
  return (work, plugins) => {
    const own = plugins.reduce((store, plugin) => store.withPlugin(plugin), db)
    const result = last.then(() => own.transaction().execute(work))
    last = result.catch(() => undefined)
    return result
  }
}

/**
 * Runs a transaction of thousands of statements. Others read on, and see nothing of it before it ends; on SQLite what they write waits
 * for it, so it should contain nothing but its statements.
 */
export function runLongTransaction<T>(db: Kysely<Tables>, work: Work<T>): Promise<T> {
  const { adapter, plugins } = db.getExecutor()
  const run = runs.get(adapter)
  return run ? run(work, plugins) : db.transaction().execute(work)
}
