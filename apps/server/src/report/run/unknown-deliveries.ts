import { message } from '@parquetry/model'
import type { Transaction } from 'kysely'
import { notify } from '../../notification/notify.ts'
import type { Tables } from '../../store/tables.ts'
import { formatStoredTime } from '../../store/time.ts'
import type { RunDeps } from './deps.ts'
import { logPath, notifiedUsers } from './owners.ts'
import { toText } from './report-texts.ts'

const lost = message(
  'errors.report.mayHaveBeenSent',
  'The server ended while this message was handed over. It may have been sent, so it is not repeated automatically.',
)

/** Records that the messages which a run was handing over may have been sent, and tells the owners. */
export async function markUnknown(
  trx: Transaction<Tables>,
  { now, settings }: Pick<RunDeps, 'now' | 'settings'>,
  run: { id: number; report_id: number },
): Promise<void> {
  const unknown = await trx
    .updateTable('report_delivery')
    .set({ state: 'unknown', error_message: toText(lost, settings), ended_on: formatStoredTime(now()) })
    .where('run_id', '=', run.id)
    .where('state', '=', 'sending')
    .returning('target')
    .execute()
  if (unknown.length > 0) await notifyUnknown(trx, now(), run, unknown)
}

/** Tells the owners of a report that messages of a run may have been sent; once per run. */
export async function notifyUnknown(
  trx: Transaction<Tables>,
  now: Date,
  { id, report_id }: { id: number; report_id: number },
  deliveries: readonly { target: string }[],
): Promise<void> {
  const { count } = await trx
    .selectFrom('report_delivery')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('run_id', '=', id)
    .where('state', '=', 'unknown')
    .executeTakeFirstOrThrow()
  if (Number(count) > deliveries.length) return
  const report = await trx.selectFrom('report').selectAll().where('id', '=', report_id).executeTakeFirst()
  if (!report) return
  const { name, type } = report
  await notify(trx, now, await notifiedUsers(trx, report), {
    kind: 'report_may_have_been_sent',
    parameters: { name, type, recipients: deliveries.map(({ target }) => target).slice(0, 20) },
    path: logPath(report),
  })
}
