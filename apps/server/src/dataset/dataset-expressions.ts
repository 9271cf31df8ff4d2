import { AppError, type Source } from '@parquetry/model'
import { findAdminOnlyPart, findForbiddenFunctions } from '@parquetry/sql'
import { loadAuthor } from '../access/load-principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { foreignName } from '../sql-access/authorize-sql.ts'
import { holdsQuery, inspectExpression } from '../sql-access/inspect-expression.ts'
import { canReadAll } from '../sql-access/table-access.ts'

/** An expression of a dataset, and its title in messages. */
export interface DatasetExpression {
  field: 'columns' | 'metrics' | 'fetch_values_predicate'
  /** Name of the column or metric. */
  name: string | null
  title: string
  sql: string
}

export interface ExpressionProblem extends DatasetExpression {
  problem: string
}

interface ExpressionSource {
  columns: readonly { column_name: string; expression?: string | null }[]
  metrics: readonly { metric_name: string; expression: string }[]
  fetch_values_predicate: string | null
}

/** All expressions of a dataset. Its own SQL is a query, not an expression. */
export function listDatasetExpressions({
  columns,
  metrics,
  fetch_values_predicate,
}: ExpressionSource): DatasetExpression[] {
  const columnExpressions = columns.flatMap(({ column_name: name, expression: sql }): DatasetExpression[] =>
    sql ? [{ field: 'columns', name, title: `The calculated column "${name}"`, sql }] : [],
  )
  const metricExpressions = metrics.map(({ metric_name: name, expression: sql }): DatasetExpression => ({
    field: 'metrics',
    name,
    title: `The metric "${name}"`,
    sql,
  }))
  const title = 'The filter value predicate'
  return [
    ...columnExpressions,
    ...metricExpressions,
    ...(fetch_values_predicate
      ? [{ field: 'fetch_values_predicate' as const, name: null, title, sql: fetch_values_predicate }]
      : []),
  ]
}

/** Context in which the expressions run; `canCallForeign` allows functions that are not built into the engine. */
export interface ExpressionCheck {
  deps: Pick<ConnectionDeps, 'runners'>
  database: DatabaseRow
  source: Source
  canCallForeign: () => boolean | Promise<boolean>
  signal: AbortSignal
}

/**
 * Finds the expressions of a dataset that may not run for any user, by the engine's own grammar (decision 0015): they must be
 * expressions without subqueries, and may call user-defined functions only if `canCallForeign` allows it.
 */
export async function findExpressionProblems(
  texts: readonly DatasetExpression[],
  check: ExpressionCheck,
): Promise<ExpressionProblem[]> {
  const yielder = new EventLoopYielder()
  const checked = await Promise.all(
    texts.map(async (text) => {
      await yielder.yieldIfDue()
      return { ...text, problem: await findExpressionProblem(text, check) }
    }),
  )
  return checked.filter((text): text is ExpressionProblem => text.problem !== null)
}

async function findExpressionProblem(
  { title, sql }: DatasetExpression,
  { deps, database, source, canCallForeign, signal }: ExpressionCheck,
): Promise<string | null> {
  if (/^\s*count\(\*\)\s*$/i.test(sql)) return null
  const read = await inspectExpression(deps, source, sql, signal)
  if (read.length === 0) return `${title} is not a valid SQL expression.`
  for (const { sql: text, statement } of read) {
    if (holdsQuery(statement)) return `${title} must be an expression without a subquery.`
    const [forbidden] = findForbiddenFunctions(statement, database.backend)
    if (forbidden !== undefined) return `${title} uses "${forbidden}", which cannot be used here.`
    const adminOnlyPart = findAdminOnlyPart(text, statement, database.backend, { schema: null, catalog: null })
    if (adminOnlyPart !== undefined)
      return `${title} cannot be used. ${adminOnlyPart} can expose information about the server.`
    const foreign = foreignName(statement, database)
    if (foreign !== undefined && !(await canCallForeign()))
      return `${title} uses "${foreign}", which is not built into the database. Only users with access to the whole database can save it.`
  }
  return null
}

/** Tests if the user who saved expressions may read the whole database today. False for expressions stored without an author. */
export async function canAuthorReadDatabase(
  { db }: Pick<ConnectionDeps, 'db'>,
  userId: number | null,
  database: DatabaseRow,
): Promise<boolean> {
  const author = userId === null ? undefined : await loadAuthor(db, userId)
  return author !== undefined && canReadAll(author, database)
}

export const toExpressionError = ({ problem }: ExpressionProblem): AppError =>
  new AppError('sql_not_allowed', { message: problem })

/** @throws AppError `sql_not_allowed` for the first of `findExpressionProblems` */
export async function authorizeDatasetExpressions(
  texts: readonly DatasetExpression[],
  check: ExpressionCheck,
): Promise<void> {
  const [problem] = await findExpressionProblems(texts, check)
  if (problem) throw toExpressionError(problem)
}
