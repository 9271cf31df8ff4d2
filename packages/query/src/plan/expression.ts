import { AppError, message, type PlannerColumn } from '@parquetry/model'
import { findClauseProblem, closeClause, readsTable } from '../sql/check-sql-text.ts'
import { sql, userSql, type Sql } from '../sql/sql.ts'
import { invalidQuery, type Scope } from './scope.ts'

/**
 * Validates SQL written by the user: one closed expression, without sub-queries over tables unless the setting allows them.
 * @throws AppError `invalid_query`, `adhoc_subquery`
 */
export function adhocSql(text: string, { context }: { context: Pick<Scope['context'], 'settings' | 'dialect'> }): Sql {
  const { name } = context.dialect
  const problem = findClauseProblem(text, name)
  if (problem) throw invalidQuery(`Error: ${problem}`)
  if (!context.settings.ALLOW_ADHOC_SUBQUERY && readsTable(text, name)) {
    throw new AppError('adhoc_subquery', {
      message: message('errors.query.subquery', 'Error: Custom SQL fields cannot contain sub-queries.'),
      status: 400,
    })
  }
  return userSql(closeClause(text, name))
}

/** SQL from the dataset: a calculated column, a saved metric, a predicate. `render` validates it for its engine. */
export const datasetSql = (text: string): Sql => userSql(text)

/** Reference to a column of the dataset; calculated columns are parenthesized so that an operator can follow. */
export const columnSql = (column: PlannerColumn): Sql =>
  column.expression ? sql`(${datasetSql(column.expression)})` : sql.id(column.column_name)
