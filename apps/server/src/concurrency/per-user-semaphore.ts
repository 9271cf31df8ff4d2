import { FairQueue } from './fair-queue.ts'

/** Allows at most `most` concurrent tasks per user. Aborting a waiting task removes it from the queue. */
export function createPerUserSemaphore(most: number) {
  const lines = new Map<string, FairQueue>()
  return async <T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(person) ?? new FairQueue(most)
    lines.set(person, line)
    try {
      const leave = await line.acquire({ requester: person, signal }).acquired
      try {
        return await work()
      } finally {
        leave()
      }
    } finally {
      if (line.held === 0 && line.waiting === 0) lines.delete(person)
    }
  }
}
