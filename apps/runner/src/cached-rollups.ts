import type { Session } from '@parquetry/engines/drivers'

/** Maximum number of groups of all rollups together; a group takes about 100 bytes. */
const maxTotalGroups = 600_000
const idleMs = 600_000

interface CachedRollup {
  session: Session
  groups: number
  /** Settles when the connection, which runs one statement at a time, is free. */
  free: Promise<unknown>
  timer: NodeJS.Timeout
}

export interface BuiltRollup {
  session: Session
  groups: number
}

/**
 * Rollups that later plans query too. Each is a temporary table in its own connection, which nothing else can read. They are
 * dropped when tables change, after ten minutes without use, and the least recently used first when there are too many.
 */
export class CachedRollups {
  readonly #rollups = new Map<string, CachedRollup>()
  #tablesVersion = 0

  /** Version of the tables that a rollup is made of, to be passed to `add`. */
  get tablesVersion(): number {
    return this.#tablesVersion
  }

  /** Stores a rollup and its connection, unless the tables have changed meanwhile. @returns true if it was stored */
  add(id: string, { session, groups }: BuiltRollup, tables: number): boolean {
    if (tables !== this.#tablesVersion || groups > maxTotalGroups || this.#rollups.has(id)) return false
    const timer = setTimeout(() => this.#drop(id), idleMs)
    timer.unref()
    this.#rollups.set(id, { session, groups, free: Promise.resolve(), timer })
    let all = [...this.#rollups.values()].reduce((sum, each) => sum + each.groups, 0)
    for (const [oldest, each] of this.#rollups) {
      if (all <= maxTotalGroups) break
      all -= each.groups
      this.#drop(oldest)
    }
    return true
  }

  /**
   * Uses a stored rollup, after earlier users of it. A canceled use drops the connection as well.
   * @returns false if there is none
   */
  async use(id: string, signal: AbortSignal, work: (session: Session) => Promise<void>): Promise<boolean> {
    const entry = this.#rollups.get(id)
    if (!entry) return false
    // The most recently used is last.
    this.#rollups.delete(id)
    this.#rollups.set(id, entry)
    entry.timer.refresh()
    const before = entry.free
    const used = Promise.withResolvers<void>()
    entry.free = used.promise
    const cancel = () => {
      if (this.#rollups.get(id) === entry) this.#drop(id)
      void entry.session.cancel()
    }
    try {
      await before
      signal.throwIfAborted()
      if (this.#rollups.get(id) !== entry) return false
      signal.addEventListener('abort', cancel)
      await work(entry.session)
      return true
    } finally {
      signal.removeEventListener('abort', cancel)
      used.resolve()
    }
  }

  /** Drops the rollups of the previous tables. */
  clear(): void {
    this.#tablesVersion += 1
    for (const id of this.#rollups.keys()) this.#drop(id)
  }

  #drop(id: string): void {
    const entry = this.#rollups.get(id)
    if (!entry) return
    this.#rollups.delete(id)
    clearTimeout(entry.timer)
    void entry.free.then(() => entry.session.close())
  }
}
