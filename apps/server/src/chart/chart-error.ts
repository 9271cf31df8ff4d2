import { AppError, databaseMessageCodes } from '@parquetry/model'
import { redactDatabaseError } from '../sql-access/redact-database-error.ts'
import type { ResolvedQuery } from './resolved-query.ts'

type RedactionContext = Pick<ResolvedQuery, 'principal' | 'database'>

/** A failure of one of a question's plans as its asker may read it. */
export const redactQueryError = (error: unknown, { principal, database }: RedactionContext): unknown =>
  redactDatabaseError(error, principal, database)

/**
 * A failure of a chart's query as its asker may read it: the API puts "Error: " before what a database says, and the status is 400
 * whatever it was. The cause is what the database said.
 */
export function toChartError(error: unknown, asker: RedactionContext): unknown {
  const told = redactQueryError(error, asker)
  if (!(told instanceof AppError) || !(databaseMessageCodes.has(told.code) || told.code === 'sql_not_allowed'))
    return told
  const { code, message, details } = told
  return new AppError(code, { message: `Error: ${message}`, details, status: 400, cause: error })
}
