import { DatasetPost, DatasetPut, GenericType, isLocal } from '@parquetry/model'
import { genericTypeOf } from '@parquetry/query'
import { sql, type SqlBool } from 'kysely'
import { databaseFacts } from '../database/database-resource.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import { selectStar } from '../connection/sql-text.ts'
import { names } from '../http/columns.ts'
import { named, number, ownersFilter, text, toOne, yesNo } from '../http/filters.ts'
import { agoOf, audited, byPerson, each, owners, truths } from '../http/heads.ts'
import { objectIn } from '../http/json-body.ts'
import { databases, people } from '../http/related.ts'
import type { Head, ReadContext, Resource } from '../http/resource.ts'
import type { ColumnRow, DatasetRow, MetricRow } from './describe.ts'
import { foldersOf } from './folders.ts'

const ownerPair = { through: 'dataset_owner', own: 'dataset_id', other: 'user_id' }

const databasesOf = async (rows: readonly DatasetRow[], { db }: ReadContext): Promise<DatabaseRow[]> => {
  const ids = [...new Set(rows.map(({ database_id }) => database_id))].concat(-1)
  const found = await db.selectFrom('database').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(found.map((database) => [database.id, database]))
  return rows.map(({ database_id }) => byId.get(database_id) as DatabaseRow)
}

const database: Head<DatasetRow> = async (rows, context) =>
  (await databasesOf(rows, context)).map((row) => ({
    id: row.id,
    uuid: row.uuid,
    database_name: row.database_name,
    backend: row.backend,
    ...databaseFacts(row),
    allow_multi_catalog: false,
  }))

/** Calculated columns first, then the source's in its order. */
export const inOrder = (columns: readonly ColumnRow[]): ColumnRow[] =>
  columns.toSorted((a, b) => Number(!a.expression) - Number(!b.expression) || a.id - b.id)

/** Metrics that people made first; the one that comes with every dataset stands last. */
export const metricsInOrder = (metrics: readonly MetricRow[]): MetricRow[] =>
  metrics.toSorted((a, b) => Number(a.metric_type === 'count') - Number(b.metric_type === 'count') || a.id - b.id)

/** What a column's values are to the API: a column that is marked as temporal is, whatever the source stores. */
export const typeGenericOf = ({ is_dttm, type, type_generic }: Pick<ColumnRow, 'is_dttm' | 'type' | 'type_generic'>) =>
  is_dttm === 1 ? GenericType.TEMPORAL : (type_generic ?? genericTypeOf(type))

/** Rows of a table that hang on datasets, for each of them. */
const children =
  <T extends { dataset_id: number }>(
    table: 'dataset_column' | 'dataset_metric',
    shown: (rows: T[]) => object[],
  ): Head<DatasetRow> =>
  async (rows, { db }) => {
    const ids = rows.map(({ id }) => id).concat(-1)
    const found = (await sql<T>`select * from ${sql.table(table)} where dataset_id in (${sql.join(ids)})`.execute(db))
      .rows
    return rows.map(({ id }) => shown(found.filter(({ dataset_id }) => dataset_id === id)))
  }

const columns = children<ColumnRow>('dataset_column', (rows) =>
  inOrder(rows).map((row) => ({
    ...row,
    type_generic: typeGenericOf(row),
    is_dttm: row.is_dttm === 1,
    is_active: row.is_active === 1,
    groupby: row.groupby === 1,
    filterable: row.filterable === 1,
  })),
)

const metricFields = [
  'changed_on',
  'created_on',
  'd3format',
  'description',
  'expression',
  'extra',
  'id',
  'metric_name',
  'metric_type',
  'verbose_name',
  'warning_text',
  'uuid',
] as const
const metrics = children<MetricRow>('dataset_metric', (rows) =>
  metricsInOrder(rows).map((row) => ({
    ...Object.fromEntries(metricFields.map((field) => [field, row[field]])),
    currency: row.currency === null ? null : objectIn(row.currency),
  })),
)

const kindOf = ({ sql: text }: Pick<DatasetRow, 'sql'>) => (text ? 'virtual' : 'physical')

/** Where a dataset says that it is opened; nowhere for an address that leads elsewhere, as a bundle may bring one. */
export const endpointOf = ({ default_endpoint }: Pick<DatasetRow, 'default_endpoint'>): string | null =>
  default_endpoint && isLocal(default_endpoint) ? default_endpoint : null

const exploreUrl = (row: Pick<DatasetRow, 'id' | 'default_endpoint'>): string =>
  endpointOf(row) ?? `/explore/?datasource_type=table&datasource_id=${row.id}`

const certified = sql<SqlBool>`coalesce(dataset.extra, '') like ${'%"certification"%'}`

