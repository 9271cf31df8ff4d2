import type { TimeSpan } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'

/** One row, for which most databases read statistics alone. */
export const buildTimeSpanQuery = ({ id, type }: Pick<DatasetObject, 'id' | 'type'>, column_name: string): object => ({
  datasource: { id, type },
  force: false,
  queries: [
    {
      columns: [],
      metrics: [
        { expressionType: 'SIMPLE', column: { column_name }, aggregate: 'MIN', label: 'from' },
        { expressionType: 'SIMPLE', column: { column_name }, aggregate: 'MAX', label: 'to' },
      ],
      filters: [],
      extras: {},
      row_limit: 1,
    },
  ],
  result_format: 'json',
  result_type: 'full',
})

/** Times come as milliseconds, or as text from databases that keep them so. */
export function readTimeSpan(row: Record<string, unknown> | undefined): TimeSpan | null {
  const [from, to] = [row?.['from'], row?.['to']].map((value) =>
    typeof value === 'string' ? Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value}Z`) : value,
  )
  return typeof from === 'number' && typeof to === 'number' && from < to ? { from, to } : null
}
