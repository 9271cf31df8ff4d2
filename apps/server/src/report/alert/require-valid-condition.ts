import { AppError } from '@parquetry/model'
import type { Principal } from '../../access/principal.ts'
import type { ChartDeps } from '../../chart/deps.ts'
import { unprocessableFields } from '../../http/writing.ts'
import { unreachable } from '../../sql-access/unreachable.ts'
import type { ReportDraft } from '../report-draft.ts'
import { type AlertCondition, evaluateCondition } from './evaluate-condition.ts'

/** The condition of an alert. */
export const toCondition = (
  draft: Pick<ReportDraft, 'database_id' | 'sql' | 'validator_type' | 'validator_config' | 'extra'>,
): AlertCondition => ({
  database_id: draft.database_id,
  sql: draft.sql,
  metric: draft.extra.parquetry?.metric,
  validator_type: draft.validator_type,
  validator_config: draft.validator_config,
})

/** Saving waits no longer for the database. */
const maxWaitMs = 10_000

/**
 * Evaluates the condition of an alert before it is stored. A database that does not answer does not prevent saving.
 * @throws AppError `unprocessable` with the field `sql`, or `extra` for a metric
 */
export async function requireValidCondition(
  deps: ChartDeps,
  draft: ReportDraft,
  principal: Principal,
  signal: AbortSignal,
): Promise<void> {
  if (draft.type !== 'Alert') return
  const condition = toCondition(draft)
  const timeout = AbortSignal.timeout(maxWaitMs)
  try {
    await evaluateCondition(deps, condition, principal, AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (signal.aborted) throw error
    if (timeout.aborted || unreachable.has(error.code)) return
    if (error.fieldMessages) throw error
    throw unprocessableFields({ [condition.metric ? 'extra' : 'sql']: [error.sentence] })
  }
}
