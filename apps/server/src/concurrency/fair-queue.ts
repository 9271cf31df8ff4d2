/** A request for a slot. */
export interface SlotRequest {
  requester: string
  signal: AbortSignal
  /** Called while waiting, at each change, with the number of requests ahead. */
  onQueuePosition?: ((ahead: number) => void) | undefined
}

export interface PendingSlot {
  /**
   * Resolves to a function that releases the slot; releasing twice does nothing. @throws the reason of the signal, or of `close`
   */
  acquired: Promise<() => void>
  /** Resolves when no slot has moved for a while and the user holds fewer than `#fairShare` slots; otherwise never settles. */
  stalled: Promise<void>
}

interface QueuedRequest extends SlotRequest {
  grant(): void
  refuse(reason: unknown): void
  position: number
}

/** Time without any acquire or release after which the queue counts as stuck. */
const stallMs = 250

/**
 * Slots shared by users, given in turn: first to the user who holds the fewest, then to the one served least recently. One user
 * may hold all slots while no one else wants one, but counts as half for others, so that they get slots immediately.
 */
export class FairQueue {
  /** Maximum number of slots held at the same time. */
  readonly maxHeld: number
  readonly #slots: number
  readonly #fairShare: number
  readonly #held = new Map<string, number>()
  readonly #lastServed = new Map<string, number>()
  #total = 0
  #grants = 0
  #lastChangeAt = performance.now()
  #waiting: QueuedRequest[] = []
  #closed: { reason: unknown } | null = null

  constructor(places: number) {
    this.#slots = places
    this.#fairShare = Math.max(1, Math.floor(places / 2))
    this.maxHeld = places + Math.floor(places / 2)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get held(): number {
    return this.#total
  }

  acquire(taker: SlotRequest): PendingSlot {
    const now = taker.signal.aborted ? null : this.tryAcquire(taker.requester)
    if (now) return { acquired: Promise.resolve(now), stalled: new Promise(() => {}) }
    const { promise: given, resolve, reject } = Promise.withResolvers<() => void>()
    // Callers that wait for `stalled` first handle a rejection later.
    given.catch(() => {})
    const stuck = Promise.withResolvers<void>()
    let timer: NodeJS.Timeout | undefined
    const look = () => {
      const restMs = stallMs - (performance.now() - this.#lastChangeAt)
      if (restMs <= 0 && this.#heldBy(taker.requester) < this.#fairShare) stuck.resolve()
      else timer = setTimeout(look, restMs > 0 ? restMs : stallMs)
    }
    const gone = () => {
      clearTimeout(timer)
      taker.signal.removeEventListener('abort', leave)
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
    }
    const waiting: QueuedRequest = {
      ...taker,
      position: -1,
      grant: () => {
        gone()
        resolve(this.#grant(taker.requester))
      },
      refuse: (reason) => {
        gone()
        reject(reason as Error)
      },
    }
    const leave = () => {
      waiting.refuse(taker.signal.reason)
      this.#dropIdle(taker.requester)
      this.#notifyPositions()
    }
    if (this.#closed) waiting.refuse(this.#closed.reason)
    else if (taker.signal.aborted) waiting.refuse(taker.signal.reason)
    else {
      this.#waiting.push(waiting)
      taker.signal.addEventListener('abort', leave, { once: true })
      look()
      this.#notifyPositions()
    }
    return { acquired: given, stalled: stuck.promise }
  }

  /** Acquires a slot if one is available to the user now. */
  tryAcquire(person: string): (() => void) | null {
    return !this.#closed && this.#hasRoom(person) ? this.#grant(person) : null
  }

  /** Rejects waiting and future requests. */
  close(reason: unknown): void {
    this.#closed = { reason }
    for (const one of this.#waiting) one.refuse(reason)
  }

  #grant(person: string): () => void {
    const add = (n: 1 | -1) => {
      this.#total += n
      this.#held.set(person, this.#heldBy(person) + n)
      this.#lastChangeAt = performance.now()
    }
    add(1)
    this.#lastServed.set(person, ++this.#grants)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      add(-1)
      this.#dropIdle(person)
      this.#grantNext()
    }
  }

  #grantNext(): void {
    for (;;) {
      const first = this.#sorted().find(({ requester }) => this.#hasRoom(requester))
      if (!first) return this.#notifyPositions()
      first.grant()
    }
  }

  #hasRoom(person: string): boolean {
    if (this.#total < this.#slots) return true
    if (this.#total >= this.maxHeld || this.#heldBy(person) >= this.#fairShare) return false
    let counted = 0
    for (const held of this.#held.values()) counted += Math.min(held, this.#fairShare)
    return counted < this.#slots
  }

  /** Orders by turns: a user's second request comes after the first of every other user. */
  #sorted(): QueuedRequest[] {
    const asked = new Map<string, number>()
    const ranked = this.#waiting.map((one) => {
      const rank = asked.get(one.requester) ?? this.#heldBy(one.requester)
      asked.set(one.requester, rank + 1)
      return { one, rank, served: this.#lastServed.get(one.requester) ?? 0 }
    })
    return ranked.toSorted((a, b) => a.rank - b.rank || a.served - b.served).map(({ one }) => one)
  }

  #notifyPositions(): void {
    if (!this.#waiting.some(({ onQueuePosition }) => onQueuePosition)) return
    this.#sorted().forEach((one, ahead) => {
      if (one.position === ahead) return
      one.position = ahead
      one.onQueuePosition?.(ahead)
    })
  }

  #dropIdle(person: string): void {
    if (this.#heldBy(person) > 0 || this.#waiting.some((one) => one.requester === person)) return
    this.#held.delete(person)
    this.#lastServed.delete(person)
  }

  #heldBy(person: string): number {
    return this.#held.get(person) ?? 0
  }
}
