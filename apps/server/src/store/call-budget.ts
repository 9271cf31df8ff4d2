import { AsyncLocalStorage } from 'node:async_hooks'

/** How long the statements of one call may take together. A single one has a limit of its own. */
export const callMs = 15_000
/** Fast statements do not count, so that work with many of them is not limited. */
const slowMs = 500

interface Budget {
  leftMs: number
  mayReadMemory: boolean
}
const budgets = new AsyncLocalStorage<Budget>()

/**
 * Limits the time that the call and everything it starts wait for slow statements of the metadata store.
 * @param mayReadMemory  the call changes nothing, so it may be answered by what was read before, as long as it has not changed
 */
export const withCallBudget = <T>(work: () => T, ms = callMs, mayReadMemory = false): T =>
  budgets.run({ leftMs: ms, mayReadMemory }, work)

/** True if the current call may be answered by what was read before. */
export const mayReadMemory = (): boolean => budgets.getStore()?.mayReadMemory ?? false

/** Limit of the next statement; undefined without one. 0 or less: the call has waited long enough. */
export function limitStatement(statementMs: number | undefined): number | undefined {
  const budget = budgets.getStore()
  return budget && statementMs !== undefined ? Math.min(statementMs, budget.leftMs) : statementMs
}

export function spendStatement(ms: number): void {
  const budget = budgets.getStore()
  if (budget && ms >= slowMs) budget.leftMs -= ms
}
