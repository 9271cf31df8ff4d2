import {
  AppError,
  labelOfColumn,
  labelOfMetric,
  message,
  type Message,
  type QueryColumn,
  type QueryObject,
} from '@parquetry/model'
import { findClauseProblem } from './sql/check-sql-text.ts'

/**
 * Validates a query object without its dataset: labels are unique, `series_columns` are among the columns, the clauses of
 * `extras` are closed.
 * @param dialect name of the engine that will read the clauses
 * @throws AppError `invalid_query` with the API's text
 */
export function checkQuery(query: QueryObject, dialect: string): void {
  const columns = (query.columns ?? []).map(labelOfColumn)
  const labels = [...columns, ...(query.metrics ?? []).map(labelOfMetric)]
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  for (const label of labels) (seen.has(label) ? duplicates : seen).add(label)
  if (duplicates.size > 0) {
    throw refused(
      message(
        'errors.query.duplicateLabels',
        'Duplicate column/metric labels: {labels}. Please make sure all columns and metrics have a unique label.',
        { labels: listed([...duplicates]) },
      ),
    )
  }
  const missing = seriesOutside(query).map(labelOfColumn)
  if (missing.length > 0)
    throw refused(
      message(
        'errors.query.seriesColumns',
        'The following entries in `series_columns` are missing in `columns`: {columns}.',
        { columns: listed(missing) },
      ),
    )
  for (const clause of [query.extras?.where, query.extras?.having]) {
    const problem = clause ? findClauseProblem(clause, dialect) : null
    if (problem) throw refused(problem)
  }
}

/** Series that are not among the columns. A name refers to a column, never to the label of an expression. */
function seriesOutside({ columns, series_columns }: QueryObject): QueryColumn[] {
  const expressionOf = (column: QueryColumn) => (typeof column === 'string' ? column : column.sqlExpression)
  const columnKey = (column: QueryColumn) => JSON.stringify([expressionOf(column), labelOfColumn(column)])
  const names = new Set(columns?.filter((column) => typeof column === 'string'))
  const expressions = new Set(columns?.map(expressionOf))
  const columnKeys = new Set(columns?.map(columnKey))
  const isInside = (series: QueryColumn) =>
    typeof series === 'string'
      ? expressions.has(series)
      : names.has(series.sqlExpression) || columnKeys.has(columnKey(series))
  return (series_columns ?? []).filter((series) => !isInside(series))
}

const listed = (labels: string[]) => labels.map((label) => `"${label}"`).join(', ')

const refused = (text: string | Message) => new AppError('invalid_query', { message: text })
