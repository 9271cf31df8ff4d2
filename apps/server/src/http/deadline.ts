import { AppError } from '@parquetry/model'

/**
 * Returns the result of the work unless the deadline comes first; late work continues and its result is ignored.
 * @param deadline  in the time of `performance.now()`; undefined for no deadline
 * @throws AppError `unavailable`
 */
export async function withDeadline<T>(work: Promise<T> | T, deadline: number | undefined): Promise<T> {
  if (deadline === undefined) return work
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('unavailable')), Math.max(0, deadline - performance.now()))
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
