import { AppError, type FieldMessages, message, type ReportPost, type ReportPut } from '@parquetry/model'
import { can, canReadData } from '../access/access.ts'
import { parseObject } from '../http/json-body.ts'
import { FieldErrorCollector, invalidPayload, type WriteContext } from '../http/writing.ts'
import { checkEditors } from '../http/subjects.ts'
import { checkRecipients, listOutsiders } from './recipients.ts'
import type { ReportDeps } from './deps.ts'
import type { ReportDraft } from './report-draft.ts'
import { findRestrictedTables } from './restricted-content.ts'
import { isCrontab, isTimeZone, findNextRun, shortestGap } from './schedule/schedule.ts'

type Body = ReportPost | ReportPut

/** @throws AppError `invalid_payload` naming the fields that can never be valid */
export function checkFormats({ settings }: Pick<ReportDeps, 'settings'>, body: Body, draft: ReportDraft): void {
  const errors = new FieldErrorCollector(invalidPayload)
  const { ALERT_REPORTS_MIN_CUSTOM_SCREENSHOT_WIDTH: minWidth, ALERT_REPORTS_MAX_CUSTOM_SCREENSHOT_WIDTH: maxWidth } =
    settings.config
  if (body.crontab !== undefined && !isCrontab(body.crontab))
    errors.add('crontab', message('errors.report.crontab', 'Cron expression is not valid'))
  if (body.timezone !== undefined && !isTimeZone(body.timezone))
    errors.add(
      'timezone',
      message('errors.report.timezone', 'Not a valid time zone. Use a name such as Europe/Berlin or UTC.'),
    )
  if (draft.type === 'Report' && body.database != null)
    errors.add('database', message('errors.report.databaseOfReport', 'Database reference is not allowed on a report'))
  if (body.custom_width != null && (body.custom_width < minWidth || body.custom_width > maxWidth))
    errors.add(
      'custom_width',
      message('errors.report.width', 'Screenshot width must be between {min}px and {max}px', {
        min: minWidth,
        max: maxWidth,
      }),
    )
  errors.throwIfAny()
}

const databaseMissing = message('errors.report.databaseMissing', 'Database does not exist')

/** Problems of the schedule, judged over a representative span. */
function findScheduleProblem({ settings, now }: ReportDeps, draft: ReportDraft) {
  if (!findNextRun(draft, now()))
    return message('errors.report.neverRuns', 'This schedule never runs. Choose days that exist.')
  const { ALERT_MINIMUM_INTERVAL, REPORT_MINIMUM_INTERVAL } = settings.config
  const seconds = draft.type === 'Alert' ? ALERT_MINIMUM_INTERVAL : REPORT_MINIMUM_INTERVAL
  if (seconds > 0 && shortestGap(draft.crontab, seconds) < seconds)
    return message(
      'errors.report.tooOften',
      '{type} schedule frequency exceeding limit. Please configure a schedule with a minimum interval of {minutes, number} minutes per execution.',
      { type: draft.type, minutes: Math.ceil(seconds / 60) },
    )
  return undefined
}

/** Checks the condition of an alert. */
async function checkAlert(context: WriteContext, draft: ReportDraft, problems: FieldMessages): Promise<void> {
  const metric = draft.extra.parquetry?.metric
  if (metric) {
    if (!(await canReadData(context, metric.dataset)))
      problems['extra'] = [message('errors.report.datasetMissing', 'The dataset of the metric does not exist')]
  } else if (draft.database_id === null)
    problems['database'] = message('errors.report.databaseNeeded', 'Database is required for alerts')
  else if (!(await can(context, ['can_read', 'Database'], { kind: 'database', id: draft.database_id })))
    problems['database'] = databaseMissing
  else if (!draft.sql?.trim()) problems['sql'] = [message('errors.report.sqlNeeded', 'SQL is required for alerts')]
  const { op, threshold } = draft.validator_config
  if (draft.validator_type === null)
    problems['validator_type'] = [
      message('errors.report.validatorNeeded', 'Choose when the alert is triggered: "not null" or "operator".'),
    ]
  else if (draft.validator_type === 'operator' && (op === undefined || threshold === undefined))
    problems['validator_config_json'] = [
      message('errors.report.thresholdNeeded', 'An operator needs "op" and "threshold".'),
    ]
}

/** Checks the content: at most a chart or a dashboard, which the caller may see, in a format that it has. */
async function checkContent(context: WriteContext, draft: ReportDraft, problems: FieldMessages): Promise<void> {
  const { chart_id, dashboard_id, report_format, creation_method } = draft
  if (chart_id !== null && dashboard_id !== null) {
    problems['chart'] = message('errors.report.both', 'Choose a chart or dashboard not both')
    return
  }
  if (chart_id !== null) {
    if (!(await can(context, ['can_read', 'Chart'], { kind: 'chart', id: chart_id })))
      problems['chart'] = message('errors.report.chartMissing', 'Chart does not exist')
    return
  }
  if (dashboard_id !== null) {
    if (!(await can(context, ['can_read', 'Dashboard'], { kind: 'dashboard', id: dashboard_id })))
      problems['dashboard'] = message('errors.report.dashboardMissing', 'Dashboard does not exist')
    else if (report_format === 'CSV' || report_format === 'TEXT')
      problems['report_format'] = [
        message('errors.report.format', 'A dashboard has no {format}. Choose PDF, PNG or XLSX, or send a chart.', {
          format: report_format,
        }),
      ]
    else await checkTabs(context, draft, problems)
    return
  }
  if (creation_method === 'charts')
    problems['chart'] = message(
      'errors.report.chartNotSaved',
      'Please save your chart first, then try creating a new email report.',
    )
  else if (creation_method === 'dashboards')
    problems['dashboard'] = message(
      'errors.report.dashboardNotSaved',
      'Please save your dashboard first, then try creating a new email report.',
    )
  else if (report_format !== 'NONE') problems['chart'] = message('errors.report.neither', 'Choose a chart or dashboard')
}

