import Type, { type Static } from 'typebox'
import { auditFields, id, AnyObject, nullable, UserSummary, row, text } from './fields.ts'
import { TagSummary } from './tag-summary.ts'
import type { SavedQuerySchedule } from './saved-query.ts'

/** Milliseconds since 1970, as a number or a string of digits. */
const Milliseconds = Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] })
const Home = nullable(row({ id: id(), database_name: text() }))
const SqlTables = Type.Array(
  Type.Unsafe<{ catalog: string | null; schema: string | null; table: string }>({ type: 'object' }),
)

const saved = {
  id: id(),
  uuid: text(),
  label: nullable(text()),
  description: nullable(text()),
  catalog: nullable(text()),
  schema: nullable(text()),
  sql: nullable(text()),
  sql_tables: SqlTables,
  database: Home,
  tags: Type.Array(TagSummary),
  /** Parquetry extension: only the tags that users write. */
  custom_tags: Type.Array(TagSummary),
  schedule: Type.Unsafe<SavedQuerySchedule | null>({ type: ['object', 'null'] }),
  changed_by: auditFields.changed_by,
  changed_on: text(),
  changed_on_delta_humanized: text(),
  created_by: auditFields.created_by,
}

/** A saved query in `GET /api/v1/saved_query/`. */
export const ListedSavedQuery = row({
  ...saved,
  created_on: text(),
  db_id: nullable(id()),
  extra: AnyObject,
  last_run_delta_humanized: text(),
  rows: nullable(Type.Integer()),
})
export type ListedSavedQuery = Static<typeof ListedSavedQuery>

/** `GET /api/v1/saved_query/{id}`. */
export const SavedQueryDetail = row({
  ...saved,
  extra_json: nullable(text()),
  template_parameters: nullable(text()),
})
export type SavedQueryDetail = Static<typeof SavedQueryDetail>

const run = {
  id: id(),
  changed_on: text(),
  client_id: nullable(text()),
  database: row({ id: id(), database_name: text() }),
  end_time: Milliseconds,
  error_message: nullable(text()),
  executed_sql: nullable(text()),
  limit: nullable(Type.Integer()),
  progress: Type.Number(),
  results_key: nullable(text()),
  rows: nullable(Type.Integer()),
  schema: nullable(text()),
  select_as_cta: Type.Boolean(),
  sql: nullable(text()),
  sql_editor_id: nullable(text()),
  start_running_time: Milliseconds,
  start_time: Milliseconds,
  status: text(),
  tab_name: nullable(text()),
  tmp_table_name: nullable(text()),
  tracking_url: nullable(text()),
}

/** A run in `GET /api/v1/query/`. */
export const ListedQuery = row({
  ...run,
  limiting_factor: nullable(text()),
  sql_tables: SqlTables,
  user: nullable(UserSummary),
})
export type ListedQuery = Static<typeof ListedQuery>

/** `GET /api/v1/query/{id}`. */
export const QueryDetail = row({
  ...run,
  catalog: nullable(text()),
  end_result_backend_time: Milliseconds,
  select_as_cta_used: Type.Boolean(),
  select_sql: nullable(text()),
  tmp_schema_name: nullable(text()),
})
export type QueryDetail = Static<typeof QueryDetail>
