import type { Session } from '@parquetry/engines/drivers'

/** Of all levels together; about 100 bytes each. */
const maxGroups = 600_000
const idleMs = 600_000

interface CachedRollup {
  session: Session
  groups: number
  /** Settles when nobody uses the connection any more, which runs one statement at a time. */
  free: Promise<unknown>
  timer: NodeJS.Timeout
}

export interface BuiltRollup {
  session: Session
  groups: number
}

/**
 * Levels that later plans ask too. Each is a temporary table in a connection of its own, which nothing else can read. They are given
 * up when tables change, when nobody has asked for some minutes, and those not used for longest when there are too many.
 */
export class CachedRollups {
  readonly #rollups = new Map<string, CachedRollup>()
  #tablesVersion = 0

  /** To be given back to `keep`: which tables a level was made of. */
  get tablesVersion(): number {
    return this.#tablesVersion
  }

  /** Keeps a level and its connection, unless the tables are other ones by now. @returns whether it does */
  add(id: string, { session, groups }: BuiltRollup, tables: number): boolean {
    if (tables !== this.#tablesVersion || groups > maxGroups || this.#rollups.has(id)) return false
    const timer = setTimeout(() => this.#drop(id), idleMs)
    timer.unref()
    this.#rollups.set(id, { session, groups, free: Promise.resolve(), timer })
    let all = [...this.#rollups.values()].reduce((sum, each) => sum + each.groups, 0)
    for (const [oldest, each] of this.#rollups) {
      if (all <= maxGroups) break
      all -= each.groups
      this.#drop(oldest)
    }
    return true
  }

  /**
   * Uses a kept level, after those who came before. One who is cancelled takes the connection with him.
   * @returns false when there is none
   */
  async use(id: string, signal: AbortSignal, work: (session: Session) => Promise<void>): Promise<boolean> {
    const kept = this.#rollups.get(id)
    if (!kept) return false
    // The youngest is the last.
    this.#rollups.delete(id)
    this.#rollups.set(id, kept)
    kept.timer.refresh()
    const before = kept.free
    const used = Promise.withResolvers<void>()
    kept.free = used.promise
    const cancel = () => {
      if (this.#rollups.get(id) === kept) this.#drop(id)
      void kept.session.cancel()
    }
    try {
      await before
      signal.throwIfAborted()
      if (this.#rollups.get(id) !== kept) return false
      signal.addEventListener('abort', cancel)
      await work(kept.session)
      return true
    } finally {
      signal.removeEventListener('abort', cancel)
      used.resolve()
    }
  }

  /** Those of the tables before. */
  clear(): void {
    this.#tablesVersion += 1
    for (const id of this.#rollups.keys()) this.#drop(id)
  }

  #drop(id: string): void {
    const kept = this.#rollups.get(id)
    if (!kept) return
    this.#rollups.delete(id)
    clearTimeout(kept.timer)
    void kept.free.then(() => kept.session.close())
  }
}
