import { AppError, message, type GenericType, type PlannerDataset } from '@parquetry/model'
import type { Kysely, Selectable } from 'kysely'
import type { DatabaseRow } from '../connection/source.ts'
import type { DatasetColumnTable, DatasetMetricTable, DatasetTable, Tables } from '../store/tables.ts'

export type DatasetRow = Selectable<DatasetTable>
export type ColumnRow = Selectable<DatasetColumnTable>
export type MetricRow = Selectable<DatasetMetricTable>

/** A stored dataset with its database, columns and metrics. */
export interface StoredDataset {
  row: DatasetRow
  database: DatabaseRow
  columns: ColumnRow[]
  metrics: MetricRow[]
}

/** Reads a dataset without checking access. @returns undefined when there is none */
export async function readDataset(db: Kysely<Tables>, id: number): Promise<StoredDataset | undefined> {
  const row = await db.selectFrom('dataset').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const [database, columns, metrics] = await Promise.all([
    db.selectFrom('database').selectAll().where('id', '=', row.database_id).executeTakeFirstOrThrow(),
    db.selectFrom('dataset_column').selectAll().where('dataset_id', '=', id).orderBy('id').execute(),
    db.selectFrom('dataset_metric').selectAll().where('dataset_id', '=', id).orderBy('id').execute(),
  ])
  return { row, database, columns: columns.toSorted((a, b) => sourceRankOf(a) - sourceRankOf(b)), metrics }
}

/** Calculated columns precede those of the source in every response, as API clients expect. */
const sourceRankOf = ({ expression }: ColumnRow): number => (expression ? 0 : 1)

/** `schema.table`, the display name of datasets in the API. */
export const datasetName = ({ schema, table_name }: Pick<DatasetRow, 'schema' | 'table_name'>): string =>
  schema ? `${schema}.${table_name}` : table_name

/** The error names the dataset by the id that the caller sent; only users with access may learn its table name. */
export const datasetAccessError = ({ id }: Pick<DatasetRow, 'id'>): AppError =>
  new AppError('dataset_access', {
    message: message(
      'errors.dataset.noAccess',
      'This endpoint requires the datasource {id}, database or `all_datasource_access` permission',
      { id },
    ),
    details: { link: '', datasource: String(id) },
  })

/** Converts a stored dataset for the planner, without inactive columns. */
export const plannerDataset = ({ row, database, columns, metrics }: StoredDataset): PlannerDataset => ({
  id: row.id,
  uuid: row.uuid,
  engine: database.backend,
  table_name: row.table_name,
  schema: row.schema || null,
  catalog: row.catalog || null,
  sql: row.sql || null,
  main_dttm_col: row.main_dttm_col,
  columns: columns
    .filter(({ is_active }) => is_active === 1)
    .map((column) => ({
      column_name: column.column_name,
      type: column.type,
      type_generic: column.type_generic as GenericType | null,
      is_dttm: column.is_dttm === 1,
      expression: column.expression || null,
      python_date_format: column.python_date_format || null,
      verbose_name: column.verbose_name,
      groupby: column.groupby === 1,
      filterable: column.filterable === 1,
    })),
  metrics: metrics.map(({ metric_name, expression, verbose_name, d3format }) => ({
    metric_name,
    expression,
    verbose_name,
    d3format,
  })),
  fetch_values_predicate: row.fetch_values_predicate || null,
  offset: row.offset,
  always_filter_main_dttm: row.always_filter_main_dttm === 1,
})
