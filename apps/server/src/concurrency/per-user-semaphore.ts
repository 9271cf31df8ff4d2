import { FairQueue } from './fair-queue.ts'

/** Allows at most `most` concurrent tasks per user. Aborting a waiting task removes it from the queue. */
export function createPerUserSemaphore(max: number) {
  const queues = new Map<string, FairQueue>()
  return async <T>(requester: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(requester) ?? new FairQueue(max)
    queues.set(requester, queue)
    try {
      const release = await queue.acquire({ requester: requester, signal }).acquired
      try {
        return await work()
      } finally {
        release()
      }
    } finally {
      if (queue.held === 0 && queue.waiting === 0) queues.delete(requester)
    }
  }
}
