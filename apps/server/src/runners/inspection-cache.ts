import type { Inspection } from '@parquetry/model'

/** Each expression of a dataset is two texts, and datasets of 2,000 columns are judged whole: fewer would be read anew for each question. */
const maxCachedTexts = 10_000
/** Longer texts are rare and would fill the memory. */
const maxCachedLength = 20_000

/** Answers to what a text is, by dialect and text: they depend on nothing else. Equal questions in flight are asked once. */
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
