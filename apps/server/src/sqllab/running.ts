import type { AppError } from '@parquetry/model'

/** Connects `stop` with the end of a run. */
export interface RunHandle {
  /** Aborts with the caller's signal or with `stop`. */
  signal: AbortSignal
  done(): void
  stop(): void
  /** True after `stop`. */
  isStopped(): boolean
}

/** Waiting and running queries of this server, so that `stop` reaches them. */
export class RunningQueries {
  #stops = new Map<number, AbortController>()

  /** @param requestSignal the request that waits for the response; null for a background run. `done` must always be called */
  begin(queryId: number, requestSignal: AbortSignal | null): RunHandle {
    const controller = new AbortController()
    this.#stops.set(queryId, controller)
    return {
      signal: requestSignal ? AbortSignal.any([requestSignal, controller.signal]) : controller.signal,
      done: () => void this.#stops.delete(queryId),
      stop: () => controller.abort(),
      isStopped: () => controller.signal.aborted,
    }
  }

  /** @returns whether the query was waiting or running here */
  stop(queryId: number, reason?: AppError): boolean {
    const found = this.#stops.get(queryId)
    found?.abort(reason)
    return found !== undefined
  }
}
