import type { TableName } from './rules.ts'

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/**
 * Tables of the information schema that describe data and its definition; others may contain passwords, permissions or SQL of
 * other users.
 */
const informationSchema = names(`
  tables columns views schemata key_column_usage table_constraints referential_constraints check_constraints
  constraint_column_usage constraint_table_usage statistics partitions routines parameters triggers triggered_update_columns
  sequences domains domain_constraints attributes element_types data_type_privileges character_sets collations
  collation_character_set_applicability column_domain_usage column_udt_usage column_statistics domain_udt_usage
  view_column_usage view_table_usage view_routine_usage routine_table_usage routine_column_usage user_defined_types
  foreign_tables information_schema_catalog_name sql_features sql_parts sql_sizing sql_implementation_info engines keywords
  sql_functions st_geometry_columns st_spatial_reference_systems st_units_of_measure geometry_columns spatial_ref_sys
  tables_extensions columns_extensions schemata_extensions table_constraints_extensions periods key_period_usage`)

const postgresCatalog = names(`
  pg_aggregate pg_am pg_amop pg_amproc pg_attrdef pg_attribute pg_available_extension_versions pg_available_extensions pg_cast
  pg_class pg_collation pg_constraint pg_conversion pg_database pg_default_acl pg_depend pg_description pg_enum
  pg_event_trigger pg_extension pg_foreign_data_wrapper pg_foreign_table pg_index pg_indexes pg_inherits pg_language
  pg_matviews pg_namespace pg_opclass pg_operator pg_opfamily pg_parameter_acl pg_partitioned_table pg_policies pg_policy
  pg_proc pg_publication pg_publication_namespace pg_publication_rel pg_publication_tables pg_range pg_rewrite pg_rules
  pg_seclabel pg_sequence pg_sequences pg_shdescription pg_stat_all_indexes pg_stat_all_tables pg_stat_sys_indexes
  pg_stat_sys_tables pg_stat_user_functions pg_stat_user_indexes pg_stat_user_tables pg_statio_all_indexes
  pg_statio_all_sequences pg_statio_all_tables pg_statio_user_indexes pg_statio_user_sequences pg_statio_user_tables
  pg_statistic pg_statistic_ext pg_statistic_ext_data pg_stats pg_stats_ext pg_stats_ext_exprs pg_tables pg_tablespace
  pg_timezone_abbrevs pg_timezone_names pg_transform pg_trigger pg_ts_config pg_ts_config_map pg_ts_dict pg_ts_parser
  pg_ts_template pg_type pg_views`)

/** Views of extensions, in any schema. */
const postgresExtensions =
  /^(pg_stat_(statements|monitor|kcache)|pg_qualstats|pg_wait_sampling|pg_show_plans|pg_store_plans|pg_buffercache|pg_track_settings)/

const clickhouseSystem = names(`
  one numbers numbers_mt zeros zeros_mt tables columns databases functions formats data_type_families data_skipping_indices
  projections table_functions table_engines aggregate_function_combinators collations time_zones keywords completions
  parts parts_columns detached_parts projection_parts projection_parts_columns contributors licenses codecs constraints
  tables_extensions`)

type Predicate = (table: { catalog: string; schema: string; name: string }) => boolean

const postgresql: Predicate = ({ schema, name }) => {
  if (postgresExtensions.test(name)) return true
  if (schema === 'information_schema') return !informationSchema.has(name)
  const isInCatalog = schema === 'pg_catalog' || (schema === '' && name.startsWith('pg_'))
  return isInCatalog && !postgresCatalog.has(name)
}

const mysql: Predicate = ({ schema, name }) =>
  schema === 'information_schema' ? !informationSchema.has(name) : /^(mysql|performance_schema|sys)$/.test(schema)

const clickhouse: Predicate = ({ schema, name }) => schema === 'system' && !clickhouseSystem.has(name)

/** Trino's system catalog, and system tables that its connectors expose from other databases. */
const trino: Predicate = (table) => {
  const { catalog, schema, name } = table
  if (schema === 'information_schema') return !informationSchema.has(name)
  if (catalog === 'system') return schema !== 'jdbc' && schema !== 'metadata'
  return postgresql({ ...table, schema: schema || 'public' }) || mysql(table) || clickhouse(table)
}

const predicates: Record<string, Predicate> = { postgresql, mysql, clickhouse, trino }

/** Returns whether an engine has tables, lists or settings that `findAdminOnlyPart` can detect. */
export const hasProtectedTables = (engine: string): boolean => Object.hasOwn(predicates, engine)

/**
 * Returns whether a system table may reveal passwords, keys, settings, permissions or queries of other users. Embedded data has
 * none within reach of SQL, and SQLite stores none.
 * @param usual  schema and catalog of an unqualified name that is not in the engine's own catalog
 */
export function isProtectedTable(
  { catalog, schema, name }: TableName,
  engine: string,
  usual: { schema: string | null; catalog: string | null },
): boolean {
  const isSecret = Object.hasOwn(predicates, engine) ? predicates[engine] : undefined
  if (!isSecret) return false
  const lower = (text: string | null) => (text ?? '').toLowerCase()
  const schemas = schema === null ? ['', lower(usual.schema)] : [lower(schema)]
  return schemas.some((candidate) =>
    isSecret({ catalog: lower(catalog ?? usual.catalog), schema: candidate, name: lower(name) }),
  )
}
