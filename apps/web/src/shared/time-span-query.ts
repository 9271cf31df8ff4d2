import type { TimeSpan } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'

const aggregated = (column_name: string, aggregate: string, label: string) => ({
  expressionType: 'SIMPLE',
  column: { column_name },
  aggregate,
  label,
})

/** Requests one row, which most databases compute from statistics only. */
export const buildTimeSpanQuery = (dataset: Pick<DatasetObject, 'id' | 'type'>, column: string): object =>
  buildRowQuery(dataset, [aggregated(column, 'MIN', 'from'), aggregated(column, 'MAX', 'to')])

/** Requests the number of distinct times, for which most databases read the column. */
export const buildDistinctTimesQuery = (dataset: Pick<DatasetObject, 'id' | 'type'>, column: string): object =>
  buildRowQuery(dataset, [aggregated(column, 'COUNT_DISTINCT', 'distinct')])

const buildRowQuery = ({ id, type }: Pick<DatasetObject, 'id' | 'type'>, metrics: readonly object[]): object => ({
  datasource: { id, type },
  force: false,
  queries: [
    {
      columns: [],
      metrics,
      filters: [],
      extras: {},
      row_limit: 1,
    },
  ],
  result_format: 'json',
  result_type: 'full',
})

/** Times are milliseconds, or text from databases that store them as text. */
export function readTimeSpan(row: Record<string, unknown> | undefined): TimeSpan | null {
  const [from, to] = [row?.['from'], row?.['to']].map((value) =>
    typeof value === 'string' ? Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value}Z`) : value,
  )
  if (typeof from !== 'number' || typeof to !== 'number' || !(from < to)) return null
  const distinct = row?.['distinct']
  return { from, to, ...(typeof distinct === 'number' && { distinct }) }
}
