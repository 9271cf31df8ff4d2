import type {
  AlertMetric,
  ReportConditionRequest,
  ReportContentRequest,
  ReportDetail,
  ReportExtra,
  ReportFormat,
  ReportPost,
  ReportType,
  ValidatorOperator,
} from '@parquetry/model'
import { noRecipients, readRecipients, toApiRecipients, type Recipients } from './recipients.ts'

/** The chart or dashboard that a report sends. */
export type ReportTarget = 'chart' | 'dashboard'

/** A chart or dashboard by its id, with its name. */
export interface NamedTarget {
  kind: ReportTarget
  id: number
  name: string
}

/** Filters of an open dashboard, as in a permalink. */
export interface PageFilters {
  dataMask: Record<string, unknown>
  urlParams: string[][]
}

export type CreationMethod = 'charts' | 'dashboards' | 'alerts_reports'

/** Initial values of a new report. */
export interface ReportStart {
  type: ReportType
  creation_method: CreationMethod
  target?: NamedTarget | undefined
}

/** Form state of an alert or report. */
export interface ReportDraft {
  type: ReportType
  name: string
  description: string
  active: boolean
  /** Ids of users as text. */
  owners: string[]
  target: ReportTarget
  chart: number | null
  dashboard: number | null
  /** Id of the tab that is sent; empty for the whole dashboard. */
  tab: string
  /** Filters of the saved dashboard, of the open page, or those that the report stores already. */
  filters: 'saved' | 'page' | 'stored'
  crontab: string
  timezone: string
  condition: 'sql' | 'metric'
  database: number | null
  sql: string
  dataset: number | null
  metric: AlertMetric['metric'] | null
  timeRange: string
  operator: ValidatorOperator | 'not null'
  threshold: number | null
  recipients: Recipients
  /** Targets to which the owner confirmed to send restricted rows. */
  confirmed: string[]
  rows: 'owner' | 'recipient'
  format: ReportFormat
  orientation: 'portrait' | 'landscape'
  note: string
  subject: string
  gracePeriodS: number | null
  workingTimeoutS: number | null
  logRetentionDays: number | null
  missed: 'run' | 'log'
  width: number | null
}

/** The defaults of the API. */
const defaults = { gracePeriodS: 14_400, workingTimeoutS: 3600, logRetentionDays: 90 } as const
const noTimeRange = 'No filter'

export function newDraft(
  start: ReportStart,
  hasPageState: boolean,
  timezone: string,
  userId: number | null,
): ReportDraft {
  const { type, target } = start
  return {
    type,
    name: target?.name ?? '',
    description: '',
    active: true,
    owners: userId === null ? [] : [String(userId)],
    target: target?.kind ?? 'dashboard',
    chart: target?.kind === 'chart' ? target.id : null,
    dashboard: target?.kind === 'dashboard' ? target.id : null,
    tab: '',
    filters: hasPageState ? 'page' : 'saved',
    crontab: type === 'Alert' ? '0 * * * *' : '0 8 * * 1-5',
    timezone,
    condition: 'sql',
    database: null,
    sql: '',
    dataset: null,
    metric: null,
    timeRange: noTimeRange,
    operator: '>',
    threshold: null,
    recipients: noRecipients,
    confirmed: [],
    rows: 'owner',
    format: 'PDF',
    orientation: 'landscape',
    note: '',
    subject: '',
    ...defaults,
    missed: 'run',
    width: null,
  }
}

