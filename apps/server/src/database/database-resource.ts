import { secretMask } from '@parquetry/engines'
import { DatabasePost, DatabasePut } from '@parquetry/model'
import { splitNames } from '../http/columns.ts'
import { booleanFilter, textFilter, toOneFilter, booleanOperator } from '../http/filters.ts'
import { agoColumn, sortByUser, computedColumn, userColumn, booleanColumns } from '../http/column-resolvers.ts'
import { hasPermission } from '../access/principal.ts'
import { noSuchAddress } from '../http/errors.ts'
import { relatedUsers } from '../http/related.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { driverOf, engineInformation, maskedParameters, parametersSchema } from '../connection/parameters.ts'
import { readExtra } from '../connection/extra.ts'
import { engineFor, type DatabaseRow } from '../connection/source.ts'
import { sql, type SqlBool } from 'kysely'

const openSettings = (row: DatabaseRow) => JSON.parse(row.settings) as Record<string, unknown>
const parseJson = (text: string | null) => (text === null ? null : (JSON.parse(text) as object))

/** Connection details, null for users who may not change databases. */
const forWriters =
  (compute: (row: DatabaseRow) => unknown): ColumnResolver<DatabaseRow> =>
  (rows, { principal }) =>
    rows.map((row) => (hasPermission(principal, ['can_write', 'Database']) ? compute(row) : null))

/** Properties of a database that clients of other resources need as well. */
export const databaseFacts = (row: DatabaseRow) => {
  const extra = readExtra(row)
  return {
    allows_cost_estimate: extra.cost_estimate_enabled === true,
    allows_subquery: true,
    allows_virtual_table_explore: extra.allows_virtual_table_explore !== false,
    disable_data_preview: extra.disable_data_preview === true,
    disable_drill_to_detail: extra.disable_drill_to_detail === true,
    explore_database_id: extra.explore_database_id ?? row.id,
  }
}

const factColumn = (name: keyof ReturnType<typeof databaseFacts>): ColumnResolver<DatabaseRow> =>
  computedColumn((row) => databaseFacts(row)[name])
const markUnannounced = <T extends object>(operators: readonly T[]) =>
  operators.map((operator) => ({ ...operator, unannounced: true as const }))

/** Defines how `/api/v1/database/` reads databases. None of its columns contains secrets. */
export const databaseResource: Resource<DatabaseRow> & { kind: 'database' } = {
  kind: 'database',
  title: 'Database',
  view: 'Database',
  oddId: noSuchAddress,
  list: {
    announced: splitNames(`
      allow_file_upload allow_ctas allow_cvas allow_dml allow_run_async allows_cost_estimate allows_subquery
      allows_virtual_table_explore backend changed_on changed_on_delta_humanized created_by.first_name
      created_by.last_name database_name explore_database_id expose_in_sqllab extra force_ctas_schema id uuid
      disable_data_preview engine_information
    `),
    unannounced: [
      'changed_by.first_name',
      'changed_by.last_name',
      'disable_drill_to_detail',
      'allow_multi_catalog',
      'last_test',
    ],
  },
  show: {
    announced: splitNames(`
      id uuid database_name cache_timeout expose_in_sqllab allow_run_async allow_file_upload
      configuration_method allow_ctas allow_cvas allow_dml backend driver force_ctas_schema impersonate_user
      masked_encrypted_extra extra parameters parameters_schema server_cert sqlalchemy_uri
      is_managed_externally engine_information
    `),
    unannounced: ['changed_on', 'ssh_tunnel', 'last_test'],
  },
  order: {
    allow_file_upload: 'database.allow_file_upload',
    allow_dml: 'database.allow_dml',
    allow_run_async: 'database.allow_run_async',
    changed_on: 'database.changed_on',
    changed_on_delta_humanized: 'database.changed_on',
    'created_by.first_name': sortByUser('database.created_by_fk', 'first_name'),
    database_name: 'database.database_name',
    expose_in_sqllab: 'database.expose_in_sqllab',
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    allow_file_upload: [
      ...booleanFilter('database.allow_file_upload'),
      booleanOperator('upload_is_enabled', 'Upload Enabled', () => sql<SqlBool>`database.allow_file_upload = 1`),
    ],
    allow_dml: booleanFilter('database.allow_dml'),
    allow_run_async: booleanFilter('database.allow_run_async'),
    expose_in_sqllab: booleanFilter('database.expose_in_sqllab'),
    database_name: textFilter('database.database_name'),
    id: markUnannounced(textFilter('database.id').filter(({ operator }) => operator === 'eq')),
    uuid: markUnannounced(textFilter('database.uuid')),
    created_by: toOneFilter('database.created_by_fk', 'user'),
    changed_by: toOneFilter('database.changed_by_fk', 'user'),
  },
  resolvers: {
    ...booleanColumns<DatabaseRow>('allow_file_upload', 'allow_ctas', 'allow_cvas', 'allow_dml', 'allow_run_async'),
    ...booleanColumns<DatabaseRow>('expose_in_sqllab', 'impersonate_user'),
    created_by: userColumn('created_by_fk'),
    changed_by: userColumn('changed_by_fk'),
    changed_on_delta_humanized: agoColumn('changed_on'),
    allows_cost_estimate: factColumn('allows_cost_estimate'),
    allows_subquery: factColumn('allows_subquery'),
    allows_virtual_table_explore: factColumn('allows_virtual_table_explore'),
    disable_data_preview: factColumn('disable_data_preview'),
    disable_drill_to_detail: factColumn('disable_drill_to_detail'),
    explore_database_id: factColumn('explore_database_id'),
    allow_multi_catalog: computedColumn((row) => engineFor(row).supports.catalogs),
    is_managed_externally: computedColumn(() => false),
    engine_information: computedColumn((row) => engineInformation(engineFor(row))),
    driver: computedColumn((row) => driverOf(engineFor(row), openSettings(row))),
    parameters: forWriters((row) => maskedParameters(engineFor(row), row)),
    parameters_schema: computedColumn((row) => parametersSchema(engineFor(row))),
    sqlalchemy_uri: forWriters((row) => row.sqlalchemy_uri),
    masked_encrypted_extra: forWriters(() => '{}'),
    server_cert: computedColumn((row) => (row.has_server_cert === 1 ? secretMask : null)),
    ssh_tunnel: forWriters((row) => parseJson(row.ssh_tunnel)),
    last_test: forWriters((row) => parseJson(row.last_test)),
  },
  related: { created_by: relatedUsers(), changed_by: relatedUsers() },
  distinct: [],
  laterPermissions: ['can_upload', 'can_csv_upload', 'can_excel_upload', 'can_columnar_upload'],
  bodies: { add: DatabasePost, edit: DatabasePut },
  maxPageSize: -1,
}
