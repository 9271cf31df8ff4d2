/** Slots of one user: the number in use, and the waiting tasks in their order. */
interface UserSlots {
  held: number
  waiting: Set<() => void>
}

/** Gives each user at most `max` slots. Aborting a waiting request removes it from the queue. */
export class PerUserSemaphore {
  readonly #max: number
  readonly #users = new Map<string, UserSlots>()

  constructor(max: number) {
    this.#max = max
  }

  /** @returns a function that releases the slot; releasing twice does nothing. @throws the reason of the signal */
  async acquire(requester: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const release = this.tryAcquire(requester)
    if (release) return release
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const { waiting } = this.#slotsOf(requester)
    const grant = (): void => {
      signal.removeEventListener('abort', giveUp)
      resolve(this.#grant(requester))
    }
    const giveUp = (): void => {
      waiting.delete(grant)
      reject(signal.reason as Error)
    }
    waiting.add(grant)
    signal.addEventListener('abort', giveUp, { once: true })
    return promise
  }

  /** Like `acquire`, but returns null when the user has to wait. */
  tryAcquire(requester: string): (() => void) | null {
    return this.#slotsOf(requester).held < this.#max ? this.#grant(requester) : null
  }

  #slotsOf(requester: string): UserSlots {
    const known = this.#users.get(requester)
    if (known) return known
    const slots = { held: 0, waiting: new Set<() => void>() }
    this.#users.set(requester, slots)
    return slots
  }

  #grant(requester: string): () => void {
    const slots = this.#slotsOf(requester)
    slots.held += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      slots.held -= 1
      const [next] = slots.waiting
      if (next) {
        slots.waiting.delete(next)
        next()
      } else if (slots.held === 0) this.#users.delete(requester)
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
