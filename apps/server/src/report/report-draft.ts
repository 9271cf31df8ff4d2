import type {
  ReportExtra,
  ReportPost,
  ReportPut,
  ReportRecipient,
  ReportType,
  ValidatorConfig,
  RecipientType,
} from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { ReportRow } from './report-owner.ts'
import { parseReportExtra, parseRecipientConfig, parseValidatorConfig } from './stored-json.ts'

/** A report as it will be after a change. */
export interface ReportDraft {
  type: ReportType
  name: string
  crontab: string
  timezone: string
  active: boolean
  creation_method: string
  chart_id: number | null
  dashboard_id: number | null
  database_id: number | null
  sql: string | null
  validator_type: string | null
  validator_config: ValidatorConfig
  report_format: string
  extra: ReportExtra
  recipients: readonly ReportRecipient[]
}

const newReport: ReportDraft = {
  type: 'Report',
  name: '',
  crontab: '',
  timezone: 'UTC',
  active: true,
  creation_method: 'alerts_reports',
  chart_id: null,
  dashboard_id: null,
  database_id: null,
  sql: null,
  validator_type: null,
  validator_config: {},
  report_format: 'PNG',
  extra: {},
  recipients: [],
}

/** A stored report in the form in which changes are checked. */
export async function readDraft(db: Kysely<Tables>, row: ReportRow): Promise<ReportDraft> {
  const recipients = await db
    .selectFrom('report_recipient')
    .select(['type', 'recipient_config_json'])
    .where('report_id', '=', row.id)
    .orderBy('id')
    .execute()
  return {
    ...row,
    type: row.type as ReportType,
    active: row.active === 1,
    validator_config: parseValidatorConfig(row.validator_config_json),
    extra: parseReportExtra(row.extra_json),
    recipients: recipients.map(({ type, recipient_config_json }) => ({
      type: type as RecipientType,
      recipient_config_json: parseRecipientConfig(recipient_config_json),
    })),
  }
}

/** A chart replaces the dashboard of a report and the other way round, unless the body names both. */
function mergeTarget(
  { chart_id, dashboard_id }: ReportDraft,
  { chart, dashboard }: ReportPut,
): Pick<ReportDraft, 'chart_id' | 'dashboard_id'> {
  return {
    chart_id: chart === undefined ? (dashboard == null ? chart_id : null) : chart,
    dashboard_id: dashboard === undefined ? (chart == null ? dashboard_id : null) : dashboard,
  }
}

/** Recipients of a body; one that was read as JSON text is parsed. */
export const readRecipients = (recipients: readonly ReportRecipient[]): ReportRecipient[] =>
  recipients.map(({ type, recipient_config_json: config }) => ({
    type,
    recipient_config_json: typeof config === 'string' ? parseRecipientConfig(config) : (config ?? {}),
  }))

/** The report that a body makes of `before`, or a new one. */
export function mergeDraft(body: ReportPost | ReportPut, before: ReportDraft = newReport): ReportDraft {
  const type = body.type ?? before.type
  return {
    type,
    name: body.name ?? before.name,
    crontab: body.crontab ?? before.crontab,
    timezone: body.timezone ?? before.timezone,
    active: body.active ?? before.active,
    creation_method: body.creation_method ?? before.creation_method,
    ...mergeTarget(before, body),
    database_id: type === 'Alert' ? (body.database ?? before.database_id) : null,
    sql: body.sql === undefined ? before.sql : body.sql,
    validator_type: body.validator_type === undefined ? before.validator_type : body.validator_type,
    validator_config: body.validator_config_json ?? before.validator_config,
    report_format: body.report_format ?? before.report_format,
    extra: body.extra ?? before.extra,
    recipients: body.recipients ? readRecipients(body.recipients) : before.recipients,
  }
}
