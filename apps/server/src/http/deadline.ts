import { AppError } from '@parquetry/model'

/**
 * Returns the result of the work unless the deadline comes first; late work continues and its result is ignored.
 * @param until  in the time of `performance.now()`; undefined for no deadline
 * @throws AppError `unavailable`
 */
export async function withDeadline<T>(work: Promise<T> | T, until: number | undefined): Promise<T> {
  if (until === undefined) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('unavailable')), Math.max(0, until - performance.now()))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