/** Tabs that a report chooses exist in its dashboard. */
async function checkTabs(
  { db }: WriteContext,
  { dashboard_id, extra: { dashboard: state } }: ReportDraft,
  problems: FieldMessages,
): Promise<void> {
  const chosen = [...(state?.activeTabs ?? []), ...(state?.anchor ? [state.anchor] : [])]
  if (chosen.length === 0) return
  const row = await db
    .selectFrom('dashboard')
    .select('position_json')
    .where('id', '=', dashboard_id ?? -1)
    .executeTakeFirst()
  const layout = parseObject(row?.position_json ?? null)
  const missing = chosen.filter((tab) => !Object.hasOwn(layout, tab))
  if (missing.length > 0)
    problems['extra'] = [
      message('errors.report.tabs', 'The dashboard has no tabs with these ids: {ids}', { ids: missing.join(', ') }),
    ]
}

/** Options that a feature flag switches off; stored ones stay. */
function checkFlags({ settings }: ReportDeps, { extra }: Body, problems: FieldMessages): void {
  const { anchor, activeTabs = [], dataMask = {}, nativeFilters = [] } = extra?.dashboard ?? {}
  const isOff = (name: string) => settings.flags[name] !== true
  if ((anchor || activeTabs.length > 0) && isOff('ALERT_REPORT_TABS'))
    problems['extra'] = [
      message('errors.report.noTabs', 'Tabs cannot be chosen: the feature flag ALERT_REPORT_TABS is off.'),
    ]
  else if ((Object.keys(dataMask).length > 0 || nativeFilters.length > 0) && isOff('ALERT_REPORTS_FILTER'))
    problems['extra'] = [
      message('errors.report.noFilters', 'Filters cannot be chosen: the feature flag ALERT_REPORTS_FILTER is off.'),
    ]
}

/** Recipients without an account to whom rows of restricted tables would be sent without a confirmation. */
async function findUnconfirmed(deps: ReportDeps, { principal }: WriteContext, draft: ReportDraft, signal: AbortSignal) {
  const confirmed = new Set((draft.extra.parquetry?.confirmed ?? []).map((target) => target.trim().toLowerCase()))
  const outsiders = (await listOutsiders(deps.db, draft.recipients)).filter(
    (target) => !confirmed.has(target.toLowerCase()),
  )
  if (outsiders.length === 0) return undefined
  const tables = await findRestrictedTables(deps, principal, toSource(draft), signal)
  return tables.length === 0
    ? undefined
    : message(
        'errors.report.unconfirmed',
        'These recipients have no account: {recipients}. They would get rows of {tables}, which row-level security rules restrict. Confirm each of them, or choose users instead.',
        { recipients: outsiders.join(', '), tables: tables.join(', ') },
      )
}

/** The content of a report and the condition that triggers it. */
export const toSource = ({ chart_id, dashboard_id, database_id, sql, extra }: ReportDraft) => ({
  chart_id,
  dashboard_id,
  database_id,
  sql,
  metric: extra.parquetry?.metric,
})

/**
 * Checks a report as it will be after a change. Objects that neither the change nor the person whose rights it uses is about are
 * not checked again.
 * @param isSentChanged  the body changes what is sent, to whom or when it is triggered
 * @throws AppError `unprocessable` naming the fields that are wrong; `invalid_payload` for targets that are not well-formed
 */
export async function checkReport(
  deps: ReportDeps,
  context: WriteContext,
  { body, draft, isSentChanged }: { body: Body; draft: ReportDraft; isSentChanged: boolean },
  signal: AbortSignal,
): Promise<void> {
  const problems: FieldMessages = {}
  const isScheduleChanged = body.crontab !== undefined || body.timezone !== undefined || body.type !== undefined
  const schedule = isScheduleChanged || body.active === true ? findScheduleProblem(deps, draft) : undefined
  if (schedule) problems['crontab'] = [schedule]
  if (isSentChanged) {
    if (draft.type === 'Alert') await checkAlert(context, draft, problems)
    await checkContent(context, draft, problems)
  }
  checkFlags(deps, body, problems)
  const owners = new FieldErrorCollector((fields) => new AppError('unprocessable', { fields }))
  await checkEditors(context, { owners: body.owners }, owners)
  if (owners.has('owners')) problems['owners'] = [message('errors.fields.owners', 'Owners are invalid')]
  const recipients = body.recipients && (await checkRecipients(deps, draft.recipients))
  if (recipients) problems['recipients'] = recipients
  if (isSentChanged && Object.keys(problems).length === 0) {
    const unconfirmed = await findUnconfirmed(deps, context, draft, signal)
    if (unconfirmed) problems['recipients'] = [unconfirmed]
  }
  if (Object.keys(problems).length > 0) throw new AppError('unprocessable', { fields: problems })
}
