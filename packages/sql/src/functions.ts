import type { InspectedStatement } from '@parquetry/model'
import { clickhouseForbidden, clickhouseTableFunctions } from './clickhouse-functions.ts'
import { mysqlForbidden } from './mysql-functions.ts'
import { sqliteForbidden, sqliteTableFunctions } from './sqlite-functions.ts'
import { trinoForbidden, trinoTableFunctions } from './trino-functions.ts'

/** DuckDB table functions that only compute; `show_tables` implements SHOW TABLES, which lists our views. */
const duckdbTableFunctions: ReadonlySet<string> = new Set([
  'range',
  'generate_series',
  'unnest',
  'repeat',
  'repeat_row',
  'json_each',
  'json_tree',
  'show_tables',
])

/**
 * DuckDB functions that accept SQL or files, read settings, sessions or the catalog, sleep, or write. The engine is locked as
 * well; these are the ones that the lock leaves open.
 */
const duckdb = new RegExp(
  `^(${[
    'getenv|current_setting|current_query|current_query_id|current_connection_id|current_transaction_id|txid_current',
    'query|query_table|json_execute_serialized_sql|json_serialize_plan|json_deserialize_sql|sql_auto_complete',
    'read_.*|write_.*|parquet_.*|sniff_.*|glob|scan_.*|.*_scan|arrow_.*|import_.*|copy_database|add_parquet_key',
    'duckdb_.*|pragma_.*|enable_.*|disable_.*|verify_.*|checkpoint|force_checkpoint|truncate_duckdb_logs|which_secret',
    'parse_duckdb_log_message|pg_get_.*|pg_.*_is_visible|has_.*_privilege|pg_has_role|in_search_path',
    'current_schemas|col_description|obj_description|shobj_description|inet_.*|user_agent|platform|stats|vector_type',
    'nextval|currval|setseed|sleep_ms|pg_sleep',
  ].join('|')})$`,
)

/**
 * PostgreSQL functions that a read-only transaction does not prevent: SQL in a string, files, other servers, settings, other
 * sessions, sleeping.
 */
const postgresql = new RegExp(
  `^(${[
    'set_config|query_to_.*|table_to_xml.*|cursor_to_.*|schema_to_.*|database_to_.*|crosstab.*|connectby|ts_stat|ts_rewrite',
    'pg_read_.*|pg_ls_.*|pg_stat_file|pg_file_.*|pg_current_logfile|lo_.*|loread|lowrite|dblink.*|postgres_fdw_.*',
    'pg_cancel_backend|pg_terminate_backend|pg_reload_conf|pg_rotate_logfile|pg_signal_.*|pg_log_.*|pg_promote',
    'pg_(try_)?advisory_.*|pg_notify|pg_logical_.*|pg_create_.*|pg_drop_.*|pg_replication_.*|pg_switch_wal|pg_backup_.*',
    'pg_stat_get_.*|pg_stat_statements.*|pg_stat_reset.*|pg_stat_clear_.*|pg_show_all_.*|pg_hba_.*|pg_ident_.*|pg_config',
    'get_raw_page.*|heap_page_.*|bt_page_.*|pg_prewarm|pg_buffercache.*|binary_upgrade_.*|xpath_table|pg_import_.*',
    'pg_sleep.*|pg_export_snapshot|pg_wal_replay_.*|setval|nextval|txid_.*_snapshot',
  ].join('|')})$`,
)

const forbiddenPatterns: Record<string, RegExp> = {
  duckdb,
  postgresql,
  mysql: mysqlForbidden,
  sqlite: sqliteForbidden,
  trino: trinoForbidden,
  clickhouse: clickhouseForbidden,
}

/** Engines on which functions in FROM are rejected unless they are listed. */
const allowedTableFunctions: Record<string, ReadonlySet<string>> = {
  duckdb: duckdbTableFunctions,
  sqlite: sqliteTableFunctions,
  trino: trinoTableFunctions,
  clickhouse: clickhouseTableFunctions,
}

/** Functions of a statement that user SQL must not call on an engine, in FROM or elsewhere, as spelled in the text. */
export function findForbiddenFunctions(
  statement: Pick<InspectedStatement, 'functions' | 'tableFunctions'>,
  engine: string,
): string[] {
  const pattern = Object.hasOwn(forbiddenPatterns, engine) ? forbiddenPatterns[engine] : undefined
  const named = pattern ? statement.functions.filter((name) => pattern.test(name.toLowerCase())) : []
  const allowed = Object.hasOwn(allowedTableFunctions, engine) ? allowedTableFunctions[engine] : undefined
  const inFrom = statement.tableFunctions.filter((name) =>
    allowed ? !allowed.has(name.toLowerCase()) : pattern?.test(name.toLowerCase()),
  )
  return [...new Set([...named, ...inFrom])]
}
