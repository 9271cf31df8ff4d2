import type { TableSchemaView, TabStateView } from '@parquetry/model'
import type { Kysely, Selectable } from 'kysely'
import type { Principal } from '../access/principal.ts'
import { queryView } from '../sqllab/query-view.ts'
import type { Tables, TabStateTable, TabTableTable } from '../store/tables.ts'

export type TabRow = Selectable<TabStateTable>

const parseStoredObject = (text: string): Record<string, unknown> | null => {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

const tableView = (row: Selectable<TabTableTable>): TableSchemaView => ({
  id: row.id,
  tab_state_id: row.tab_state_id,
  database_id: row.database_id,
  catalog: row.catalog,
  schema: row.schema,
  table: row.table,
  description: parseStoredObject(row.description),
  expanded: row.expanded === 1,
})

/** Queries and saved queries that a tab only references are shown if they belong to its owner. */
export async function tabView(db: Kysely<Tables>, row: TabRow, principal: Principal): Promise<TabStateView> {
  const tables = await db
    .selectFrom('tab_table')
    .selectAll()
    .where('tab_state_id', '=', row.id)
    .orderBy('id', 'desc')
    .execute()
  const query =
    row.latest_query_id === null
      ? undefined
      : await db
          .selectFrom('query')
          .leftJoin('database', 'database.id', 'query.database_id')
          .selectAll('query')
          .select('database.database_name')
          .where('client_id', '=', row.latest_query_id)
          .where('user_id', '=', row.user_id)
          .executeTakeFirst()
  const saved =
    row.saved_query_id === null
      ? undefined
      : await db
          .selectFrom('saved_query')
          .select('id')
          .where('id', '=', row.saved_query_id)
          .where('user_id', '=', row.user_id)
          .executeTakeFirst()
  return {
    id: row.id,
    user_id: row.user_id,
    label: row.label,
    active: row.active === 1,
    database_id: row.database_id,
    catalog: row.catalog,
    schema: row.schema,
    table_schemas: tables.map(tableView),
    sql: row.sql,
    query_limit: row.query_limit,
    latest_query: query ? queryView(query, query.database_name, principal) : null,
    autorun: row.autorun === 1,
    template_params: row.template_params,
    hide_left_bar: row.hide_left_bar === 1,
    saved_query: saved ?? null,
    extra_json: parseStoredObject(row.extra_json) ?? {},
    version: row.version,
    changed_on: row.changed_on,
  }
}
