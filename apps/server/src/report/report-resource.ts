import { ReportPost, ReportPut } from '@parquetry/model'
import { sql } from 'kysely'
import { chartAccess, dashboardAccess } from '../access/access.ts'
import {
  auditColumns,
  booleanColumns,
  computedColumn,
  databaseColumn,
  ownersColumn,
  sortByUser,
} from '../http/column-resolvers.ts'
import {
  anyContains,
  booleanFilter,
  numberFilter,
  ownersFilter,
  textFilter,
  timeFilter,
  toOneFilter,
} from '../http/filters.ts'
import { relatedDatabases, relatedObjects, relatedUsers } from '../http/related.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { describeCrontab } from './schedule/describe-crontab.ts'
import type { ReportRow } from './report-owner.ts'
import { parseReportExtra } from './stored-json.ts'

/** Some columns of the chart or dashboard whose id is in a column, or null. */
const targetColumn =
  (table: 'chart' | 'dashboard', columns: readonly string[]): ColumnResolver<ReportRow> =>
  async (rows, { db }) => {
    const ids = rows.flatMap((row) => row[`${table}_id`] ?? [])
    if (ids.length === 0) return rows.map(() => null)
    const found = await sql<{ id: number }>`select ${sql.join(columns.map((name) => sql.ref(name)))}
      from ${sql.table(table)} where id in (${sql.join(ids)})`.execute(db)
    return rows.map((row) => found.rows.find(({ id }) => id === row[`${table}_id`]) ?? null)
  }

const recipientsColumn: ColumnResolver<ReportRow> = async (rows, { db }) => {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const found = await db
    .selectFrom('report_recipient')
    .select(['id', 'report_id', 'type', 'recipient_config_json'])
    .where('report_id', 'in', ids)
    .orderBy('id')
    .execute()
  const byReport = Map.groupBy(found, ({ report_id }) => report_id)
  return ids.map((id) =>
    (byReport.get(id) ?? []).map(({ id: own, type, recipient_config_json }) => ({
      id: own,
      type,
      recipient_config_json,
    })),
  )
}

/** As for the values of runs: the last one was computed with the rights that the report uses. */
const ownValue =
  (name: 'last_value' | 'last_value_row_json'): ColumnResolver<ReportRow> =>
  (rows, { principal }) =>
    rows.map((row) => (principal.isAdmin || (row.run_as_fk ?? row.created_by_fk) === principal.id ? row[name] : null))

const owners = { through: 'report_owner', own: 'report_id', other: 'user_id' }

/** Resource definition of `/api/v1/report/`. Users see the reports that they created or own, administrators all. */
export const reportResource: Resource<ReportRow> & { kind: 'report' } = {
  kind: 'report',
  title: 'Report Schedule',
  view: 'ReportSchedule',
  list: {
    announced: [
      'active',
      'changed_by.first_name',
      'changed_by.last_name',
      'changed_on',
      'changed_on_delta_humanized',
      'chart_id',
      'created_by.first_name',
      'created_by.last_name',
      'created_on',
      'creation_method',
      'crontab',
      'crontab_humanized',
      'dashboard_id',
      'description',
      'extra',
      'id',
      'last_eval_dttm',
      'last_state',
      'name',
      'owners.first_name',
      'owners.id',
      'owners.last_name',
      'recipients.id',
      'recipients.type',
      'timezone',
      'type',
    ],
    unannounced: [
      'uuid',
      'next_at',
      'failures',
      'awaits_channel',
      'created_by.id',
      'changed_by.id',
      'changed_by_name',
      'changed_on_utc',
      'created_on_delta_humanized',
      'chart.id',
      'chart.slice_name',
      'chart.viz_type',
      'dashboard.id',
      'dashboard.dashboard_title',
    ],
  },
  show: {
    announced: [
      'id',
      'active',
      'chart.id',
      'chart.slice_name',
      'chart.viz_type',
      'context_markdown',
      'creation_method',
      'crontab',
      'dashboard.dashboard_title',
      'dashboard.id',
      'database.database_name',
      'database.id',
      'description',
      'extra',
      'force_screenshot',
      'grace_period',
      'last_eval_dttm',
      'last_state',
      'last_value',
      'last_value_row_json',
      'log_retention',
      'name',
      'owners.first_name',
      'owners.id',
      'owners.last_name',
      'recipients.id',
      'recipients.recipient_config_json',
      'recipients.type',
      'report_format',
      'sql',
      'timezone',
      'type',
      'validator_config_json',
      'validator_type',
      'working_timeout',
    ],
    unannounced: [
      'uuid',
      'custom_width',
      'email_subject',
      'next_at',
      'failures',
      'crontab_humanized',
      'created_by.id',
      'created_by.first_name',
      'created_by.last_name',
      'changed_by.id',
      'changed_by.first_name',
      'changed_by.last_name',
      'changed_by_name',
      'changed_on',
      'changed_on_utc',
      'changed_on_delta_humanized',
      'created_on',
      'created_on_delta_humanized',
    ],
  },
  order: {
    active: 'report.active',
    description: 'report.description',
    'created_by.first_name': sortByUser('report.created_by_fk', 'first_name'),
    'changed_by.first_name': sortByUser('report.changed_by_fk', 'first_name'),
    changed_on: 'report.changed_on',
    changed_on_delta_humanized: 'report.changed_on',
    created_on: 'report.created_on',
    crontab: 'report.crontab',
    last_eval_dttm: 'report.last_eval_dttm',
    name: sql`lower(report.name)`,
    type: 'report.type',
    crontab_humanized: 'report.crontab',
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    name: [
      ...textFilter('report.name'),
      {
        ...anyContains('report_all_text', 'All Text', ['report.name', 'report.description', 'report.sql']),
        unannounced: true,
      },
    ],
    active: booleanFilter('report.active'),
    created_by: toOneFilter('report.created_by_fk', 'user'),
    changed_by: toOneFilter('report.changed_by_fk', 'user'),
    owners: ownersFilter('report', owners),
    type: textFilter('report.type'),
    last_state: textFilter('report.last_state'),
    creation_method: textFilter('report.creation_method'),
    dashboard_id: numberFilter('report.dashboard_id'),
    chart_id: numberFilter('report.chart_id'),
    last_eval_dttm: timeFilter('report.last_eval_dttm'),
  },
  resolvers: {
    ...auditColumns<ReportRow>(),
    ...booleanColumns<ReportRow>('active', 'force_screenshot'),
    owners: ownersColumn<ReportRow>('report'),
    recipients: recipientsColumn,
    last_value: ownValue('last_value'),
    last_value_row_json: ownValue('last_value_row_json'),
    extra: computedColumn(({ extra_json }) => parseReportExtra(extra_json)),
    awaits_channel: computedColumn(({ extra_json }) => parseReportExtra(extra_json).parquetry?.awaits_channel === true),
    chart: targetColumn('chart', ['id', 'slice_name', 'viz_type']),
    dashboard: targetColumn('dashboard', ['id', 'dashboard_title']),
    database: databaseColumn(({ database_id }) => database_id),
    crontab_humanized: computedColumn(({ crontab }) => describeCrontab(crontab, 'en')),
  },
  related: {
    owners: relatedUsers({ withContact: true }),
    created_by: relatedUsers(),
    changed_by: relatedUsers(),
    database: relatedDatabases,
    chart: relatedObjects('chart', 'slice_name', ({ principal }) => chartAccess(principal)),
    dashboard: relatedObjects('dashboard', 'dashboard_title', dashboardAccess),
  },
  distinct: [],
  bodies: { add: ReportPost, edit: ReportPut },
}
