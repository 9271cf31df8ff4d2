import { DatasetPost, DatasetPut, GenericType, resolveLocalUrl, webAddressOf } from '@parquetry/model'
import { parseGenericType } from '@parquetry/query'
import { sql, type SqlBool } from 'kysely'
import { databaseFacts } from '../database/database-resource.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import { selectStar } from '../connection/sql-text.ts'
import { splitNames } from '../http/columns.ts'
import {
  customOperator,
  numberFilter,
  ownersFilter,
  textFilter,
  toOneFilter,
  booleanOperator,
} from '../http/filters.ts'
import {
  agoColumn,
  auditColumns,
  sortByUser,
  computedColumn,
  ownersColumn,
  booleanColumns,
} from '../http/column-resolvers.ts'
import { parseObject } from '../http/json-body.ts'
import { relatedDatabases, relatedUsers } from '../http/related.ts'
import { editorLinks } from '../access/subject-links.ts'
import { editableFilter, subjectFilter, subjectsColumn } from '../http/subjects.ts'
import { customTagsColumn, tagsColumn, tagsFilter } from '../http/tags.ts'
import type { ColumnResolver, ReadContext, Resource } from '../http/resource.ts'
import type { ColumnRow, DatasetRow, MetricRow } from './stored-dataset.ts'
import { readStoredFolders } from './folders.ts'

const fetchDatabases = async (rows: readonly DatasetRow[], { db }: ReadContext): Promise<DatabaseRow[]> => {
  const ids = [...new Set(rows.map(({ database_id }) => database_id))].concat(-1)
  const found = await db.selectFrom('database').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(found.map((database) => [database.id, database]))
  return rows.map(({ database_id }) => byId.get(database_id) as DatabaseRow)
}

const database: ColumnResolver<DatasetRow> = async (rows, context) =>
  (await fetchDatabases(rows, context)).map((row) => ({
    id: row.id,
    uuid: row.uuid,
    database_name: row.database_name,
    backend: row.backend,
    ...databaseFacts(row),
    allow_multi_catalog: false,
  }))

/** Calculated columns first, then those of the source in its order. */
export const sortColumns = (columns: readonly ColumnRow[]): ColumnRow[] =>
  columns.toSorted((a, b) => Number(!a.expression) - Number(!b.expression) || a.id - b.id)

/** User-defined metrics first, then the metric that every dataset has. */
export const sortMetrics = (metrics: readonly MetricRow[]): MetricRow[] =>
  metrics.toSorted((a, b) => Number(a.metric_type === 'count') - Number(b.metric_type === 'count') || a.id - b.id)

/** Generic type in the API: a column marked as temporal is temporal regardless of its type in the source. */
export const resolveGenericType = ({
  is_dttm,
  type,
  type_generic,
}: Pick<ColumnRow, 'is_dttm' | 'type' | 'type_generic'>) =>
  is_dttm === 1 ? GenericType.TEMPORAL : (type_generic ?? parseGenericType(type))

/** Rows of a child table for each dataset. */
const children =
  <T extends { dataset_id: number }>(
    table: 'dataset_column' | 'dataset_metric',
    present: (rows: T[]) => object[],
  ): ColumnResolver<DatasetRow> =>
  async (rows, { db }) => {
    const ids = rows.map(({ id }) => id).concat(-1)
    const found = (await sql<T>`select * from ${sql.table(table)} where dataset_id in (${sql.join(ids)})`.execute(db))
      .rows
    return rows.map(({ id }) => present(found.filter(({ dataset_id }) => dataset_id === id)))
  }

