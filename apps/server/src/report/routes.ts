import { AppError, message, reportRoutes as routes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { App } from '../http/app.ts'
import { computedColumn } from '../http/column-resolvers.ts'
import { serveRemoving } from '../http/removing.ts'
import { accessConditions, list, show, visibleRow } from '../http/resource.ts'
import { readContext, refuseStale, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { authorizeChange, invalidPayload } from '../http/writing.ts'
import { and } from '../store/conditions.ts'
import { evaluateCondition } from './alert/evaluate-condition.ts'
import type { ReportDeps } from './deps.ts'
import { logResource, type ReportRunRow } from './log-resource.ts'
import type { ReportRow } from './report-owner.ts'
import { reportResource } from './report-resource.ts'
import { createReport, updateReport } from './save-report.ts'
import { describeCrontab } from './schedule/describe-crontab.ts'
import { isCrontab, isTimeZone, listNextRuns } from './schedule/schedule.ts'

const write = ['can_write', 'ReportSchedule'] as const

/** `/api/v1/report/` without runs, with the flag ALERT_REPORTS. */
export function reportRoutes(app: App, deps: ReportDeps): void {
  if (deps.settings.flags['ALERT_REPORTS'] !== true) return
  const locale = deps.settings.config.BABEL_DEFAULT_LOCALE
  serveReading(app, routes, {
    ...reportResource,
    resolvers: {
      ...reportResource.resolvers,
      crontab_humanized: computedColumn<ReportRow>(({ crontab }) => describeCrontab(crontab, locale)),
    },
  })
  serve(app, routes.create, async ({ body, principal, event, signal, reply }) => {
    const created = await createReport(deps, { ...readContext(app, principal), event }, body, signal)
    return reply.code(201).send(created)
  })
  serve(app, routes.update, async ({ params, body, principal, event, signal, request }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<ReportRow>(reportResource, params.id, context)
    await authorizeChange(context, write, { kind: 'report', id: row.id })
    const seen = refuseStale(row, request.headers['if-match'], undefined)
    return { id: row.id, ...(await updateReport(deps, context, row, body, seen, signal)) }
  })
  serveRemoving(app, routes, {
    resource: reportResource,
    action: write,
    words: ['report schedule', 'report schedules'],
    async remove(trx, { id }) {
      await trx.deleteFrom('report').where('id', '=', id).execute()
    },
  })

  serve(app, routes.logList, ({ params, rison, principal }) => {
    const context = readContext(app, principal)
    const visible = and([sql<SqlBool>`report.id = ${params.id}`, ...accessConditions(reportResource, context)])
    const within = sql<SqlBool>`report_run.report_id in (select report.id from report where ${visible})`
    return list(logResource, rison, context, within) as never
  })
  serve(app, routes.logItem, async ({ params, rison, principal }) => {
    const context = readContext(app, principal)
    const report = await visibleRow<ReportRow>(reportResource, params.id, context)
    const run = await visibleRow<ReportRunRow>(logResource, params.log_id, context)
    if (run.report_id !== report.id) throw new AppError('not_found')
    return (await show(logResource, run, rison, context)) as never
  })

  serve(app, routes.nextRuns, ({ rison: { crontab, timezone = 'UTC' } }) => {
    if (!isCrontab(crontab) || !isTimeZone(timezone))
      throw new AppError('bad_request', {
        message: message(
          'errors.report.schedule',
          'The schedule "{crontab}" in the time zone "{timezone}" is not valid.',
          {
            crontab,
            timezone,
          },
        ),
      })
    const times = listNextRuns({ crontab, timezone }, deps.now(), 5)
    if (times.length === 0)
      throw new AppError('bad_request', {
        message: message('errors.report.neverRuns', 'This schedule never runs. Choose days that exist.'),
      })
    return { result: times.map((time) => time.toISOString()), words: describeCrontab(crontab, locale) }
  })
  serve(app, routes.testCondition, async ({ body, principal, signal }) => {
    const { database = null, sql: text = null, extra, validator_type, validator_config_json = {} } = body
    const metric = extra?.parquetry?.metric
    if (!metric && database === null)
      throw invalidPayload({ database: [message('errors.fields.missing', 'Missing data for required field.')] })
    const condition = {
      database_id: database,
      sql: text,
      metric,
      validator_type,
      validator_config: validator_config_json,
    }
    return { result: await evaluateCondition(deps, condition, principal, signal) }
  })
}
