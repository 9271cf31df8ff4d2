import { FairQueue } from './fair-queue.ts'

/** Gives each user at most `max` slots. Aborting a waiting request removes it from the queue. */
export class PerUserSemaphore {
  readonly #max: number
  readonly #queues = new Map<string, FairQueue>()

  constructor(max: number) {
    this.#max = max
  }

  /** @returns a function that releases the slot; releasing twice does nothing. @throws the reason of the signal */
  async acquire(requester: string, signal: AbortSignal): Promise<() => void> {
    const queue = this.#queues.get(requester) ?? new FairQueue(this.#max)
    this.#queues.set(requester, queue)
    const dropIdle = () => {
      if (queue.held === 0 && queue.waiting === 0) this.#queues.delete(requester)
    }
    try {
      const release = await queue.acquire({ requester, signal }).acquired
      return () => {
        release()
        dropIdle()
      }
    } catch (error) {
      dropIdle()
      throw error
    }
  }

  /** Runs a task in a slot of its user. @throws the reason of the signal if it is aborted while the task waits */
  async run<T>(requester: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(requester, signal)
    try {
      return await work()
    } finally {
      release()
    }
  }
}
