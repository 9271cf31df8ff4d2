interface Entry<T> {
  value: T
  index: number
}

/**
 * Values in progress, in no order. Unlike a `Set`, it leaves no outdated hash tables behind when thousands of values come and go each
 * second. The garbage collector frees the contents of such tables late and slowly.
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
