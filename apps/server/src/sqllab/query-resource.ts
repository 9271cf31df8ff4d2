import { sql } from 'kysely'
import { splitNames } from '../http/columns.ts'
import { numberFilter, textFilter, timeFilter, toOneFilter } from '../http/filters.ts'
import { sortByUser, databaseColumn, computedColumn, userColumn, booleanColumns } from '../http/column-resolvers.ts'
import { relatedDatabases, relatedUsers } from '../http/related.ts'
import type { Resource } from '../http/resource.ts'
import { parseSqlTables } from '../user-sql/sql-tables.ts'
import type { QueryRow } from './history.ts'

/** Defines how `/api/v1/query/` reads the history of SQL Lab: users see their own queries, and all with `all_query_access`. */
export const queryResource: Resource<QueryRow> & { kind: 'query' } = {
  kind: 'query',
  title: 'Query',
  view: 'Query',
  list: {
    announced: splitNames(`
      id changed_on database.database_name executed_sql rows schema sql sql_tables status tab_name
      user.first_name user.id user.last_name start_time end_time tmp_table_name tracking_url
    `),
    unannounced: splitNames(`
      client_id database.id error_message limit limiting_factor progress select_as_cta sql_editor_id
      start_running_time results_key user.username
    `),
  },
  show: {
    announced: splitNames(`
      id changed_on client_id database.id end_result_backend_time end_time error_message executed_sql limit
      progress results_key rows schema select_as_cta select_as_cta_used select_sql sql sql_editor_id
      start_running_time start_time status tab_name tmp_schema_name tmp_table_name tracking_url
    `),
    unannounced: ['catalog'],
  },
  order: {
    changed_on: 'query.changed_on',
    'database.database_name': sql`(select home.database_name from ${sql.table('database')} as home where home.id = query.database_id)`,
    rows: 'query.rows',
    schema: 'query.schema',
    start_time: 'query.start_time',
    sql: 'query.sql',
    tab_name: 'query.tab_name',
    'user.first_name': sortByUser('query.user_id', 'first_name'),
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    changed_on: timeFilter('query.changed_on'),
    database: toOneFilter('query.database_id', 'database'),
    sql: textFilter('query.sql'),
    status: textFilter('query.status'),
    user: toOneFilter('query.user_id', 'user'),
    start_time: numberFilter('query.start_time'),
    sql_editor_id: textFilter('query.sql_editor_id').map((operator) => ({ ...operator, unannounced: true as const })),
  },
  resolvers: {
    ...booleanColumns<QueryRow>('select_as_cta'),
    database: databaseColumn(({ database_id }) => database_id),
    user: userColumn('user_id'),
    sql_tables: computedColumn(parseSqlTables),
    select_as_cta_used: computedColumn(() => false),
    start_running_time: computedColumn(({ start_time }) => start_time),
    end_result_backend_time: computedColumn(() => null),
  },
  related: { database: relatedDatabases, user: relatedUsers() },
  distinct: ['status'],
  bodies: null,
}
