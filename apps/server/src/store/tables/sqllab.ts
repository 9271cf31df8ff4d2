import type { Generated } from 'kysely'
import type { TagType } from '@parquetry/model'
import type { Audit } from './audit.ts'

export interface SavedQueryTable extends Audit {
  id: Generated<number>
  uuid: string
  user_id: number
  /** The API allows every field of a saved query to be empty. */
  db_id: number | null
  schema: string | null
  catalog: string | null
  label: string | null
  description: string | null
  sql: string | null
  template_parameters: string | null
  extra_json: string | null
  rows: number | null
  last_run: string | null
  /** JSON list of `{catalog, schema, table}`; null when it has not been determined. */
  sql_tables: string | null
  owner: string | null
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
}

/** One run of SQL Lab. Times are milliseconds since 1970, as in the API's query object. */
export interface QueryTable {
  id: Generated<number>
  client_id: string
  database_id: number
  user_id: number
  tab_name: string | null
  sql_editor_id: string | null
  schema: string | null
  catalog: string | null
  sql: string
  executed_sql: string | null
  select_sql: string | null
  limit: number | null
  limiting_factor: string
  select_as_cta: number
  ctas_method: string | null
  tmp_table_name: string | null
  tmp_schema_name: string | null
  /** pending, running, success, failed, timed_out, stopped. */
  status: string
  progress: number
  rows: number | null
  error_message: string | null
  results_key: string | null
  start_time: number | null
  end_time: number | null
  extra_json: string
  tracking_url: string | null
  changed_on: string
  /** JSON list of `{catalog, schema, table}` that the SQL reads; null when it has not been determined. */
  sql_tables: string | null
  /** The server that runs it. */
  owner: string | null
}

/** A tab of SQL Lab. */
export interface TabStateTable {
  id: Generated<number>
  user_id: number
  label: string | null
  active: number
  database_id: number | null
  catalog: string | null
  schema: string | null
  sql: string | null
  query_limit: number | null
  /** Client id of a query. */
  latest_query_id: string | null
  autorun: number
  template_params: string | null
  hide_left_bar: number
  saved_query_id: number | null
  extra_json: string
  /** Incremented by each change of what the user typed or chose. */
  version: number
  created_on: string
  changed_on: string
  /** Assigned by the browser before the tab was stored here; unique per user. */
  client_key: string | null
}

/** A table panel of a tab. */
export interface TabTableTable {
  id: Generated<number>
  tab_state_id: number
  database_id: number
  catalog: string | null
  schema: string | null
  table: string
  /** JSON: the object as it was posted. */
  description: string
  expanded: number
}

export interface CustomTagTable {
  id: Generated<number>
  name: string
  description: Generated<string | null>
  created_on: string
  changed_on: string
  created_by_fk: Generated<number | null>
  changed_by_fk: Generated<number | null>
}

export interface TagView {
  id: number
  name: string
  type: TagType
  description: string | null
  created_on: string
  changed_on: string
  created_by_fk: number | null
  changed_by_fk: number | null
}

/** Schedule of a saved query. `next_at` null: no more runs. */
export interface QueryScheduleTable {
  saved_query_id: number
  next_at: string | null
  last_at: string | null
  /** running, success, failed. */
  last_status: string | null
  last_error: string | null
  /** Client id of the run in the history. */
  last_client_id: string | null
}
