import type { Inspection } from '@parquetry/model'

/**
 * Each expression of a dataset is two texts, and datasets of 2,000 columns are checked as a whole: with a smaller cache each
 * check would parse them again.
 */
const maxCachedTexts = 10_000
/** Longer texts are rare and would fill the memory. */
const maxCachedLength = 20_000

/** Caches parsed SQL by dialect and text, on which alone it depends. Concurrent identical requests share one call. */
export class InspectionCache {
  #entries = new Map<string, Promise<Inspection | 'too_long'>>()

  get(dialect: string, sql: string, inspect: () => Promise<Inspection | 'too_long'>): Promise<Inspection | 'too_long'> {
    if (sql.length > maxCachedLength) return inspect()
    const key = `${dialect} ${sql}`
    const cached = this.#entries.get(key)
    if (cached) return cached
    const promise = inspect()
    this.#entries.set(key, promise)
    const evict = () => this.#entries.delete(key)
    promise.then((inspection) => inspection === 'too_long' && evict(), evict)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > maxCachedTexts && oldest !== undefined) this.#entries.delete(oldest)
    return promise
  }
}
