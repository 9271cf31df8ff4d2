import type { InspectedStatement, Source } from '@parquetry/model'
import { findClauseProblem, closeClause } from '@parquetry/query'
import type { ConnectionDeps } from '../connection/deps.ts'

/** A statement that wraps an expression, as parsed by the engine. */
export interface InspectedExpression {
  sql: string
  statement: InspectedStatement
}

/**
 * Parses an expression of a user: as it is and in parentheses, where it may be a subquery; if neither parses, as an ORDER BY,
 * which accepts more. The result is empty for an expression that breaks out of its parentheses, which no plan accepts.
 */
export async function inspectExpression(
  { runners }: Pick<ConnectionDeps, 'runners'>,
  source: Source,
  text: string,
  signal: AbortSignal,
): Promise<InspectedExpression[]> {
  if (findClauseProblem(text, source.engine) !== null) return []
  const clause = closeClause(text, source.engine)
  const read = async (sql: string) => {
    const { statements } = await runners.inspect(sql, source, signal)
    return statements.map((statement) => ({ sql, statement }))
  }
  const found = await Promise.all([`SELECT ${clause}`, `SELECT (${clause})`].map(read))
  return found.some((expressions) => expressions.length > 0) ? found.flat() : read(`SELECT 1 ORDER BY ${clause}`)
}

/** True for an expression that is a query or contains one that reads something. */
export const holdsQuery = ({ tables, tableFunctions, readOnly }: InspectedStatement): boolean =>
  tables.length > 0 || tableFunctions.length > 0 || !readOnly
