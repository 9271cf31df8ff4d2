import { AppError } from '@parquetry/model'
import type { JobOptions } from './runner-process.ts'

const killedForOther = new Error('the process was killed because another job in it did not obey a cancel')

/** Error of a job whose process was killed because another job in it did not obey a cancel. */
export const bystanderLost = (): AppError => new AppError('runner_lost', { cause: killedForOther })

/**
 * Runs a job, and once more with the rest of its time limit if its process was killed because of another job. Only for jobs that
 * change nothing.
 */
export async function retryBystander<T>(options: JobOptions, run: (options: JobOptions) => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await run(options)
  } catch (error) {
    const timeoutMs = options.timeoutMs - (performance.now() - startedAt)
    if (!(error instanceof AppError) || error.cause !== killedForOther || timeoutMs <= 0) throw error
    return run({ ...options, timeoutMs })
  }
}
