import type { ExecuteMetadata, QueryView, ResultColumn, RunHeader } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import type { DatabaseTable } from '../store/tables.ts'
import type { QueryRow } from './history.ts'

/** A row of the history in the format of the client. */
export const queryView = (
  row: QueryRow,
  databaseName: string | null,
  user: Pick<Principal, 'firstName' | 'lastName'>,
): QueryView => ({
  id: row.client_id,
  queryId: row.id,
  serverId: row.id,
  dbId: row.database_id,
  db: databaseName,
  catalog: row.catalog,
  schema: row.schema,
  sql: row.sql,
  executedSql: row.executed_sql,
  sqlEditorId: row.sql_editor_id,
  tab: row.tab_name,
  state: row.status,
  progress: row.progress,
  rows: row.rows,
  limit: row.limit,
  limitingFactor: row.limiting_factor,
  ctas: row.select_as_cta === 1,
  tempTable: row.tmp_table_name,
  tempSchema: row.tmp_schema_name,
  resultsKey: row.results_key,
  startDttm: row.start_time,
  endDttm: row.end_time,
  changedOn: row.changed_on,
  changed_on: row.changed_on,
  errorMessage: row.error_message,
  trackingUrl: row.tracking_url,
  userId: row.user_id,
  user: `${user.firstName} ${user.lastName}`.trim(),
  extra: JSON.parse(row.extra_json) as Record<string, unknown>,
})

/** Columns of a result, whether or not it has rows. */
export const resultColumns = ({ columns }: RunHeader): ResultColumn[] =>
  columns.map(({ name, type, generic }) => ({
    name,
    column_name: name,
    type,
    type_generic: generic,
    is_dttm: generic === 2 || isTimeOfDay(type),
  }))

/** A time of day is temporal in the API, although its values are strings. */
const isTimeOfDay = (type: string | null): boolean => /^TIME\b/i.test(type ?? '')

/** The response of a run without its rows. */
export function buildExecuteAnswer(
  row: QueryRow,
  header: RunHeader,
  { database_name }: Pick<DatabaseTable, 'database_name'>,
  principal: Pick<Principal, 'firstName' | 'lastName'>,
): ExecuteMetadata {
  const columns = resultColumns(header)
  return {
    query_id: row.id,
    status: 'success',
    columns,
    selected_columns: columns,
    expanded_columns: [],
    query: queryView(row, database_name, principal),
  }
}
