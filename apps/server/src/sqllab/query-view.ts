import type { QueryView, ResultColumn, RunHeader } from '@parquetry/model'
import type { Selectable } from 'kysely'
import type { Principal } from '../http/principal.ts'
import type { QueryTable } from '../store/tables.ts'

/** A row of the history in the client's spelling. */
export const queryView = (
  row: Selectable<QueryTable>,
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

/** Columns of a result; a result without rows names none, as the reference does. */
export const resultColumns = ({ columns, rowcount }: RunHeader): ResultColumn[] =>
  rowcount === 0
    ? []
    : columns.map(({ name, type, generic }) => ({
        name,
        column_name: name,
        type,
        type_generic: generic,
        is_dttm: generic === 2,
      }))
