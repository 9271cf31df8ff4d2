import type { DatasetObject } from '@parquetry/model'
import { listTimeGrains } from '@parquetry/query'
import type { Kysely } from 'kysely'
import { databaseFacts } from '../database/database-resource.ts'
import { parseObject } from '../http/json-body.ts'
import { engineInformation, parametersSchema } from '../connection/parameters.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import { selectStar } from '../connection/sql-text.ts'
import { datasetViewName } from '../access/data-rights.ts'
import type { Tables } from '../store/tables.ts'
import { resolveEndpoint, resolveGenericType, sortColumns, sortMetrics } from './dataset-resource.ts'
import { type ColumnRow, datasetName, type MetricRow, type StoredDataset } from './stored-dataset.ts'
import { readStoredFolders } from './folders.ts'

interface Certification {
  is_certified: boolean
  certified_by: string | null
  certification_details: string | null
  warning_markdown: string | null
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Certification and warning in the `extra` of a column or metric; other content is stored as sent and ignored here. */
function parseCertification(extra: string | null): Certification {
  const { certification, warning_markdown } = parseObject(extra)
  const isCertified = typeof certification === 'object' && certification !== null
  const { certified_by, details } = (isCertified ? certification : {}) as Record<string, unknown>
  return {
    is_certified: isCertified,
    certified_by: textOr(certified_by),
    certification_details: textOr(details),
    warning_markdown: textOr(warning_markdown),
  }
}

const columnData = (column: ColumnRow) => ({
  id: column.id,
  uuid: column.uuid,
  column_name: column.column_name,
  verbose_name: column.verbose_name,
  description: column.description,
  expression: column.expression,
  filterable: column.filterable === 1,
  groupby: column.groupby === 1,
  is_dttm: column.is_dttm === 1,
  type: column.type,
  type_generic: resolveGenericType(column),
  advanced_data_type: column.advanced_data_type,
  python_date_format: column.python_date_format,
  ...parseCertification(column.extra),
})

const currencyData = (currency: string | null): Record<string, unknown> | null =>
  currency === null ? null : parseObject(currency)

const metricData = (metric: MetricRow) => ({
  id: metric.id,
  uuid: metric.uuid,
  metric_name: metric.metric_name,
  verbose_name: metric.verbose_name,
  description: metric.description,
  expression: metric.expression,
  warning_text: metric.warning_text,
  d3format: metric.d3format,
  currency: currencyData(metric.currency),
  ...parseCertification(metric.extra),
})

const databaseData = (row: DatabaseRow) => {
  const engine = engineFor(row)
  return {
    id: row.id,
    name: row.database_name,
    backend: row.backend,
    configuration_method: row.configuration_method,
    ...databaseFacts(row),
    allow_multi_catalog: false,
    parameters: {},
    parameters_schema: parametersSchema(engine),
    engine_information: engineInformation(engine),
  }
}

const verboseMap = (columns: readonly ColumnRow[], metrics: readonly MetricRow[]): Record<string, string> =>
  Object.fromEntries([
    ['__timestamp', 'Time'],
    ...metrics.map(({ metric_name, verbose_name }) => [metric_name, verbose_name || metric_name] as const),
    ...columns.map(({ column_name, verbose_name }) => [column_name, verbose_name || column_name] as const),
  ])

/** Dataset object of the API, with more fields than our own pages use. */
export function datasetObject(
  { row, database, columns: allColumns, metrics: allMetrics }: StoredDataset,
  owners: { id: number; first_name: string; last_name: string; username: string }[],
  type: 'table' | 'query' = 'table',
): DatasetObject {
  const engine = engineFor(database)
  const columns = sortColumns(allColumns)
  const metrics = sortMetrics(allMetrics)
  const names = columns.map(({ column_name }) => column_name).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const object = {
    id: row.id,
    uid: `${row.id}__${type}`,
    type,
    uuid: row.uuid,
    name: datasetName(row),
    datasource_name: row.table_name,
    table_name: row.table_name,
    schema: row.schema,
    catalog: row.catalog,
    description: row.description,
    database: databaseData(database),
    default_endpoint: resolveEndpoint(row),
    filter_select: row.filter_select_enabled === 1,
    filter_select_enabled: row.filter_select_enabled === 1,
    offset: row.offset,
    cache_timeout: row.cache_timeout,
    params: row.params,
    perm: datasetViewName(database.database_name, row),
    edit_url: `/tablemodelview/edit/${row.id}`,
    sql: row.sql,
    columns: columns.map(columnData),
    metrics: metrics.map(metricData),
    order_by_choices: names.flatMap((name) => [
      [`[${JSON.stringify(name)}, true]`, `${name} [asc]`],
      [`[${JSON.stringify(name)}, false]`, `${name} [desc]`],
    ]),
    owners,
    verbose_map: verboseMap(columns, metrics),
    select_star: selectStar(engine, row.schema, row.table_name, null),
    column_formats: Object.fromEntries(
      metrics.flatMap(({ metric_name, d3format }) => (d3format ? [[metric_name, d3format]] : [])),
    ),
    currency_formats: Object.fromEntries(
      metrics.flatMap(({ metric_name, currency }) => {
        const read = currencyData(currency)
        return read ? [[metric_name, read]] : []
      }),
    ),
    granularity_sqla: columns
      .filter(({ is_dttm }) => is_dttm === 1)
      .map(({ column_name }) => [column_name, column_name]),
    time_grain_sqla: listTimeGrains(engine.dialect).map(({ duration, name }): [string | null, string] => [
      duration,
      name,
    ]),
    main_dttm_col: row.main_dttm_col,
    fetch_values_predicate: row.fetch_values_predicate,
    template_params: row.template_params,
    is_sqllab_view: row.is_sqllab_view === 1,
    normalize_columns: row.normalize_columns === 1,
    always_filter_main_dttm: row.always_filter_main_dttm === 1,
    health_check_message: null,
    extra: row.extra,
    folders: readStoredFolders(row),
  }
  return object
}

/** Names and formats of a dataset that chart images need. */
export function buildDatasetDisplay(stored: StoredDataset) {
  const { columns, metrics, main_dttm_col, verbose_map, column_formats, currency_formats } = datasetObject(stored, [])
  return { columns, metrics, main_dttm_col, verbose_map, column_formats, currency_formats }
}

/** Dataset object of a stored dataset, with its owners. */
export async function readDatasetObject(db: Kysely<Tables>, stored: StoredDataset): Promise<DatasetObject> {
  const owners = await db
    .selectFrom('dataset_owner')
    .innerJoin('user', 'user.id', 'user_id')
    .select(['user.id', 'first_name', 'last_name', 'username'])
    .where('dataset_id', '=', stored.row.id)
    .orderBy('user.id')
    .execute()
  return datasetObject(stored, owners)
}
