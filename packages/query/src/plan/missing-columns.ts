import { AppError, message, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { pythonText } from '../read/python-text.ts'
import { invalidQuery, timestampLabel, type Scope } from './scope.ts'

export const missingColumns = (names: unknown[]): AppError =>
  invalidQuery(
    message('errors.query.missingColumns', 'Error: Columns missing in dataset: {columns}', {
      columns: pythonText(names),
    }),
  )

/** Rejects all columns and columns of simple metrics that the dataset lacks in one error, before any other check. */
export function checkColumnsExist({ query, columns }: Scope): void {
  const requested = [
    ...[...(query.columns ?? []), ...(query.having_columns ?? [])].flatMap(listColumnNames),
    ...(query.metrics ?? []).flatMap(listMetricColumns),
  ]
  const missing = requested.filter(
    (name) => typeof name !== 'string' || (name !== timestampLabel && !columns.has(name)),
  )
  if (missing.length > 0) throw missingColumns(missing)
}

function listColumnNames(column: QueryColumn): unknown[] {
  if (typeof column === 'string') return [column]
  if (typeof column.sqlExpression !== 'string') return [column]
  return column.isColumnReference ? [column.sqlExpression] : []
}

function listMetricColumns(metric: QueryMetric): string[] {
  if (typeof metric === 'string' || metric.expressionType !== 'SIMPLE') return []
  return metric.column?.column_name ? [metric.column.column_name] : []
}
