import { mask } from '@parquetry/engines'
import { DatabasePost, DatabasePut } from '@parquetry/model'
import { names } from '../http/columns.ts'
import { truth, text, toOne, yesNo } from '../http/filters.ts'
import { agoOf, byPerson, each, person, truths } from '../http/heads.ts'
import { holds } from '../access/principal.ts'
import { noSuchAddress } from '../http/errors.ts'
import { people } from '../http/related.ts'
import type { Head, Resource } from '../http/resource.ts'
import { driverOf, engineInformation, maskedParameters, parametersSchema } from '../connection/parameters.ts'
import { readExtra } from '../connection/extra.ts'
import { engineFor, type DatabaseRow } from '../connection/source.ts'
import { sql, type SqlBool } from 'kysely'

const openSettings = (row: DatabaseRow) => JSON.parse(row.settings) as Record<string, unknown>
const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as object))

/** How the database is reached: for those who may change it. */
const forWriters =
  (make: (row: DatabaseRow) => unknown): Head<DatabaseRow> =>
  (rows, { principal }) =>
    rows.map((row) => (holds(principal, ['can_write', 'Database']) ? make(row) : null))

/** Facts of a database that clients of other resources need as well. */
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

const fact = (name: keyof ReturnType<typeof databaseFacts>): Head<DatabaseRow> =>
  each((row) => databaseFacts(row)[name])
const later = <T extends object>(operators: readonly T[]) =>
  operators.map((operator) => ({ ...operator, later: true as const }))

/** How `/api/v1/database/` reads databases. Secrets are in none of its columns. */
export const databaseResource: Resource<DatabaseRow> & { kind: 'database' } = {
  kind: 'database',
  title: 'Database',
  view: 'Database',
  oddId: noSuchAddress,
  list: {
    announced: names(`
      allow_file_upload allow_ctas allow_cvas allow_dml allow_run_async allows_cost_estimate allows_subquery
      allows_virtual_table_explore backend changed_on changed_on_delta_humanized created_by.first_name
      created_by.last_name database_name explore_database_id expose_in_sqllab extra force_ctas_schema id uuid
      disable_data_preview engine_information
    `),
    later: [
      'changed_by.first_name',
      'changed_by.last_name',
      'disable_drill_to_detail',
      'allow_multi_catalog',
      'last_test',
    ],
  },
  show: {
    announced: names(`
      id uuid database_name cache_timeout expose_in_sqllab allow_run_async allow_file_upload
      configuration_method allow_ctas allow_cvas allow_dml backend driver force_ctas_schema impersonate_user
      masked_encrypted_extra extra parameters parameters_schema server_cert sqlalchemy_uri
      is_managed_externally engine_information
    `),
    later: ['changed_on', 'ssh_tunnel', 'last_test'],
  },
  order: {
    allow_file_upload: 'database.allow_file_upload',
    allow_dml: 'database.allow_dml',
    allow_run_async: 'database.allow_run_async',
    changed_on: 'database.changed_on',
    changed_on_delta_humanized: 'database.changed_on',
    'created_by.first_name': byPerson('database.created_by_fk', 'first_name'),
    database_name: 'database.database_name',
    expose_in_sqllab: 'database.expose_in_sqllab',
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    allow_file_upload: [
      ...truth('database.allow_file_upload'),
      yesNo('upload_is_enabled', 'Upload Enabled', () => sql<SqlBool>`database.allow_file_upload = 1`),
    ],
    allow_dml: truth('database.allow_dml'),
    allow_run_async: truth('database.allow_run_async'),
    expose_in_sqllab: truth('database.expose_in_sqllab'),
    database_name: text('database.database_name'),
    id: later(text('database.id').filter(({ operator }) => operator === 'eq')),
    uuid: later(text('database.uuid')),
    created_by: toOne('database.created_by_fk', 'user'),
    changed_by: toOne('database.changed_by_fk', 'user'),
  },
  heads: {
    ...truths<DatabaseRow>('allow_file_upload', 'allow_ctas', 'allow_cvas', 'allow_dml', 'allow_run_async'),
    ...truths<DatabaseRow>('expose_in_sqllab', 'impersonate_user'),
    created_by: person('created_by_fk'),
    changed_by: person('changed_by_fk'),
    changed_on_delta_humanized: agoOf('changed_on'),
    allows_cost_estimate: fact('allows_cost_estimate'),
    allows_subquery: fact('allows_subquery'),
    allows_virtual_table_explore: fact('allows_virtual_table_explore'),
    disable_data_preview: fact('disable_data_preview'),
    disable_drill_to_detail: fact('disable_drill_to_detail'),
    explore_database_id: fact('explore_database_id'),
    allow_multi_catalog: each((row) => engineFor(row).supports.catalogs),
    is_managed_externally: each(() => false),
    engine_information: each((row) => engineInformation(engineFor(row))),
    driver: each((row) => driverOf(engineFor(row), openSettings(row))),
    parameters: forWriters((row) => maskedParameters(engineFor(row), row)),
    parameters_schema: each((row) => parametersSchema(engineFor(row))),
    sqlalchemy_uri: forWriters((row) => row.sqlalchemy_uri),
    masked_encrypted_extra: forWriters(() => '{}'),
    server_cert: each((row) => (row.has_server_cert === 1 ? mask : null)),
    ssh_tunnel: forWriters((row) => parsed(row.ssh_tunnel)),
    last_test: forWriters((row) => parsed(row.last_test)),
  },
  related: { created_by: people(), changed_by: people() },
  distinct: [],
  laterPermissions: ['can_upload', 'can_csv_upload', 'can_excel_upload', 'can_columnar_upload'],
  bodies: { add: DatabasePost, edit: DatabasePut },
  maxPageSize: -1,
}
