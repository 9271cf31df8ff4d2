import type { Inspection } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { positionAt } from '@parquetry/model/position'

/**
 * Maps the position in the error of one statement to the whole submitted text.
 * @param sql        the whole inspected text
 * @param statements of the inspection, all of which were run, in order
 * @param error      `details: { offset, statement? }`; `statement` defaults to the first. Any other error is returned unchanged
 */
export function relocateError(sql: string, { statements }: Inspection, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { offset, statement = 1 } = error.details
  const span = statements[Number(statement) - 1]?.span
  if (typeof offset !== 'number' || !span) return error
  return error.wrap({ details: { ...positionAt(sql, Math.min(span[0] + offset, sql.length)) } })
}
