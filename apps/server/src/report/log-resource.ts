import type { Selectable } from 'kysely'
import { textFilter, timeFilter } from '../http/filters.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import type { ReportRunTable } from '../store/tables.ts'

export type ReportRunRow = Selectable<ReportRunTable>

const omitRun = <T extends { run_id: number }>(row: T): Omit<T, 'run_id'> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'run_id')) as Omit<T, 'run_id'>

const deliveriesColumn: ColumnResolver<ReportRunRow> = async (rows, { db }) => {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const found = await db
    .selectFrom('report_delivery')
    .select(['run_id', 'uuid', 'type', 'target', 'state', 'attempts', 'error_message', 'ended_on'])
    .where('run_id', 'in', ids)
    .orderBy('id')
    .execute()
  const byRun = Map.groupBy(found, ({ run_id }) => run_id)
  return ids.map((id) => (byRun.get(id) ?? []).map(omitRun))
}

/** The files of each run that the caller may open: those with their own rows. Administrators may open all. */
const filesColumn: ColumnResolver<ReportRunRow> = async (rows, { db, principal }) => {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const found = await db
    .selectFrom('report_file')
    .select(['run_id', 'uuid', 'name', 'media_type', 'size'])
    .where('run_id', 'in', ids)
    .$if(!principal.isAdmin, (query) => query.where('user_id', '=', principal.id ?? -1))
    .orderBy('id')
    .execute()
  const byRun = Map.groupBy(found, ({ run_id }) => run_id)
  return ids.map((id) => (byRun.get(id) ?? []).map(omitRun))
}

/** A value was computed with the rights of one user: other owners of the report may be restricted to other rows. */
const ownValue =
  (name: 'value' | 'value_row_json'): ColumnResolver<ReportRunRow> =>
  (rows, { principal }) =>
    rows.map((row) => (principal.isAdmin || row.run_as_fk === principal.id ? row[name] : null))

const columns = [
  'id',
  'scheduled_dttm',
  'end_dttm',
  'start_dttm',
  'value',
  'value_row_json',
  'state',
  'error_message',
  'uuid',
]
const ours = ['trigger', 'deliveries', 'files', 'attempts', 'next_attempt_at']

/** Resource definition of `/api/v1/report/{id}/log/`: the runs of one report, for those who may see the report. */
export const logResource: Resource<ReportRunRow> & { kind: 'report_run' } = {
  kind: 'report_run',
  title: 'Report Execution Log',
  view: 'ReportSchedule',
  list: { announced: columns, unannounced: ours },
  show: { announced: columns, unannounced: ours },
  order: {
    state: 'report_run.state',
    value: 'report_run.value',
    error_message: 'report_run.error_message',
    end_dttm: 'report_run.end_dttm',
    start_dttm: 'report_run.start_dttm',
    scheduled_dttm: 'report_run.scheduled_dttm',
  },
  defaultOrder: ['scheduled_dttm', 'desc'],
  filters: {
    state: textFilter('report_run.state'),
    trigger: textFilter('report_run.trigger'),
    scheduled_dttm: timeFilter('report_run.scheduled_dttm'),
  },
  resolvers: {
    value: ownValue('value'),
    value_row_json: ownValue('value_row_json'),
    deliveries: deliveriesColumn,
    files: filesColumn,
  },
  related: {},
  distinct: [],
  bodies: null,
}
