import type { Selectable } from 'kysely'
import type { ReportDeliveryTable } from '../../store/tables.ts'
import { formatStoredTime } from '../../store/time.ts'
import type { RunDeps } from './deps.ts'
import { type RunClaim, withRun } from './run-record.ts'
import { notifyUnknown } from './unknown-deliveries.ts'

export type DeliveryRow = Selectable<ReportDeliveryTable>

/** How an attempt to deliver ended. `at` is the time of the next one. */
export type DeliveryEnd =
  | { state: 'sent' }
  | { state: 'failed' | 'unknown'; reason: string }
  | { state: 'waiting'; reason: string; at: Date }

/**
 * Records that a message is about to be handed over. It must be committed first, so that a crash at any later moment is found as
 * a delivery that may have been sent.
 * @returns false if it is not waiting any more
 */
export const beginDelivery = (
  { db, now }: Pick<RunDeps, 'db' | 'now'>,
  claim: RunClaim,
  { id, attempts }: DeliveryRow,
): Promise<boolean> =>
  withRun(db, claim, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('report_delivery')
      .set({ state: 'sending', attempts: attempts + 1, started_on: formatStoredTime(now()), next_attempt_at: null })
      .where('id', '=', id)
      .where((eb) =>
        eb.or([
          eb.and([eb('state', '=', 'waiting'), eb('attempts', '=', attempts)]),
          // An earlier try was committed, although its answer was lost.
          eb.and([eb('state', '=', 'sending'), eb('attempts', '=', attempts + 1)]),
        ]),
      )
      .executeTakeFirst()
    return Number(numUpdatedRows) > 0
  })

/**
 * Records how an attempt ended, even if the run was taken over by another server meanwhile: this one knows what happened.
 * @param attempt  number of the attempt
 */
export const recordDelivery = (
  { db, now }: Pick<RunDeps, 'db' | 'now'>,
  claim: RunClaim,
  { id, target }: Pick<DeliveryRow, 'id' | 'target'>,
  attempt: number,
  end: DeliveryEnd,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('report_delivery')
      .set({
        state: end.state,
        error_message: end.state === 'sent' ? null : end.reason,
        next_attempt_at: end.state === 'waiting' ? formatStoredTime(end.at) : null,
        ended_on: end.state === 'waiting' ? null : formatStoredTime(now()),
      })
      .where('id', '=', id)
      .where('attempts', '=', attempt)
      // Another server may have recorded that it may have been sent. Only the end of the attempt knows better.
      .where('state', 'in', end.state === 'waiting' || end.state === 'unknown' ? ['sending'] : ['sending', 'unknown'])
      .executeTakeFirst()
    if (end.state === 'unknown' && Number(numUpdatedRows) > 0) await notifyUnknown(trx, now(), claim, [{ target }])
  })

/** Ends deliveries that were not begun. */
export const failWaiting = (
  { db, now }: Pick<RunDeps, 'db' | 'now'>,
  claim: RunClaim,
  ids: readonly number[] | 'all',
  reason: string,
): Promise<void> =>
  withRun(db, claim, async (trx) => {
    await trx
      .updateTable('report_delivery')
      .set({ state: 'failed', error_message: reason, next_attempt_at: null, ended_on: formatStoredTime(now()) })
      .where('run_id', '=', claim.id)
      .where('state', '=', 'waiting')
      .$if(ids !== 'all', (query) => query.where('id', 'in', ids as number[]))
      .execute()
  })
