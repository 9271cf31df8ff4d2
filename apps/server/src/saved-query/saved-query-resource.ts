import { SavedQueryBody, type SavedQuerySchedule } from '@parquetry/model'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { splitNames } from '../http/columns.ts'
import { anyContains, numberFilter, textFilter, toOneFilter, booleanOperator } from '../http/filters.ts'
import { agoColumn, auditColumns, sortByUser, databaseColumn, computedColumn } from '../http/column-resolvers.ts'
import { relatedDatabases, relatedUsers } from '../http/related.ts'
import { customTagsColumn, tagsColumn, tagsFilter } from '../http/tags.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { parseSqlTables } from '../user-sql/sql-tables.ts'
import type { SavedQueryTable } from '../store/tables.ts'

export type SavedQueryRow = Selectable<SavedQueryTable>

const parseJson = (text: string | null): unknown => {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}

const scheduleHead: ColumnResolver<SavedQueryRow> = async (rows, { db }) => {
  const ids = rows.map(({ id }) => id).concat(-1)
  const found = await db.selectFrom('query_schedule').selectAll().where('saved_query_id', 'in', ids).execute()
  return rows.map(({ id }): SavedQuerySchedule | null => {
    const schedule = found.find(({ saved_query_id }) => saved_query_id === id)
    if (!schedule) return null
    return {
      next_run: schedule.next_at,
      last_run: schedule.last_at,
      last_status: schedule.last_status as SavedQuerySchedule['last_status'],
      last_error: schedule.last_error,
      last_query: schedule.last_client_id,
    }
  })
}

/** Defines how `/api/v1/saved_query/` reads saved queries; users see only their own. */
export const savedQueryResource: Resource<SavedQueryRow> & { kind: 'saved_query' } = {
  kind: 'saved_query',
  title: 'Saved Query',
  view: 'SavedQuery',
  list: {
    announced: splitNames(`
      changed_on_delta_humanized created_on created_by.first_name created_by.id created_by.last_name
      database.database_name database.id db_id description id label schema sql sql_tables rows
      last_run_delta_humanized extra
    `),
    unannounced: splitNames(
      'uuid catalog changed_on changed_by.first_name changed_by.id changed_by.last_name tags custom_tags schedule',
    ),
  },
  show: {
    announced: splitNames(`
      changed_on_delta_humanized created_by.first_name created_by.id created_by.last_name
      database.database_name database.id description id label schema sql sql_tables template_parameters
    `),
    unannounced: splitNames(
      'uuid catalog changed_on changed_by.first_name changed_by.id changed_by.last_name extra_json tags schedule',
    ),
  },
  order: {
    schema: 'saved_query.schema',
    label: 'saved_query.label',
    description: 'saved_query.description',
    sql: 'saved_query.sql',
    rows: 'saved_query.rows',
    'created_by.first_name': sortByUser('saved_query.created_by_fk', 'first_name'),
    'database.database_name': sql`(select home.database_name from ${sql.table('database')} as home where home.id = saved_query.db_id)`,
    created_on: 'saved_query.created_on',
    changed_on_delta_humanized: 'saved_query.changed_on',
    last_run_delta_humanized: 'saved_query.last_run',
  },
  defaultOrder: ['schema', 'asc'],
  filters: {
    created_by: toOneFilter('saved_query.created_by_fk', 'user'),
    database: toOneFilter('saved_query.db_id', 'database'),
    id: [
      ...numberFilter('saved_query.id'),
      booleanOperator('saved_query_is_fav', 'Is favorite', () => sql<SqlBool>`1 = 0`),
    ],
    label: [
      ...textFilter('saved_query.label'),
      anyContains('all_text', 'All Text', [
        'saved_query.schema',
        'saved_query.label',
        'saved_query.description',
        'saved_query.sql',
      ]),
    ],
    schema: textFilter('saved_query.schema'),
    catalog: textFilter('saved_query.catalog').map((operator) => ({ ...operator, unannounced: true as const })),
    changed_by: toOneFilter('saved_query.changed_by_fk', 'user').map((operator) => ({
      ...operator,
      unannounced: true as const,
    })),
    tags: tagsFilter('saved_query'),
  },
  resolvers: {
    ...auditColumns<SavedQueryRow>(),
    database: databaseColumn(({ db_id }) => db_id),
    sql_tables: computedColumn(parseSqlTables),
    last_run_delta_humanized: agoColumn('last_run'),
    extra: computedColumn(({ extra_json }) => parseJson(extra_json)),
    tags: tagsColumn('saved_query'),
    custom_tags: customTagsColumn('saved_query'),
    schedule: scheduleHead,
  },
  related: { database: relatedDatabases, created_by: relatedUsers(), changed_by: relatedUsers() },
  distinct: ['schema', 'catalog'],
  bodies: { add: SavedQueryBody, edit: SavedQueryBody },
}
