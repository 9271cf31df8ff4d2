/** Queries of this server that run now, by user and client id, so that `stop` reaches them. */
export class RunningQueries {
  #stops = new Map<string, AbortController>()

  /** A signal that ends with the caller's or with `stop`; call `done` in any case. */
  begin(
    userId: number,
    clientId: string,
    outer: AbortSignal,
  ): { signal: AbortSignal; done(): void; stopped(): boolean } {
    const key = `${userId} ${clientId}`
    const stop = new AbortController()
    this.#stops.set(key, stop)
    return {
      signal: AbortSignal.any([outer, stop.signal]),
      done: () => void this.#stops.delete(key),
      stopped: () => stop.signal.aborted,
    }
  }

  /** @returns whether a query of that user ran under that id */
  stop(userId: number, clientId: string): boolean {
    const found = this.#stops.get(`${userId} ${clientId}`)
    found?.abort()
    return found !== undefined
  }
}
