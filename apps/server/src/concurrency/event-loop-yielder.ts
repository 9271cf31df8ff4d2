/** Longest stretch of work that others wait for. */
const maxBlockMs = 10

/**
 * For long work in many small steps: gives the loop back now and then, so that others are answered meanwhile. Several that share
 * one go on one after the other, so that together they hold the loop no longer than one would.
 */
export class EventLoopYielder {
  #since = performance.now()
  #queue: Promise<void> = Promise.resolve()

  /** What is done right behind `await rest()` is done before the next one in the line goes on. */
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
