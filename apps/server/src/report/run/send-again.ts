import { AppError, message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'
import type { DeliveryRow } from './delivery-record.ts'
import { lockReport } from './run-record.ts'

const notAgain = message(
  'errors.report.notAgain',
  'Only a delivery that failed or may not have arrived can be sent again. This one is {state}.',
)
const neverReachable = message(
  'errors.report.neverReachable',
  'Nothing could be sent to this recipient. Correct the recipients of the report, and send the whole report.',
)

/**
 * Puts a delivery back among the waiting ones, and continues its run.
 * @throws AppError `conflict` if it is not one that failed or may not have arrived, for example because it was sent again already
 */
export const sendAgain = (
  db: Kysely<Tables>,
  { id, run_id, config_json }: DeliveryRow,
  reportId: number,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (config_json === '{}') throw new AppError('conflict', { message: neverReachable })
    await lockReport(trx, reportId)
    const { numUpdatedRows } = await trx
      .updateTable('report_delivery')
      .set({ state: 'waiting', next_attempt_at: null, error_message: null, ended_on: null })
      .where('id', '=', id)
      .where('state', 'in', ['failed', 'unknown'])
      .executeTakeFirst()
    if (Number(numUpdatedRows) === 0) {
      const { state } = await trx
        .selectFrom('report_delivery')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      throw new AppError('conflict', { message: { ...notAgain, values: { state } } })
    }
    // A run that has not ended takes it up anyway.
    await trx
      .updateTable('report_run')
      .set({ state: 'Working', owner: null, next_attempt_at: null, end_dttm: null, error_message: null })
      .where('id', '=', run_id)
      .where('state', '!=', 'Working')
      .execute()
    await trx
      .updateTable('report_run')
      .set({ next_attempt_at: null })
      .where('id', '=', run_id)
      .where('owner', 'is', null)
      .execute()
  })
