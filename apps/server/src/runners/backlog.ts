import type { AppError } from '@parquetry/model'
import { type WaitingLimits, waitingLimits } from '../concurrency/load-limits.ts'
import type { Refusals } from './refusals.ts'

/** Weight of one query in the average cost of queries. */
const queryWeight = 1 / 20

/** Work of one user on a source. */
interface Load {
  /** Queries that run or wait. */
  queries: number
  /** Queries that hold a slot. */
  served: number
}

/** Principals that are not users with an account share a name, so each of their admissions counts as a user of its own. */
const isShared = (requester: string): boolean => !requester.startsWith('user ')

/**
 * All queries that run or wait at one source, including those that a dashboard has not sent to its queue yet. Charts and
 * dashboards are admitted only while the work of others does not delay them for too long.
 */
export class Backlog {
  readonly #slots: number
  readonly #refusals: Refusals
  readonly #limits: WaitingLimits
  readonly #loads = new Map<string | symbol, Load>()
  /** Average time that one query holds a slot; 0 while unknown. */
  #costMs = 0

  constructor(slots: number, refusals: Refusals, limits: WaitingLimits = waitingLimits) {
    this.#slots = slots
    this.#limits = limits
    this.#refusals = refusals
  }

  get isEmpty(): boolean {
    return this.#loads.size === 0
  }

  /**
   * Admits queries of a chart or dashboard.
   * @param queries  number of queries that are not cached; more may follow
   * @throws AppError `source_busy`, `queries_waiting`
   */
  admit(requester: string, queries: number): Admission {
    const key = isShared(requester) ? Symbol(requester) : requester
    const own = this.#loads.get(key)?.queries ?? 0
    const { perUser, maxDelayMs, maxSlowdown } = this.#limits
    if (own > 0 && own + queries > perUser) throw this.#refusals.queriesWaiting(own * this.#costPerSlotMs)
    const delayMs = this.#estimateDelayMs(key, own + queries)
    const aloneMs = Math.max(this.#costMs, (own + queries) * this.#costPerSlotMs)
    if (delayMs > Math.max(maxDelayMs, maxSlowdown * aloneMs)) throw this.#refusals.sourceBusy(delayMs)
    return new Admission(this.#createAccount(key), queries)
  }

  /** Time that a query of an admission waits while no query of its user runs. */
  get maxUnservedMs(): number {
    return this.#limits.maxUnservedMs
  }

  /** Counts a statement that is not part of an admission. @returns a function to call when it has ended */
  track(requester: string): () => void {
    const account = this.#createAccount(requester)
    account.addQueries(1)
    return () => account.addQueries(-1)
  }

  /** Estimated time until all queries have been answered. */
  get drainMs(): number {
    let queries = 0
    for (const load of this.#loads.values()) queries += load.queries
    return queries * this.#costPerSlotMs
  }

  get #costPerSlotMs(): number {
    return this.#costMs / this.#slots
  }

  /** Users take turns, so each of the others delays `queries` of a user by at most as many of their own. */
  #estimateDelayMs(key: string | symbol, queries: number): number {
    let ahead = 0
    for (const [other, load] of this.#loads) if (other !== key) ahead += Math.min(load.queries, queries)
    return ahead * this.#costPerSlotMs
  }

  #createAccount(key: string | symbol): Account {
    const update = (change: Partial<Load>) => {
      const { queries = 0, served = 0 } = this.#loads.get(key) ?? {}
      const load = { queries: queries + (change.queries ?? 0), served: served + (change.served ?? 0) }
      if (load.queries > 0 || load.served > 0) this.#loads.set(key, load)
      else this.#loads.delete(key)
    }
    return {
      addQueries: (queries) => update({ queries }),
      addServed: (served) => update({ served }),
      isServed: () => (this.#loads.get(key)?.served ?? 0) > 0,
      createRefusal: () => this.#refusals.sourceBusy(this.drainMs),
      learn: (queries, busyMs) => {
        const weight = this.#costMs === 0 ? 1 : 1 - (1 - queryWeight) ** queries
        this.#costMs += weight * (busyMs / queries - this.#costMs)
      },
    }
  }
}

/** The entry of one user in a backlog. */
interface Account {
  addQueries(queries: number): void
  addServed(statements: number): void
  isServed(): boolean
  createRefusal(): AppError
  /** Records that queries held slots for this time in total. */
  learn(queries: number, busyMs: number): void
}

/** Queries of one chart or dashboard that a backlog has admitted. Once one of them is refused, the rest is too. */
export class Admission {
  readonly #account: Account
  /** Admitted queries that have not been started. */
  #expected: number
  #running = 0
  #finished = 0
  #busyMs = 0
  #lastServedAt = performance.now()
  #isClosed = false
  readonly #refused = new AbortController()

  constructor(account: Account, queries: number) {
    this.#account = account
    this.#expected = queries
    account.addQueries(queries)
  }

  /** Runs one of the queries, which may consist of several statements or share one. @throws AppError when it is refused */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted()
    if (this.#expected > 0) this.#expected -= 1
    else this.#account.addQueries(1)
    this.#running += 1
    try {
      const result = await work()
      this.#finished += 1
      return result
    } finally {
      this.#running -= 1
      this.#account.addQueries(-1)
      this.#learnIfOver()
    }
  }

  /** Aborts with the error when one of the queries is refused. */
  get signal(): AbortSignal {
    return this.#refused.signal
  }

  /** Records that a statement holds a slot. @returns a function to call when it has been released */
  serve(): () => void {
    const startedAt = performance.now()
    this.#account.addServed(1)
    let isServed = true
    return () => {
      if (!isServed) return
      isServed = false
      this.#account.addServed(-1)
      this.#lastServedAt = performance.now()
      this.#busyMs += this.#lastServedAt - startedAt
    }
  }

  /** Time since a query of the user held a slot; 0 while one does. */
  unservedMs(since: number): number {
    return this.#account.isServed() ? 0 : performance.now() - Math.max(since, this.#lastServedAt)
  }

  /** Refuses this and the remaining queries. */
  refuse(): void {
    if (!this.signal.aborted) this.#refused.abort(this.#account.createRefusal())
  }

  /** No more queries follow. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#account.addQueries(-this.#expected)
    this.#expected = 0
    this.#learnIfOver()
  }

  #learnIfOver(): void {
    if (!this.#isClosed || this.#running > 0 || this.#finished === 0) return
    this.#account.learn(this.#finished, this.#busyMs)
    this.#finished = 0
  }
}
