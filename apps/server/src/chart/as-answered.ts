import { AppError, errorCodes, saidByDatabase } from '@parquetry/model'
import { readsAll } from '../sql-access/table-access.ts'
import type { Question } from './question.ts'

/**
 * A failure of a chart's query as its asker may read it: the API puts "Error: " before what a database says, and the status is 400
 * whatever it was. A database speaks of all that stands in the statement (row rules, the dataset's own SQL, columns beside
 * it, values of rows that a rule holds back), so its words are for who may read all of it; others read which kind of failure it was.
 * The cause is what the database said.
 */
export function asAnswered(error: unknown, { principal, database }: Pick<Question, 'principal' | 'database'>): unknown {
  if (!(error instanceof AppError)) return error
  const { code, details, message } = error
  if (code === 'sql_not_allowed') return refused(error, message, details)
  if (!saidByDatabase.has(code)) return error
  return readsAll(principal, database) ? refused(error, message, details) : refused(error, errorCodes[code].message, {})
}

const refused = (cause: AppError, message: string, details: AppError['details']): AppError =>
  new AppError(cause.code, { message: `Error: ${message}`, details, status: 400, cause })
