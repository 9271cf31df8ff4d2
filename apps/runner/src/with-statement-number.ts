import { AppError } from '@parquetry/model/errors'

/**
 * Adds the number of the statement to an error of one of several: `details: { statement, of }`, from 1. Positions stay relative
 * to its own text.
 */
export async function withStatementNumber<T>(index: number, total: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || total === 1) throw error
    throw error.wrap({ details: { statement: index + 1, of: total } })
  }
}
