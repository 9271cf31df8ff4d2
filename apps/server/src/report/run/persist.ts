import { setTimeout as delay } from 'node:timers/promises'
import { toAppError } from '../../store/failure.ts'
import type { RunDeps } from './deps.ts'

/** Retry interval while the store cannot be written. */
export const storeRetryMs = 1000

/**
 * Writes to the store, and waits while it is unavailable: what is known about a message that was handed over must not be lost.
 * @param stop  ends the waiting; the next start then finds the state of before
 * @throws the error of the store after `stop`, and any error that does not pass
 */
export async function persist<T>(
  { log }: Pick<RunDeps, 'log'>,
  stop: AbortSignal,
  write: () => Promise<T>,
): Promise<T> {
  for (let isFirst = true; ; isFirst = false)
    try {
      return await write()
    } catch (error) {
      if (stop.aborted || !['disk_full', 'unavailable'].includes(toAppError(error).code)) throw error
      if (isFirst) log.error({ err: error }, 'a report waits for the metadata store')
      await delay(storeRetryMs, undefined, { signal: stop }).catch(() => undefined)
    }
}
