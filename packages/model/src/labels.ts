import type { QueryColumn, QueryMetric } from './query-context.ts'

/** Label under which a column appears in the answer: its own label, else the expression or name. */
export const labelOfColumn = (column: QueryColumn): string =>
  typeof column === 'string' ? column : (column.label ?? column.sqlExpression)

/** Label of a metric: its label, else the saved name, else `AGG(column)` or the expression. */
export function labelOfMetric(metric: QueryMetric): string {
  if (typeof metric === 'string') return metric
  if (metric.label) return metric.label
  if (metric.expressionType === 'SQL') return metric.sqlExpression ?? ''
  return `${metric.aggregate ?? ''}(${metric.column?.column_name ?? ''})`
}
