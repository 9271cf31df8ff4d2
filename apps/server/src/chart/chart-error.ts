import { AppError, databaseMessageCodes, message } from '@parquetry/model'
import { redactDatabaseError } from '../sql-access/redact-database-error.ts'
import type { ResolvedQuery } from './resolved-query.ts'

type RedactionContext = Pick<ResolvedQuery, 'principal' | 'database'>

/** Redacts an error of one of the plans for the requester. */
export const redactQueryError = (error: unknown, { principal, database }: RedactionContext): unknown =>
  redactDatabaseError(error, principal, database)

/**
 * Redacts an error of a chart's query for the requester. As in the API, database errors are prefixed with "Error: " and have
 * status 400. The original error is the cause.
 */
export function toChartError(error: unknown, context: RedactionContext): unknown {
  const redacted = redactQueryError(error, context)
  if (
    !(redacted instanceof AppError) ||
    !(databaseMessageCodes.has(redacted.code) || redacted.code === 'sql_not_allowed')
  )
    return redacted
  const { code, sentence, details } = redacted
  return new AppError(code, {
    message: message('errors.chart.failed', 'Error: {reason}', { reason: sentence }),
    details,
    status: 400,
    cause: error,
  })
}
