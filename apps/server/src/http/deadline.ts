import { AppError } from '@parquetry/model'

/**
 * What the work gives, unless the deadline comes first; work that is late goes on and nobody hears of it.
 * @param until  in the time of `performance.now()`; undefined: as long as it takes
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
