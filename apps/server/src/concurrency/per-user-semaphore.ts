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
    const queue = this.#queueOf(requester)
    try {
      return this.#releaseOf(requester, queue, await queue.acquire({ requester, signal }).acquired)
    } catch (error) {
      this.#dropIdle(requester, queue)
      throw error
    }
  }

  /** Like `acquire`, but returns null when the user has to wait. */
  tryAcquire(requester: string): (() => void) | null {
    const queue = this.#queueOf(requester)
    const release = queue.tryAcquire(requester)
    return release && this.#releaseOf(requester, queue, release)
  }

  #queueOf(requester: string): FairQueue {
    const queue = this.#queues.get(requester) ?? new FairQueue(this.#max)
    this.#queues.set(requester, queue)
    return queue
  }

  #releaseOf(requester: string, queue: FairQueue, release: () => void): () => void {
    return () => {
      release()
      this.#dropIdle(requester, queue)
    }
  }

  #dropIdle(requester: string, queue: FairQueue): void {
    const isIdle = queue.held === 0 && queue.waiting === 0
    if (isIdle && this.#queues.get(requester) === queue) this.#queues.delete(requester)
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
