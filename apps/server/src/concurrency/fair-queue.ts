/** Who takes a place. */
export interface SlotRequest {
  requester: string
  signal: AbortSignal
  /** Told while he waits, at each change: how many come before him. */
  onQueuePosition?: ((ahead: number) => void) | undefined
}

export interface PendingSlot {
  /** Gives the way to leave the place; leaving twice does nothing. @throws the reason of the signal, or of `close` */
  acquired: Promise<() => void>
  /** Settles when nothing has moved for a while and he holds less than one person may; else never. */
  stalled: Promise<void>
}

interface QueuedRequest extends SlotRequest {
  grant(): void
  refuse(reason: unknown): void
  position: number
}

/** Nothing came or went for so long: those who hold the places keep them. */
const stallMs = 250

/**
 * Places that people share. They are given by turns: who holds least comes first, then who has waited longest for anything. One
 * person may hold all of them while nobody else wants one; to the others he counts as half, so that they find places at once.
 */
export class FairQueue {
  /** At most so many are held at the same time. */
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
    // Somebody who looks for a faster way hears of it later.
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

  /** Takes a place if there is one for him now. */
  tryAcquire(person: string): (() => void) | null {
    return !this.#closed && this.#hasRoom(person) ? this.#grant(person) : null
  }

  /** Sends away those who wait, and who comes later. */
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

  /** By turns: what a person waits for a second time comes after what others wait for once. */
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
