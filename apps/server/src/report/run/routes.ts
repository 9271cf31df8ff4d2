import { AppError, message, type RecipientType, reportRoutes as contracts } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import type { Principal } from '../../access/principal.ts'
import type { App } from '../../http/app.ts'
import { visibleRow } from '../../http/resource.ts'
import { readContext } from '../../http/serve-resource.ts'
import { serve } from '../../http/serve.ts'
import { formatStoredTime } from '../../store/time.ts'
import type { ReportDeps } from '../deps.ts'
import { listMissingSettings } from '../recipients.ts'
import type { ReportRow } from '../report-owner.ts'
import { reportResource } from '../report-resource.ts'
import { lockReport } from './run-record.ts'
import { sendAgain } from './send-again.ts'

const withoutChannel = (settings: readonly string[]): AppError =>
  new AppError('unprocessable', {
    message: message('errors.report.withoutChannel', 'Nothing can be sent before these settings are set: {settings}.', {
      settings: settings.join(', '),
    }),
  })
const withoutAddress = message(
  'errors.report.withoutAddress',
  'Your account has no e-mail address. Ask an administrator to add one.',
)
const isRunning = message('errors.report.isRunning', 'This report is being sent already.')
const withoutRecipients = message('errors.report.withoutRecipients', 'Add recipients to the report first.')

/** Running reports by hand, repeating deliveries, and files that were sent; with the flag ALERT_REPORTS. */
export function reportRunRoutes(app: App, deps: ReportDeps): void {
  const { db, now, settings, channels } = deps
  if (settings.flags['ALERT_REPORTS'] !== true) return
  const find = (id: number, principal: Principal) =>
    visibleRow<ReportRow>(reportResource, id, readContext(app, principal))

  async function checkRecipients(report: ReportRow, to: 'recipients' | 'me', principal: Principal): Promise<void> {
    if (to === 'me') {
      const missing = channels.Email.missingSettings()
      if (missing.length > 0) throw withoutChannel(missing)
      if (principal.email === '') throw new AppError('unprocessable', { message: withoutAddress })
      return
    }
    const recipients = await db
      .selectFrom('report_recipient')
      .select('type')
      .where('report_id', '=', report.id)
      .execute()
    if (recipients.length === 0) throw new AppError('unprocessable', { message: withoutRecipients })
    const missing = listMissingSettings(
      deps,
      recipients.map(({ type }) => ({ type: type as RecipientType })),
    )
    if (missing.length > 0) throw withoutChannel(missing)
  }

  serve(app, contracts.run, async ({ params, body, principal, event, reply }) => {
    const report = await find(params.id, principal)
    event.json = { id: report.id, to: body.to }
    await checkRecipients(report, body.to, principal)
    const trigger = body.to === 'me' ? 'test' : 'now'
    const uuid = randomUUID()
    await db.transaction().execute(async (trx) => {
      await lockReport(trx, report.id)
      const running = await trx
        .selectFrom('report_run')
        .select('id')
        .where('report_id', '=', report.id)
        .where('trigger', '=', trigger)
        .where('state', '=', 'Working')
        .$if(trigger === 'test', (query) => query.where('user_id', '=', principal.id))
        .executeTakeFirst()
      if (running) throw new AppError('conflict', { message: isRunning })
      await trx
        .insertInto('report_run')
        .values({
          uuid,
          report_id: report.id,
          trigger,
          slot: null,
          user_id: principal.id,
          run_as_fk: null,
          owner: null,
          next_attempt_at: null,
          state: 'Working',
          scheduled_dttm: formatStoredTime(now()),
          start_dttm: null,
          end_dttm: null,
          value: null,
          value_row_json: null,
          error_message: null,
        })
        .execute()
    })
    return reply.code(202).send({ result: { uuid } })
  })

  serve(app, contracts.sendAgain, async ({ params, principal, event, reply }) => {
    const delivery = await db
      .selectFrom('report_delivery')
      .selectAll()
      .where('uuid', '=', params.uuid)
      .executeTakeFirst()
    if (!delivery) throw new AppError('not_found')
    const { report_id } = await db
      .selectFrom('report_run')
      .select('report_id')
      .where('id', '=', delivery.run_id)
      .executeTakeFirstOrThrow()
    const report = await find(report_id, principal)
    event.json = { id: report.id, delivery: delivery.uuid }
    await sendAgain(db, delivery, report.id)
    return reply.code(202).send({ result: { uuid: delivery.uuid } })
  })

  serve(app, contracts.file, async ({ params, principal, event, reply }) => {
    const file = await db
      .selectFrom('report_file')
      .innerJoin('report_run', 'report_run.id', 'run_id')
      .select(['report_file.id', 'report_id', 'report_file.user_id', 'is_shared', 'name', 'media_type'])
      .where('report_file.uuid', '=', params.uuid)
      .executeTakeFirst()
    if (!file) throw new AppError('not_found')
    const isOwn = file.user_id === principal.id
    // A file shows the rows of one user. Another owner of the report may be restricted to fewer, and cannot choose whose rights it uses.
    if (!isOwn && !principal.isAdmin) throw new AppError('not_found')
    if (file.is_shared === 1 || !isOwn) await find(file.report_id, principal)
    event.json = { id: file.report_id, file: params.uuid }
    const { bytes } = await db
      .selectFrom('report_file')
      .select('bytes')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow()
    return reply
      .type(file.media_type)
      .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
      .header('Cache-Control', 'no-store')
      .send(bytes)
  })
}
