/**
 * Turns on a SQLite file that has a connection for everything and sometimes one more for a long transaction. A statement that met
 * the lock of the other connection would block the whole process until it is free, so statements wait here instead.
 */
export class SqliteTurns {
  /** A transaction on the shared connection: everything else waits for it. */
  #transaction: Promise<void> | undefined
  /** A transaction on a connection of its own: what writes waits for it. */
  #long: Promise<void> | undefined

  /** The transaction that a statement outside one must wait for; undefined when it can run at once. Ask again after waiting. */
  obstacle(isRead: boolean): Promise<void> | undefined {
    return this.#transaction ?? (isRead ? undefined : this.#long)
  }

  /** True while the other connection may write. */
  get isLong(): boolean {
    return this.#long !== undefined
  }

  /** @returns a function that ends the turn */
  async begin(kind: 'transaction' | 'long'): Promise<() => void> {
    for (let wait = this.obstacle(false); wait; wait = this.obstacle(false)) await wait
    const { promise, resolve } = Promise.withResolvers<void>()
    if (kind === 'long') this.#long = promise
    else this.#transaction = promise
    return () => {
      if (kind === 'long') this.#long = undefined
      else this.#transaction = undefined
      resolve()
    }
  }
}
