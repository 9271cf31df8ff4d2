import type { AppError } from '@parquetry/model'

/** What `stop` and the end of a run agree on. */
export interface RunHandle {
  /** Ends with the caller's signal or with `stop`. */
  signal: AbortSignal
  done(): void
  stop(): void
  /** Somebody asked for the end. */
  isStopped(): boolean
}

/** Queries of this server that wait or run, so that `stop` reaches them. */
export class RunningQueries {
  #stops = new Map<number, AbortController>()

  /** @param outer the call that waits for the answer; none for a run in the background. Call `done` in any case */
  begin(queryId: number, outer: AbortSignal | null): RunHandle {
    const stop = new AbortController()
    this.#stops.set(queryId, stop)
    return {
      signal: outer ? AbortSignal.any([outer, stop.signal]) : stop.signal,
      done: () => void this.#stops.delete(queryId),
      stop: () => stop.abort(),
      isStopped: () => stop.signal.aborted,
    }
  }

  /** @returns whether that query waited or ran here */
  stop(queryId: number, reason?: AppError): boolean {
    const found = this.#stops.get(queryId)
    found?.abort(reason)
    return found !== undefined
  }
}