/** How `/api/v1/dataset/` reads datasets. */
export const datasetResource: Resource<DatasetRow> & { kind: 'dataset' } = {
  kind: 'dataset',
  title: 'Sqla Table',
  view: 'Dataset',
  list: {
    announced: names(`
      id database.id database.database_name changed_by_name changed_by_url changed_by.first_name
      changed_by.last_name changed_on_utc changed_on_delta_humanized default_endpoint description
      datasource_type explore_url extra kind owners.id owners.first_name owners.last_name schema sql table_name
    `),
    later: ['uuid', 'database.uuid', 'changed_by.id', 'catalog', 'changed_on', 'is_damaged'],
  },
  show: {
    announced: names(`
      id database.database_name database.id table_name sql filter_select_enabled fetch_values_predicate schema
      description main_dttm_col offset default_endpoint cache_timeout is_sqllab_view template_params
      select_star owners.id owners.first_name owners.last_name columns.advanced_data_type columns.changed_on
      columns.column_name columns.created_on columns.description columns.expression columns.filterable
      columns.groupby columns.id columns.is_active columns.extra columns.is_dttm columns.python_date_format
      columns.type columns.uuid columns.verbose_name metrics metrics.changed_on metrics.created_on
      metrics.d3format metrics.description metrics.expression metrics.extra metrics.id metrics.metric_name
      metrics.metric_type metrics.verbose_name metrics.warning_text datasource_type url extra kind created_on
      created_on_humanized created_by.first_name created_by.last_name changed_on changed_on_humanized
      changed_by.first_name changed_by.last_name columns.type_generic database.backend
      columns.advanced_data_type is_managed_externally
    `),
    later: names(`
      uuid uid name datasource_name catalog normalize_columns always_filter_main_dttm database.uuid
      database.allow_multi_catalog owners.username folders external_url metrics.currency metrics.uuid
    `),
  },
  order: {
    table_name: 'dataset.table_name',
    schema: 'dataset.schema',
    'changed_by.first_name': byPerson('dataset.changed_by_fk', 'first_name'),
    changed_on_delta_humanized: 'dataset.changed_on',
    'database.database_name': sql`(select home.database_name from ${sql.table('database')} as home where home.id = dataset.database_id)`,
  },
  defaultOrder: ['changed_on_delta_humanized', 'desc'],
  filters: {
    database: toOne('dataset.database_id', 'database'),
    id: [...number('dataset.id'), yesNo('dataset_is_certified', 'Is certified', () => certified)],
    uuid: text('dataset.uuid').map((operator) => ({ ...operator, later: true as const })),
    owners: ownersFilter('dataset', ownerPair),
    created_by: toOne('dataset.created_by_fk', 'user').map((operator) => ({ ...operator, later: true as const })),
    changed_by: toOne('dataset.changed_by_fk', 'user').map((operator) => ({ ...operator, later: true as const })),
    catalog: text('dataset.catalog').map((operator) => ({ ...operator, later: true as const })),
    schema: text('dataset.schema'),
    sql: [
      ...text('dataset.sql'),
      named('dataset_is_null_or_empty', 'Null or Empty', (value) =>
        value === true || value === 'true'
          ? sql<SqlBool>`coalesce(dataset.sql, '') = ''`
          : sql<SqlBool>`coalesce(dataset.sql, '') <> ''`,
      ),
    ],
    table_name: text('dataset.table_name'),
  },
  heads: {
    ...audited<DatasetRow>(),
    ...truths<DatasetRow>('filter_select_enabled', 'is_sqllab_view', 'is_managed_externally', 'normalize_columns'),
    ...truths<DatasetRow>('always_filter_main_dttm'),
    owners: owners('dataset'),
    database,
    columns,
    metrics,
    created_on_humanized: agoOf('created_on'),
    changed_on_humanized: agoOf('changed_on'),
    datasource_type: each(() => 'table'),
    folders: each(foldersOf),
    kind: each(kindOf),
    explore_url: each(exploreUrl),
    url: each(({ id }) => `/tablemodelview/edit/${id}`),
    uid: each(({ id }) => `${id}__table`),
    name: each(({ schema, table_name }) => (schema ? `${schema}.${table_name}` : table_name)),
    datasource_name: each(({ table_name }) => table_name),
    select_star: async (rows, context) => {
      const homes = await databasesOf(rows, context)
      return rows.map(({ schema, table_name }, at) =>
        selectStar(engineFor(homes[at] as DatabaseRow), schema, table_name, null),
      )
    },
  },
  related: { database: databases, owners: people({ withContact: true }), created_by: people(), changed_by: people() },
  distinct: ['schema', 'catalog'],
  bodies: { add: DatasetPost, edit: DatasetPut },
}
