import type { InspectedStatement, Source } from '@parquetry/model'
import { findClauseProblem, closeClause } from '@parquetry/query'
import type { ConnectionDeps } from '../connection/deps.ts'

/** A text of ours around an expression, as the engine's grammar reads it. */
export interface InspectedExpression {
  sql: string
  statement: InspectedStatement
}

/**
 * What the engine's grammar makes of an expression that a person wrote: as it stands and in brackets, where it may be a query
 * that is none without them; where neither parses, as an order, which takes more. One that reaches out of its brackets is
 * nothing: no plan takes it.
 */
export async function inspectExpression(
  { runners }: Pick<ConnectionDeps, 'runners'>,
  source: Source,
  text: string,
  signal: AbortSignal,
): Promise<InspectedExpression[]> {
  if (findClauseProblem(text, source.engine) !== null) return []
  const closed = closeClause(text, source.engine)
  const read = async (sql: string) => {
    const { statements } = await runners.inspect(sql, source, signal)
    return statements.map((statement) => ({ sql, statement }))
  }
  const found = await Promise.all([`SELECT ${closed}`, `SELECT (${closed})`].map(read))
  return found.some((one) => one.length > 0) ? found.flat() : read(`SELECT 1 ORDER BY ${closed}`)
}

/** It is a query, or holds one that reads something. */
export const holdsQuery = ({ tables, tableFunctions, readOnly }: InspectedStatement): boolean =>
  tables.length > 0 || tableFunctions.length > 0 || !readOnly
