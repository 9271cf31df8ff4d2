/** Longest stretch of work that others wait for. */
const stretchMs = 10

/** For long work in many small steps: gives the loop back now and then, so that others are answered meanwhile. */
export class Rests {
  #since = performance.now()

  async rest(): Promise<void> {
    if (performance.now() - this.#since < stretchMs) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#since = performance.now()
  }
}
