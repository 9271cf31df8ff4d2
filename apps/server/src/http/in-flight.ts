interface Entry<T> {
  value: T
  index: number
}

/**
 * What is in progress, in no order. Unlike a `Set`, it leaves no outdated tables behind when thousands of values come and go each
 * second: what such a table holds is collected late, and at a cost.
 */
export class InFlight<T> implements Iterable<T> {
  readonly #entries: Entry<T>[] = []

  /** @returns a function that removes the value; call it once */
  add(value: T): () => void {
    const entry = { value, index: this.#entries.length }
    this.#entries.push(entry)
    return () => {
      const last = this.#entries.pop()
      if (last === undefined || last === entry) return
      last.index = entry.index
      this.#entries[entry.index] = last
    }
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#entries.map(({ value }) => value)[Symbol.iterator]()
  }
}
