import { labelOfColumn, type QueryColumn } from '@parquetry/model'
import type { ExploreColumn, ExploreDataset } from '../use-explore.ts'

export const columnDisplayName = (column: QueryColumn, dataset: ExploreDataset): string => {
  const name = labelOfColumn(column)
  return dataset.verbose_map[name] || name
}

export const findColumn = (column: QueryColumn, dataset: ExploreDataset): ExploreColumn | undefined =>
  dataset.columns.find(({ column_name }) => column_name === labelOfColumn(column))

export const isColumnInDataset = (column: QueryColumn, dataset: ExploreDataset): boolean =>
  typeof column !== 'string' || findColumn(column, dataset) !== undefined

/** Finds a column by its name or verbose name. */
export const findColumnByText = (text: string, { columns }: ExploreDataset): ExploreColumn | undefined =>
  columns.find(({ column_name }) => column_name === text) ?? columns.find(({ verbose_name }) => verbose_name === text)
