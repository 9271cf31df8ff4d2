/** Places for work that must not run all at once. Who waits longest goes first. */
export class Semaphore {
  #free: number
  #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Takes a place, waiting for one if need be.
   * @returns gives the place back; calling it again does nothing
   * @throws the reason of the signal when it aborts first
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#queue(signal)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  #queue(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(signal.reason as Error)
      }
      this.#waiting.push(go)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
