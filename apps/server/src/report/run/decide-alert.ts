import { message } from '@parquetry/model'
import type { Principal } from '../../access/principal.ts'
import { parseStoredTime } from '../../store/time.ts'
import type { ReportRow } from '../report-owner.ts'
import type { RunDeps } from './deps.ts'
import { listDeliveries } from './deliveries.ts'
import { toText } from './report-texts.ts'
import { type RunClaim, type RunEnd, withRun } from './run-record.ts'

export interface AlertDecision {
  /** The run ends without sending anything. */
  end?: RunEnd
  value: number | null
}

const onGrace = message('errors.report.onGrace', 'The alert was sent less than its grace period ago.')

/**
 * Evaluates the condition of an alert, unless it was sent within its grace period. Reports have none. A run that a user started
 * ignores the grace period, and a message to that user alone is sent in any case.
 */
export async function decideAlert(
  deps: RunDeps,
  claim: RunClaim,
  report: ReportRow,
  owner: Principal,
  signal: AbortSignal,
): Promise<AlertDecision> {
  if (report.type !== 'Alert') return { value: null }
  // An earlier attempt has found the condition to be true.
  if ((await listDeliveries(deps, claim)).length > 0) return { value: claim.value }
  if (claim.trigger === 'schedule' && (await isOnGrace(deps, report)))
    return { end: { state: 'On Grace', reason: toText(onGrace, deps.settings) }, value: null }
  const { value, row, is_triggered } = await deps.evaluateAlert(report, owner, signal)
  const measured = { value, value_row_json: row && JSON.stringify(row) }
  await withRun(deps.db, claim, async (trx) => {
    await trx
      .updateTable('report_run')
      .set({ ...measured, run_as_fk: owner.id })
      .where('id', '=', claim.id)
      .execute()
    if (claim.trigger !== 'test')
      await trx
        .updateTable('report')
        .set({ last_value: value, last_value_row_json: measured.value_row_json })
        .where('id', '=', report.id)
        .execute()
  })
  if (!is_triggered && claim.trigger !== 'test') return { end: { state: 'Not triggered', reason: null }, value }
  return { value }
}

/** A time in the future does not count: the clock was set back. */
async function isOnGrace({ db, now }: RunDeps, { id, grace_period }: ReportRow): Promise<boolean> {
  const last = await db
    .selectFrom('report_run')
    .select('end_dttm')
    .where('report_id', '=', id)
    .where('trigger', '=', 'schedule')
    .where('state', '=', 'Success')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!last?.end_dttm) return false
  const elapsedMs = now().getTime() - parseStoredTime(last.end_dttm).getTime()
  return elapsedMs >= 0 && elapsedMs < grace_period * 1000
}