function parseObject(json: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const hasMask = ({ dashboard }: ReportExtra): boolean => Object.keys(dashboard?.dataMask ?? {}).length > 0

export function readDraft(stored: ReportDetail): ReportDraft {
  const { extra, chart, dashboard, validator_type } = stored
  const { parquetry: options = {} } = extra
  const { op, threshold } = parseObject(stored.validator_config_json)
  return {
    type: stored.type,
    name: stored.name,
    description: stored.description ?? '',
    active: stored.active || options.awaits_channel === true,
    owners: stored.owners.map(({ id }) => String(id)),
    target: chart ? 'chart' : 'dashboard',
    chart: chart?.id ?? null,
    dashboard: dashboard?.id ?? null,
    tab: extra.dashboard?.anchor ?? '',
    filters: hasMask(extra) ? 'stored' : 'saved',
    crontab: stored.crontab,
    timezone: stored.timezone,
    condition: options.metric ? 'metric' : 'sql',
    database: stored.database?.id ?? null,
    sql: stored.sql ?? '',
    dataset: options.metric?.dataset ?? null,
    metric: options.metric?.metric ?? null,
    timeRange: options.metric?.time_range ?? noTimeRange,
    operator: validator_type === 'not null' ? 'not null' : ((op as ValidatorOperator | undefined) ?? '>'),
    threshold: typeof threshold === 'number' ? threshold : null,
    recipients: readRecipients(stored.recipients),
    confirmed: [...(options.confirmed ?? [])],
    rows: options.rows ?? 'owner',
    format: stored.report_format,
    orientation: options.orientation ?? 'landscape',
    note: stored.context_markdown ?? '',
    subject: stored.email_subject ?? '',
    gracePeriodS: stored.grace_period ?? defaults.gracePeriodS,
    workingTimeoutS: stored.working_timeout,
    logRetentionDays: stored.log_retention,
    missed: options.missed ?? 'run',
    width: stored.custom_width,
  }
}

/** Formats that exist for what is sent: a dashboard has no single table. */
export const listFormats = (target: ReportTarget): ReportFormat[] =>
  target === 'dashboard' ? ['PDF', 'PNG', 'XLSX', 'NONE'] : ['PDF', 'PNG', 'XLSX', 'CSV', 'TEXT', 'NONE']

interface DraftContext {
  /** The stored report, whose unknown settings are preserved. */
  stored: ReportDetail | null
  page: PageFilters | null
}

function buildDashboardState(draft: ReportDraft, { stored, page }: DraftContext): ReportExtra['dashboard'] {
  if (draft.target === 'chart') return undefined
  const { anchor: _anchor, ...before } = stored?.extra.dashboard ?? {}
  const { dataMask: _mask, urlParams: _params, nativeFilters: _filters, ...unfiltered } = before
  const filtered =
    draft.filters === 'page' && page
      ? { ...unfiltered, dataMask: page.dataMask, urlParams: page.urlParams }
      : draft.filters === 'stored'
        ? before
        : unfiltered
  const state = { ...filtered, ...(draft.tab !== '' && { anchor: draft.tab, activeTabs: [draft.tab] }) }
  if (draft.tab === '') delete state.activeTabs
  return Object.keys(state).length > 0 ? state : undefined
}

function buildMetric({ type, condition, dataset, metric, timeRange }: ReportDraft, stored: ReportDetail | null) {
  if (type === 'Report' || condition === 'sql' || dataset === null || metric === null) return undefined
  const before = stored?.extra.parquetry?.metric
  return {
    ...(before?.dataset === dataset && before),
    dataset,
    metric,
    time_range: timeRange,
  } satisfies AlertMetric
}

/** Settings of the report that the API stores as one document; those that the form does not know stay. */
export function buildExtra(draft: ReportDraft, context: DraftContext): ReportExtra {
  const { dashboard: _dashboard, parquetry, ...others } = context.stored?.extra ?? {}
  const { metric: _metric, ...options } = parquetry ?? {}
  const dashboard = buildDashboardState(draft, context)
  const metric = buildMetric(draft, context.stored)
  return {
    ...others,
    ...(dashboard && { dashboard }),
    parquetry: {
      ...options,
      missed: draft.missed,
      rows: draft.rows,
      confirmed: draft.confirmed,
      orientation: draft.orientation,
      ...(metric && { metric }),
    },
  }
}

const validator = ({
  operator,
  threshold,
}: ReportDraft): Pick<ReportPost, 'validator_type' | 'validator_config_json'> =>
  operator === 'not null'
    ? { validator_type: 'not null', validator_config_json: {} }
    : {
        validator_type: 'operator',
        validator_config_json: { op: operator, ...(threshold !== null && { threshold }) },
      }

const targetOf = ({ target, chart, dashboard }: ReportDraft) =>
  target === 'chart' ? { chart, dashboard: null } : { chart: null, dashboard }

/** The report for the API, to create or to change it. */
export function toApiReport(draft: ReportDraft, context: DraftContext): Omit<ReportPost, 'creation_method'> {
  const isAlert = draft.type === 'Alert'
  const isSql = isAlert && draft.condition === 'sql'
  return {
    type: draft.type,
    name: draft.name.trim(),
    description: draft.description.trim(),
    active: draft.active,
    owners: draft.owners.map(Number),
    ...targetOf(draft),
    crontab: draft.crontab.trim(),
    timezone: draft.timezone,
    ...(isSql && { sql: draft.sql, ...(draft.database !== null && { database: draft.database }) }),
    ...(isAlert && validator(draft)),
    ...(isAlert && draft.gracePeriodS !== null && { grace_period: draft.gracePeriodS }),
    ...(draft.workingTimeoutS !== null && { working_timeout: draft.workingTimeoutS }),
    ...(draft.logRetentionDays !== null && { log_retention: draft.logRetentionDays }),
    recipients: toApiRecipients(draft.recipients),
    report_format: draft.format,
    context_markdown: draft.note.trim() || null,
    email_subject: draft.subject.trim() || null,
    custom_width: draft.width,
    extra: buildExtra(draft, context),
  }
}

/** Request for a preview of the report. */
export const toContentRequest = (draft: ReportDraft, context: DraftContext): ReportContentRequest => ({
  ...targetOf(draft),
  extra: buildExtra(draft, context),
  custom_width: draft.width,
  report_format: draft.format,
  timezone: draft.timezone,
})

/** The condition of an alert, to evaluate it now. */
export const toConditionRequest = (draft: ReportDraft, context: DraftContext): ReportConditionRequest => ({
  ...(draft.condition === 'sql' ? { sql: draft.sql, database: draft.database } : {}),
  extra: buildExtra(draft, context),
  ...(validator(draft) as Pick<ReportConditionRequest, 'validator_type' | 'validator_config_json'>),
})
