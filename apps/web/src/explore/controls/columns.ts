import { labelOfColumn, type QueryColumn } from '@parquetry/model'
import type { ExploreColumn, ExploreDataset } from '../use-explore.ts'

export const wordsOfColumn = (column: QueryColumn, dataset: ExploreDataset): string => {
  const name = labelOfColumn(column)
  return dataset.verbose_map[name] || name
}

export const columnOf = (column: QueryColumn, dataset: ExploreDataset): ExploreColumn | undefined =>
  dataset.columns.find(({ column_name }) => column_name === labelOfColumn(column))

export const isColumnThere = (column: QueryColumn, dataset: ExploreDataset): boolean =>
  typeof column !== 'string' || columnOf(column, dataset) !== undefined

/** The column that a text names, by its name or its verbose one. */
export const columnOfText = (text: string, { columns }: ExploreDataset): ExploreColumn | undefined =>
  columns.find(({ column_name }) => column_name === text) ?? columns.find(({ verbose_name }) => verbose_name === text)
