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

  get(dialect: string, sql: string, ask: () => Promise<Inspection | 'too_long'>): Promise<Inspection | 'too_long'> {
    if (sql.length > maxCachedLength) return ask()
    const key = `${dialect} ${sql}`
    const known = this.#entries.get(key)
    if (known) return known
    const asked = ask()
    this.#entries.set(key, asked)
    const forget = () => this.#entries.delete(key)
    asked.then((answer) => answer === 'too_long' && forget(), forget)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > maxCachedTexts && oldest !== undefined) this.#entries.delete(oldest)
    return asked
  }
}
