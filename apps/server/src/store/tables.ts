import type { Generated } from 'kysely'

/**
 * The metadata store. Written once for SQLite and PostgreSQL, so: truths are 0 or 1, times are ISO text in UTC without a zone
 * (`2026-01-31T10:42:00.123`, sortable), documents are JSON text exactly as they came.
 */
export interface Tables {
  user: UserTable
  role: RoleTable
  /** Pairs: permission name and view name. */
  permission: PermissionTable
  role_permission: { role_id: number; permission_id: number }
  user_role: { user_id: number; role_id: number }
  session: SessionTable
  one_time_link: OneTimeLinkTable
  database: DatabaseTable
  embedded_table: EmbeddedTableTable
  dataset: DatasetTable
  dataset_column: DatasetColumnTable
  dataset_metric: DatasetMetricTable
  dataset_owner: { dataset_id: number; user_id: number }
  row_rule: RowRuleTable
  row_rule_dataset: { row_rule_id: number; dataset_id: number }
  row_rule_role: { row_rule_id: number; role_id: number }
  chart: ChartTable
  chart_owner: { chart_id: number; user_id: number }
  dashboard: DashboardTable
  dashboard_owner: { dashboard_id: number; user_id: number }
  dashboard_role: { dashboard_id: number; role_id: number }
  dashboard_chart: { dashboard_id: number; chart_id: number }
  favorite: { user_id: number; kind: 'chart' | 'dashboard'; object_id: number; created_on: string }
  saved_query: SavedQueryTable
  query: QueryTable
  tab_state: TabStateTable
  tab_table: TabTableTable
  tag: TagTable
  saved_query_tag: { saved_query_id: number; tag_id: number }
  query_schedule: QueryScheduleTable
  css_template: CssTemplateTable
  annotation_layer: AnnotationLayerTable
  annotation: AnnotationTable
  embedded_dashboard: EmbeddedDashboardTable
  key_value: KeyValueTable
  job: JobTable
  version: VersionTable
  log: LogTable
}

/** Who made and changed a row, and when. Set by the store functions only. */
export interface Audit {
  created_on: string
  changed_on: string
  created_by_fk: number | null
  changed_by_fk: number | null
}

export interface UserTable {
  id: Generated<number>
  username: string
  first_name: string
  last_name: string
  email: string
  /** argon2id, or null for users that sign in another way. */
  password: string | null
  active: number
  login_count: number
  last_login: string | null
  created_on: string
  changed_on: string
}
export interface RoleTable {
  id: Generated<number>
  name: string
}
export interface PermissionTable {
  id: Generated<number>
  name: string
  view: string
}
/** A signed-in session; the cookie holds its random id. Ended by sign-out, password change, disabling, role change. */
export interface SessionTable {
  /** SHA-256 of the id in the cookie or token. */
  id: string
  user_id: number
  created_at: string
  seen_at: string
  expires_at: string
  /** `cookie` or `token` (a JWT login: access and refresh tokens carry this session's id). */
  kind: string
}
export interface OneTimeLinkTable {
  id: string
  user_id: number
  expires_at: string
  used_at: string | null
}

