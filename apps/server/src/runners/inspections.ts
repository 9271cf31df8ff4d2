import type { Inspection } from '@parquetry/model'

const keptTexts = 1000
/** Longer texts are rare and would fill the memory. */
const keptLength = 20_000

/** Answers to what a text is, by dialect and text: they depend on nothing else. Equal questions in flight are asked once. */
export class Inspections {
  #kept = new Map<string, Promise<Inspection>>()

  get(dialect: string, sql: string, ask: () => Promise<Inspection>): Promise<Inspection> {
    if (sql.length > keptLength) return ask()
    const key = `${dialect} ${sql}`
    const known = this.#kept.get(key)
    if (known) return known
    const asked = ask()
    this.#kept.set(key, asked)
    asked.catch(() => this.#kept.delete(key))
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptTexts && oldest !== undefined) this.#kept.delete(oldest)
    return asked
  }
}
