/** Longest stretch of work that others wait for. */
const stretchMs = 10

/**
 * For long work in many small steps: gives the loop back now and then, so that others are answered meanwhile. Several that share
 * one go on one after the other, so that together they hold the loop no longer than one would.
 */
export class Rests {
  #since = performance.now()
  #line: Promise<void> = Promise.resolve()

  /** What is done right behind `await rest()` is done before the next one in the line goes on. */
  rest(): Promise<void> {
    this.#line = this.#line.then(() => this.#pause())
    return this.#line
  }

  async #pause(): Promise<void> {
    if (performance.now() - this.#since < stretchMs) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#since = performance.now()
  }
}
