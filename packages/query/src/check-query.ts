import { AppError, labelOfColumn, labelOfMetric, type QueryObject } from '@parquetry/model'
import { clauseProblem } from './sql/check-sql-text.ts'

/**
 * The checks of a query object that need no dataset: labels are unique, `series_columns` are among the
 * columns, the clauses of `extras` are closed.
 * @param dialect name of the engine that will read the clauses
 * @throws AppError `invalid_query` with the API's text
 */
export function checkQuery(query: QueryObject, dialect: string): void {
  const columns = (query.columns ?? []).map(labelOfColumn)
  const labels = [...columns, ...(query.metrics ?? []).map(labelOfMetric)]
  const twice = [...new Set(labels.filter((label, index) => labels.indexOf(label) !== index))]
  if (twice.length > 0) {
    throw refused(
      `Duplicate column/metric labels: ${listed(twice)}. Please make sure all columns and metrics have a unique label.`,
    )
  }
  const missing = (query.series_columns ?? []).map(labelOfColumn).filter((label) => !columns.includes(label))
  if (missing.length > 0)
    throw refused(`\`series_columns\` must be among \`columns\`; missing there: ${listed(missing)}`)
  for (const clause of [query.extras?.where, query.extras?.having]) {
    const problem = clause ? clauseProblem(clause, dialect) : null
    if (problem) throw refused(problem)
  }
}

const listed = (labels: string[]) => labels.map((label) => `"${label}"`).join(', ')

const refused = (message: string) => new AppError('invalid_query', { message })
