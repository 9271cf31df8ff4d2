import { AppError } from '@parquetry/model'
import { setTimeout } from 'node:timers/promises'
import { isLocked, storeLocked } from './failure.ts'

/** Longer than another program should write in one transaction, shorter than any user waits. */
const lockMs = 10_000
const [shortestMs, longestMs] = [2, 100]

/**
 * Runs work on a SQLite file as soon as no other process writes to it, such as `parquetry import` beside a server. SQLite itself would
 * block this process while it waits, so its own timeout must be 0.
 *
 * @param run  may be called several times; what it does must fail as a whole when the file is locked
 * @throws AppError `unavailable` after `limitMs`
 */
export async function whenUnlocked<T>(run: () => Promise<T>, limitMs = lockMs): Promise<T> {
  let deadline: number | undefined
  for (let waitMs = shortestMs; ; waitMs = Math.min(2 * waitMs, longestMs)) {
    try {
      return await run()
    } catch (error) {
      if (!isLocked(error)) throw error
      deadline ??= performance.now() + limitMs
      if (performance.now() > deadline) throw new AppError('unavailable', { message: storeLocked, cause: error })
    }
    await setTimeout(waitMs)
  }
}
