/** A request for a slot. */
export interface SlotRequest {
  requester: string
  signal: AbortSignal
  /** Called while waiting, at each change, with the number of requests ahead. */
  onQueuePosition?: ((ahead: number) => void) | undefined
}

export interface PendingSlot {
  /**
   * Resolves to a function that releases the slot; releasing twice does nothing. @throws the reason of the signal, of `close`, or a refusal
   */
  acquired: Promise<() => void>
  /** Resolves when no slot has moved for a while and the user holds fewer than half of the slots; otherwise never settles. */
  stalled: Promise<void>
}

interface QueuedRequest extends SlotRequest {
  grant(): void
  refuse(reason: unknown): void
  position: number
}

/** Bounds of a queue. */
export interface WaitingBounds {
  /** Maximum number of requests that wait. */
  total: number
  /** The same for one user. */
  perUser: number
  /**
   * Error of a request beyond a bound.
   * @param isOwn  the user has too many requests of their own
   */
  createRefusal(isOwn: boolean): unknown
}

/** Time without any acquire or release after which the queue counts as stuck. */
const stallMs = 250

/**
 * Slots shared by users, given in turn: first to the user who holds the fewest, then to the one served least recently. One user
 * may hold all slots while no one else wants one, but counts as half for others: the total may exceed the slots by half, so that
 * users without a slot get one immediately.
 */
export class FairQueue {
  /** Maximum number of slots held at the same time. */
  readonly maxHeld: number
  readonly #slots: number
  readonly #fairShare: number
  readonly #bounds: WaitingBounds | null
  readonly #held = new Map<string, number>()
  readonly #lastServed = new Map<string, number>()
  #total = 0
  #grants = 0
  #lastChangeAt = performance.now()
  #waiting: QueuedRequest[] = []
  #closed: { reason: unknown } | null = null

  constructor(slots: number, bounds: WaitingBounds | null = null) {
    this.#slots = slots
    this.#bounds = bounds
    this.#fairShare = Math.max(1, Math.floor(slots / 2))
    this.maxHeld = slots + Math.floor(slots / 2)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get held(): number {
    return this.#total
  }

  acquire(request: SlotRequest): PendingSlot {
    const immediate = request.signal.aborted ? null : this.tryAcquire(request.requester)
    if (immediate) return { acquired: Promise.resolve(immediate), stalled: new Promise(() => {}) }
    const { promise: acquired, resolve, reject } = Promise.withResolvers<() => void>()
    // Callers that wait for `stalled` first handle a rejection later.
    acquired.catch(() => {})
    const stalled = Promise.withResolvers<void>()
    let timer: NodeJS.Timeout | undefined
    const checkStalled = () => {
      const restMs = stallMs - (performance.now() - this.#lastChangeAt)
      if (restMs <= 0 && this.#heldBy(request.requester) < this.#fairShare) stalled.resolve()
      else timer = setTimeout(checkStalled, restMs > 0 ? restMs : stallMs)
    }
    const cleanUp = () => {
      clearTimeout(timer)
      request.signal.removeEventListener('abort', onAbort)
      this.#waiting = this.#waiting.filter((other) => other !== queued)
    }
    const queued: QueuedRequest = {
      ...request,
      position: -1,
      grant: () => {
        cleanUp()
        resolve(this.#grant(request.requester))
      },
      refuse: (reason) => {
        cleanUp()
        reject(reason as Error)
      },
    }
    const onAbort = () => {
      queued.refuse(request.signal.reason)
      this.#dropIdle(request.requester)
      this.#notifyPositions()
    }
    if (this.#closed) queued.refuse(this.#closed.reason)
    else if (request.signal.aborted) queued.refuse(request.signal.reason)
    else if (this.#bounds && this.#isFull(request.requester, this.#bounds))
      queued.refuse(this.#bounds.createRefusal(this.#waiting.length < this.#bounds.total))
    else {
      this.#waiting.push(queued)
      request.signal.addEventListener('abort', onAbort, { once: true })
      checkStalled()
      this.#notifyPositions()
    }
    return { acquired: acquired, stalled: stalled.promise }
  }

  /** Acquires a slot if one is available to the user now. */
  tryAcquire(requester: string): (() => void) | null {
    return !this.#closed && this.#hasRoom(requester) ? this.#grant(requester) : null
  }

  /** Rejects waiting and future requests. */
  close(reason: unknown): void {
    this.#closed = { reason }
    for (const request of this.#waiting) request.refuse(reason)
  }

  #grant(requester: string): () => void {
    const add = (n: 1 | -1) => {
      this.#total += n
      this.#held.set(requester, this.#heldBy(requester) + n)
      this.#lastChangeAt = performance.now()
    }
    add(1)
    this.#lastServed.set(requester, ++this.#grants)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      add(-1)
      this.#dropIdle(requester)
      this.#grantNext()
    }
  }

  #grantNext(): void {
    if (this.#waiting.length === 0) return
    for (;;) {
      const first = this.#sorted().find(({ requester }) => this.#hasRoom(requester))
      if (!first) return this.#notifyPositions()
      first.grant()
    }
  }

  #isFull(requester: string, { total, perUser }: WaitingBounds): boolean {
    if (this.#waiting.length >= total) return true
    if (this.#waiting.length < perUser) return false
    return this.#waiting.filter((request) => request.requester === requester).length >= perUser
  }

  #hasRoom(requester: string): boolean {
    if (this.#total < this.#slots) return true
    if (this.#total >= this.maxHeld || this.#heldBy(requester) >= this.#fairShare) return false
    let weighted = 0
    for (const held of this.#held.values()) weighted += Math.min(held, this.#fairShare)
    return weighted < this.#slots
  }

  /** Orders by turns: a user's second request comes after the first of every other user. */
  #sorted(): QueuedRequest[] {
    const nextRanks = new Map<string, number>()
    const ranked = this.#waiting.map((one) => {
      const rank = nextRanks.get(one.requester) ?? this.#heldBy(one.requester)
      nextRanks.set(one.requester, rank + 1)
      return { one, rank, served: this.#lastServed.get(one.requester) ?? 0 }
    })
    return ranked.toSorted((a, b) => a.rank - b.rank || a.served - b.served).map(({ one }) => one)
  }

  #notifyPositions(): void {
    if (!this.#waiting.some(({ onQueuePosition }) => onQueuePosition)) return
    this.#sorted().forEach((request, ahead) => {
      if (request.position === ahead) return
      request.position = ahead
      request.onQueuePosition?.(ahead)
    })
  }

  #dropIdle(requester: string): void {
    if (this.#heldBy(requester) > 0 || this.#waiting.some((request) => request.requester === requester)) return
    this.#held.delete(requester)
    this.#lastServed.delete(requester)
  }

  #heldBy(requester: string): number {
    return this.#held.get(requester) ?? 0
  }
}
