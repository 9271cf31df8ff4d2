import type { TimeSpan } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'

/** Requests one row, which most databases compute from statistics only. */
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

/** Times are milliseconds, or text from databases that store them as text. */
export function readTimeSpan(row: Record<string, unknown> | undefined): TimeSpan | null {
  const [from, to] = [row?.['from'], row?.['to']].map((value) =>
    typeof value === 'string' ? Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value}Z`) : value,
  )
  return typeof from === 'number' && typeof to === 'number' && from < to ? { from, to } : null
}
