/** Maximum time that work may block the event loop. */
const maxBlockMs = 10

/**
 * Yields to the event loop during long work in many small steps, so that other requests are served meanwhile. Tasks that share an
 * instance resume one after another, so together they block the loop no longer than one would.
 */
export class EventLoopYielder {
  #since = performance.now()
  #queue: Promise<void> = Promise.resolve()

  /** Code directly after `await yieldIfDue()` runs before the next waiting task resumes. */
  yieldIfDue(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#yield())
    return this.#queue
  }

  async #yield(): Promise<void> {
    if (performance.now() - this.#since < maxBlockMs) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#since = performance.now()
  }
}
