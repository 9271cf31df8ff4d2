import { AppError, saidByDatabase } from '@parquetry/model'
import { toldTo } from '../sql-access/told-to.ts'
import type { Question } from './question.ts'

type Asker = Pick<Question, 'principal' | 'database'>

/** A failure of one of a question's plans as its asker may read it. */
export const toldOf = (error: unknown, { principal, database }: Asker): unknown => toldTo(error, principal, database)

/**
 * A failure of a chart's query as its asker may read it: the API puts "Error: " before what a database says, and the status is 400
 * whatever it was. The cause is what the database said.
 */
export function asAnswered(error: unknown, asker: Asker): unknown {
  const told = toldOf(error, asker)
  if (!(told instanceof AppError) || !(saidByDatabase.has(told.code) || told.code === 'sql_not_allowed')) return told
  const { code, message, details } = told
  return new AppError(code, { message: `Error: ${message}`, details, status: 400, cause: error })
}