export interface DatabaseTable extends Audit {
  id: Generated<number>
  uuid: string
  database_name: string
  /** Name of the engine: `duckdb`, `postgresql`. */
  backend: string
  /** The masked URI, as the API shows it. */
  sqlalchemy_uri: string
  /** JSON: settings, with masks in place of the secrets. */
  settings: string
  /** JSON: the tunnel's settings, with masks in place of its secrets. */
  ssh_tunnel: Generated<string | null>
  has_server_cert: Generated<number>
  /**
   * Encrypted JSON, bound to the uuid: the secret settings by their names, `server_cert`, and the tunnel's secrets as
   * `ssh_tunnel`. Null when there are none.
   */
  secrets: string | null
  /** JSON `{ at, ok, message }`. */
  last_test: Generated<string | null>
  extra: string
  cache_timeout: number | null
  expose_in_sqllab: number
  allow_run_async: number
  allow_ctas: number
  allow_cvas: number
  allow_dml: number
  allow_file_upload: number
  force_ctas_schema: string | null
  impersonate_user: number
  configuration_method: string
  /** Raised at every change of how to connect: part of cache keys. */
  version: number
}
/** A table file of an embedded database. */
export interface EmbeddedTableTable {
  id: Generated<number>
  database_id: number
  name: string
  file: string
  format: string
  inner_table: string
  version: number
}
export interface DatasetTable extends Audit {
  id: Generated<number>
  uuid: string
  database_id: number
  table_name: string
  schema: string | null
  catalog: string | null
  /** SQL of a virtual dataset; null or empty for a table. */
  sql: string | null
  main_dttm_col: string | null
  description: string | null
  default_endpoint: string | null
  offset: number
  cache_timeout: number | null
  params: string | null
  template_params: string | null
  extra: string | null
  filter_select_enabled: number
  fetch_values_predicate: string | null
  is_sqllab_view: number
  normalize_columns: number
  always_filter_main_dttm: number
  is_managed_externally: number
  external_url: string | null
}
export interface DatasetColumnTable {
  id: Generated<number>
  uuid: string
  dataset_id: number
  column_name: string
  verbose_name: string | null
  description: string | null
  expression: string | null
  type: string | null
  advanced_data_type: string | null
  type_generic: number | null
  is_dttm: number
  is_active: number
  groupby: number
  filterable: number
  python_date_format: string | null
  extra: string | null
  created_on: string
  changed_on: string
}
export interface DatasetMetricTable {
  id: Generated<number>
  uuid: string
  dataset_id: number
  metric_name: string
  verbose_name: string | null
  description: string | null
  expression: string
  metric_type: string | null
  d3format: string | null
  currency: string | null
  warning_text: string | null
  extra: string | null
  created_on: string
  changed_on: string
}
export interface RowRuleTable extends Audit {
  id: Generated<number>
  name: string
  description: string | null
  filter_type: 'Regular' | 'Base'
  group_key: string | null
  clause: string
}
export interface ChartTable extends Audit {
  id: Generated<number>
  uuid: string
  slice_name: string
  viz_type: string
  datasource_id: number
  datasource_type: string
  datasource_name: string | null
  /** Form data, JSON text as it came. */
  params: string | null
  query_context: string | null
  description: string | null
  cache_timeout: number | null
  certified_by: string | null
  certification_details: string | null
  is_managed_externally: number
  external_url: string | null
  last_saved_at: string | null
  last_saved_by_fk: number | null
}
export interface DashboardTable extends Audit {
  id: Generated<number>
  uuid: string
  dashboard_title: string | null
  slug: string | null
  position_json: string | null
  json_metadata: string | null
  css: string | null
  description: string | null
  published: number
  certified_by: string | null
  certification_details: string | null
  is_managed_externally: number
  external_url: string | null
}
export interface SavedQueryTable extends Audit {
  id: Generated<number>
  uuid: string
  user_id: number
  /** The API lets every field of a saved query be empty. */
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
  /** JSON list of `{catalog, schema, table}`; null where nobody has looked yet. */
  sql_tables: string | null
}
/** One run of SQL Lab. Times are milliseconds since 1970, as the API's query object has them. */
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
  /** JSON list of `{catalog, schema, table}` that the text reads; null where nobody has looked. */
  sql_tables: string | null
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
  /** Raised by each change of what a person typed or chose. */
  version: number
  created_on: string
  changed_on: string
  /** Made by the browser before the tab came here; of one user each stands once. */
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
  /** JSON: the object that was posted. */
  description: string
  expanded: number
}
export interface TagTable {
  id: Generated<number>
  name: string
  created_on: string
}
/** When a saved query runs by itself. `next_at` null: never again. */
export interface QueryScheduleTable {
  saved_query_id: number
  next_at: string | null
  last_at: string | null
  /** running, success, failed, skipped. */
  last_status: string | null
  last_error: string | null
  /** The run in the history. */
  last_client_id: string | null
}
export interface CssTemplateTable extends Audit {
  id: Generated<number>
  uuid: string
  template_name: string | null
  css: string | null
}
export interface AnnotationLayerTable extends Audit {
  id: Generated<number>
  uuid: string
  name: string
  descr: string | null
}
export interface AnnotationTable extends Audit {
  id: Generated<number>
  uuid: string
  layer_id: number
  short_descr: string
  long_descr: string | null
  start_dttm: string
  end_dttm: string
  json_metadata: string | null
}
/** A dashboard that may be shown inside of other pages. */
export interface EmbeddedDashboardTable extends Audit {
  uuid: string
  dashboard_id: number
  /** JSON list of origins; empty is any. */
  allowed_domains: string
}
/** Form data keys, permalinks, filter state, shared queries. `expires_at` null: for ever. */
export interface KeyValueTable {
  key: string
  resource: string
  value: string
  user_id: number | null
  created_on: string
  changed_on: string
  expires_at: string | null
}
/** Work that goes on when the call that asked for it has been answered; what it is stands in its kind and payload. */
export interface JobTable {
  id: Generated<number>
  /** Known to clients as `job_id`. */
  uuid: string
  kind: string
  /** JSON. */
  payload: string
  /** pending, running, done, failed, stopped. */
  state: string
  user_id: number | null
  attempts: number
  /** Where the result lies. */
  result: string | null
  /** JSON of the error that a failed one ended in. */
  error: string | null
  created_on: string
  started_on: string | null
  ended_on: string | null
}
/** What a document was after each change: the last 50 of an object and one a day for a year. */
export interface VersionTable {
  id: Generated<number>
  kind: string
  object_uuid: string
  n: number
  author_id: number | null
  at: string
  document: string
}
export interface LogTable {
  id: Generated<number>
  action: string
  user_id: number | null
  dashboard_id: number | null
  slice_id: number | null
  json: string | null
  duration_ms: number | null
  referrer: string | null
  dttm: string
}