const columns = children<ColumnRow>('dataset_column', (rows) =>
  sortColumns(rows).map((row) => ({
    ...row,
    type_generic: resolveGenericType(row),
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
  sortMetrics(rows).map((row) => ({
    ...Object.fromEntries(metricFields.map((field) => [field, row[field]])),
    currency: row.currency === null ? null : parseObject(row.currency),
  })),
)

const kindOf = ({ sql: text }: Pick<DatasetRow, 'sql'>) => (text ? 'virtual' : 'physical')

/** URL at which a dataset opens; null for a URL of another site, which a bundle may contain. */
export const resolveEndpoint = ({ default_endpoint }: Pick<DatasetRow, 'default_endpoint'>): string | null =>
  resolveLocalUrl(default_endpoint ?? '')

const exploreUrl = (row: Pick<DatasetRow, 'id' | 'default_endpoint'>): string =>
  resolveEndpoint(row) ?? `/explore/?datasource_type=table&datasource_id=${row.id}`

const isCertified = sql<SqlBool>`coalesce(dataset.extra, '') like ${'%"certification"%'}`

/** Defines how `/api/v1/dataset/` reads datasets. */
export const datasetResource: Resource<DatasetRow> & { kind: 'dataset' } = {
  kind: 'dataset',
  title: 'Sqla Table',
  view: 'Dataset',
  isCached: true,
  list: {
    announced: splitNames(`
      id database.id database.database_name changed_by_name changed_by_url changed_by.first_name
      changed_by.last_name changed_on_utc changed_on_delta_humanized default_endpoint description
      datasource_type explore_url extra kind owners.id owners.first_name owners.last_name schema sql table_name
    `),
    unannounced: splitNames(`
      editors.id editors.label editors.type uuid database.uuid changed_by.id catalog changed_on is_damaged tags custom_tags
    `),
  },
  show: {
    announced: splitNames(`
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
    unannounced: splitNames(`
      editors.id editors.label editors.type uuid uid name datasource_name catalog normalize_columns always_filter_main_dttm database.uuid
      database.allow_multi_catalog owners.username folders external_url metrics.currency metrics.uuid tags
    `),
  },
  order: {
    table_name: 'dataset.table_name',
    schema: 'dataset.schema',
    'changed_by.first_name': sortByUser('dataset.changed_by_fk', 'first_name'),
    changed_on_delta_humanized: 'dataset.changed_on',
    'database.database_name': sql`(select home.database_name from ${sql.table('database')} as home where home.id = dataset.database_id)`,
  },
  defaultOrder: ['changed_on_delta_humanized', 'desc'],
  filters: {
    database: toOneFilter('dataset.database_id', 'database'),
    id: [
      ...numberFilter('dataset.id'),
      ...editableFilter('dataset', ['can_write', 'Dataset']),
      booleanOperator('dataset_is_certified', 'Is certified', () => isCertified),
    ],
    uuid: textFilter('dataset.uuid').map((operator) => ({ ...operator, unannounced: true as const })),
    owners: ownersFilter('dataset', editorLinks.dataset.user),
    editors: subjectFilter('dataset', editorLinks.dataset),
    created_by: toOneFilter('dataset.created_by_fk', 'user').map((operator) => ({
      ...operator,
      unannounced: true as const,
    })),
    changed_by: toOneFilter('dataset.changed_by_fk', 'user').map((operator) => ({
      ...operator,
      unannounced: true as const,
    })),
    catalog: textFilter('dataset.catalog').map((operator) => ({ ...operator, unannounced: true as const })),
    schema: textFilter('dataset.schema'),
    sql: [
      ...textFilter('dataset.sql'),
      customOperator('dataset_is_null_or_empty', 'Null or Empty', (value) =>
        value === true || value === 'true'
          ? sql<SqlBool>`coalesce(dataset.sql, '') = ''`
          : sql<SqlBool>`coalesce(dataset.sql, '') <> ''`,
      ),
    ],
    table_name: textFilter('dataset.table_name'),
    tags: tagsFilter('dataset'),
  },
  resolvers: {
    ...auditColumns<DatasetRow>(),
    ...booleanColumns<DatasetRow>(
      'filter_select_enabled',
      'is_sqllab_view',
      'is_managed_externally',
      'normalize_columns',
    ),
    ...booleanColumns<DatasetRow>('always_filter_main_dttm'),
    owners: ownersColumn('dataset'),
    editors: subjectsColumn(editorLinks.dataset),
    tags: tagsColumn('dataset'),
    custom_tags: customTagsColumn('dataset'),
    database,
    columns,
    metrics,
    created_on_humanized: agoColumn('created_on'),
    changed_on_humanized: agoColumn('changed_on'),
    datasource_type: computedColumn(() => 'table'),
    external_url: computedColumn(({ external_url }) => webAddressOf(external_url)),
    folders: computedColumn(readStoredFolders),
    kind: computedColumn(kindOf),
    default_endpoint: computedColumn(resolveEndpoint),
    explore_url: computedColumn(exploreUrl),
    url: computedColumn(({ id }) => `/tablemodelview/edit/${id}`),
    uid: computedColumn(({ id }) => `${id}__table`),
    name: computedColumn(({ schema, table_name }) => (schema ? `${schema}.${table_name}` : table_name)),
    datasource_name: computedColumn(({ table_name }) => table_name),
    select_star: async (rows, context) => {
      const databases = await fetchDatabases(rows, context)
      return rows.map(({ schema, table_name }, index) =>
        selectStar(engineFor(databases[index] as DatabaseRow), schema, table_name, null),
      )
    },
  },
  related: {
    database: relatedDatabases,
    owners: relatedUsers({ withContact: true }),
    created_by: relatedUsers(),
    changed_by: relatedUsers(),
  },
  distinct: ['schema', 'catalog'],
  bodies: { add: DatasetPost, edit: DatasetPut },
}
