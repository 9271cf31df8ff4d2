import type { Inspection } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { positionAt } from '@parquetry/model/position'

/**
 * What a runner says of one statement, with the place in the whole text that was sent instead of that in the statement.
 * @param sql        the whole text that was inspected
 * @param statements of the inspection; all of them were asked, in their order
 * @param error      `details: { offset, statement? }`; without `statement` the first is meant. Anything else stays as it is
 */
export function relocateError(sql: string, { statements }: Inspection, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { offset, statement = 1 } = error.details
  const span = statements[Number(statement) - 1]?.span
  if (typeof offset !== 'number' || !span) return error
  return error.wrap({ details: { ...positionAt(sql, Math.min(span[0] + offset, sql.length)) } })
}
