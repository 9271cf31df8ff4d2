import { AppError } from '@parquetry/model/errors'

/**
 * An error of one of several statements says of which: `details: { statement, of }`, from 1. Positions stay those in its own
 * text.
 */
export async function withStatementNumber<T>(at: number, of: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || of === 1) throw error
    throw error.wrap({ details: { statement: at + 1, of } })
  }
}
