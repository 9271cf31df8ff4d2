import type { QueryColumn, QueryMetric } from './query-context.ts'

/** Returns the label of a column in the result: its own label, else the expression or name. */
export const labelOfColumn = (column: QueryColumn): string =>
  typeof column === 'string' ? column : (column.label ?? column.sqlExpression)

/** Returns the label of a metric: its own label, else the saved name, else `AGG(column)` or the expression. */
export function labelOfMetric(metric: QueryMetric): string {
  if (typeof metric === 'string') return metric
  if (metric.label) return metric.label
  if (metric.expressionType === 'SQL') return metric.sqlExpression ?? ''
  return `${metric.aggregate ?? ''}(${metric.column?.column_name ?? ''})`
}
