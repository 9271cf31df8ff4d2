/** Who takes a place. */
export interface Taker {
  person: string
  signal: AbortSignal
  /** Told while he waits, at each change: how many come before him. */
  onAhead?: ((ahead: number) => void) | undefined
}

export interface Turn {
  /** Gives the way to leave the place; leaving twice does nothing. @throws the reason of the signal, or of `close` */
  given: Promise<() => void>
  /** Settles when nothing has moved for a while and he holds less than one person may; else never. */
  stuck: Promise<void>
}

interface Waiting extends Taker {
  give(): void
  refuse(reason: unknown): void
  ahead: number
}

/** Nothing came or went for so long: those who hold the places keep them. */
const stuckMs = 250

/**
 * Places that people share. They are given by turns: who holds least comes first, then who has waited longest for anything. One
 * person may hold all of them while nobody else wants one; to the others he counts as half, so that they find places at once.
 */
export class Line {
  /** At most so many are held at the same time. */
  readonly most: number
  readonly #places: number
  readonly #half: number
  readonly #held = new Map<string, number>()
  readonly #served = new Map<string, number>()
  #total = 0
  #turns = 0
  #moved = performance.now()
  #waiting: Waiting[] = []
  #closed: { reason: unknown } | null = null

  constructor(places: number) {
    this.#places = places
    this.#half = Math.max(1, Math.floor(places / 2))
    this.most = places + Math.floor(places / 2)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get held(): number {
    return this.#total
  }

  join(taker: Taker): Turn {
    const now = taker.signal.aborted ? null : this.enter(taker.person)
    if (now) return { given: Promise.resolve(now), stuck: new Promise(() => {}) }
    const { promise: given, resolve, reject } = Promise.withResolvers<() => void>()
    // Somebody who looks for a faster way hears of it later.
    given.catch(() => {})
    const stuck = Promise.withResolvers<void>()
    let timer: NodeJS.Timeout | undefined
    const look = () => {
      const restMs = stuckMs - (performance.now() - this.#moved)
      if (restMs <= 0 && this.#heldBy(taker.person) < this.#half) stuck.resolve()
      else timer = setTimeout(look, restMs > 0 ? restMs : stuckMs)
    }
    const gone = () => {
      clearTimeout(timer)
      taker.signal.removeEventListener('abort', leave)
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
    }
    const waiting: Waiting = {
      ...taker,
      ahead: -1,
      give: () => {
        gone()
        resolve(this.#give(taker.person))
      },
      refuse: (reason) => {
        gone()
        reject(reason as Error)
      },
    }
    const leave = () => {
      waiting.refuse(taker.signal.reason)
      this.#forget(taker.person)
      this.#tell()
    }
    if (this.#closed) waiting.refuse(this.#closed.reason)
    else if (taker.signal.aborted) waiting.refuse(taker.signal.reason)
    else {
      this.#waiting.push(waiting)
      taker.signal.addEventListener('abort', leave, { once: true })
      look()
      this.#tell()
    }
    return { given, stuck: stuck.promise }
  }

  /** Takes a place if there is one for him now. */
  enter(person: string): (() => void) | null {
    return !this.#closed && this.#hasRoom(person) ? this.#give(person) : null
  }

  /** Sends away those who wait, and who comes later. */
  close(reason: unknown): void {
    this.#closed = { reason }
    for (const one of this.#waiting) one.refuse(reason)
  }

  #give(person: string): () => void {
    const add = (n: 1 | -1) => {
      this.#total += n
      this.#held.set(person, this.#heldBy(person) + n)
      this.#moved = performance.now()
    }
    add(1)
    this.#served.set(person, ++this.#turns)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      add(-1)
      this.#forget(person)
      this.#next()
    }
  }

  #next(): void {
    for (;;) {
      const first = this.#inOrder().find(({ person }) => this.#hasRoom(person))
      if (!first) return this.#tell()
      first.give()
    }
  }

  #hasRoom(person: string): boolean {
    if (this.#total < this.#places) return true
    if (this.#total >= this.most || this.#heldBy(person) >= this.#half) return false
    let counted = 0
    for (const held of this.#held.values()) counted += Math.min(held, this.#half)
    return counted < this.#places
  }

  /** By turns: what a person waits for a second time comes after what others wait for once. */
  #inOrder(): Waiting[] {
    const asked = new Map<string, number>()
    const ranked = this.#waiting.map((one) => {
      const rank = asked.get(one.person) ?? this.#heldBy(one.person)
      asked.set(one.person, rank + 1)
      return { one, rank, served: this.#served.get(one.person) ?? 0 }
    })
    return ranked.toSorted((a, b) => a.rank - b.rank || a.served - b.served).map(({ one }) => one)
  }

  #tell(): void {
    if (!this.#waiting.some(({ onAhead }) => onAhead)) return
    this.#inOrder().forEach((one, ahead) => {
      if (one.ahead === ahead) return
      one.ahead = ahead
      one.onAhead?.(ahead)
    })
  }

  #forget(person: string): void {
    if (this.#heldBy(person) > 0 || this.#waiting.some((one) => one.person === person)) return
    this.#held.delete(person)
    this.#served.delete(person)
  }

  #heldBy(person: string): number {
    return this.#held.get(person) ?? 0
  }
}
