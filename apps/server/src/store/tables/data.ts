import type { ColumnType, Generated } from 'kysely'
import type { Audit } from './audit.ts'

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
   * Encrypted JSON, bound to the uuid: the secret settings by name, `server_cert`, and the tunnel's secrets as `ssh_tunnel`. Null
   * when there are none.
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
  /** Incremented by every change of the connection settings: part of cache keys. */
  version: number
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
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
  /** Size in bytes and owner of a table loaded from a file; null for others. */
  size: ColumnType<number | null, number | null | undefined, number | null>
  created_by_fk: ColumnType<number | null, number | null | undefined, number | null>
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
  /** The user who saved its SQL, which may read what this user may read. */
  sql_by_fk: number | null
  /** The user who saved its metrics, calculated columns and predicate, which may call what this user may call. */
  expressions_by_fk: number | null
  /** JSON text of `DatasetFolder[]`. */
  folders: string | null
  is_sqllab_view: number
  normalize_columns: number
  always_filter_main_dttm: number
  is_managed_externally: number
  external_url: string | null
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
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
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
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
  /** Fields of an imported document that the product does not know, JSON text. */
  other_fields: Generated<string | null>
}

export interface RowLevelSecurityRuleTable extends Audit {
  id: Generated<number>
  uuid: string
  name: string
  description: string | null
  /** `Regular` applies to the linked roles, `Base` to all other users. */
  filter_type: 'Regular' | 'Base'
  group_key: string | null
  clause: string
  /** 0: the condition could not be checked against all tables of the rule, so it lets no rows through. */
  is_checked: Generated<number>
}

/** A table whose rows a rule restricts: each that one of its datasets has or had. */
export interface RowLevelSecurityTableTable {
  row_rule_id: number
  database_id: number
  catalog: string | null
  schema: string | null
  table_name: string
}
