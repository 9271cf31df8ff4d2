import type { SharedScanPlan } from '@parquetry/model'
import type { QueueOptions, Runners, SharedScanResult } from '../../runners/runners.ts'
import type { Semaphore } from './semaphore.ts'

type ScanResult = { header: Extract<SharedScanResult, { header: unknown }>['header']; body: Buffer }

/**
 * A rollup that several queries wait for. It is built for the first one and cancelled when none waits any more. Queries that it
 * does not answer, for any reason, run alone.
 */
export class SharedScan {
  readonly #plan: SharedScanPlan
  readonly #keys: readonly string[]
  readonly #results = new Map<string, PromiseWithResolvers<ScanResult | null>>()
  readonly #runners: Pick<Runners, 'runShared'>
  readonly #semaphore: Semaphore
  readonly #onFailure: (error: unknown) => void
  readonly #queueOptions: QueueOptions
  readonly #stop = new AbortController()
  #waiting = 0
  #hasStarted = false

  /**
   * @param keys       of the queries, in the order of the plan
   * @param onFailure  receives the error when the rollup could not be built
   */
  constructor(
    plan: SharedScanPlan,
    keys: readonly string[],
    {
      runners,
      semaphore,
      onFailure,
      queueOptions = {},
    }: {
      runners: Pick<Runners, 'runShared'>
      semaphore: Semaphore
      onFailure: (error: unknown) => void
      queueOptions?: QueueOptions
    },
  ) {
    this.#plan = plan
    this.#keys = keys
    this.#runners = runners
    this.#semaphore = semaphore
    this.#onFailure = onFailure
    this.#queueOptions = queueOptions
    for (const key of keys) this.#results.set(key, Promise.withResolvers())
  }

  /** Null when the query must run alone. */
  async waitFor(key: string, signal: AbortSignal): Promise<ScanResult | null> {
    const result = this.#results.get(key)
    if (!result || signal.aborted) return null
    this.#waiting += 1
    if (!this.#hasStarted) void this.#semaphore.run(() => this.#run())
    this.#hasStarted = true
    const aborted = Promise.withResolvers<null>()
    const onAbort = () => aborted.resolve(null)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([result.promise, aborted.promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#waiting -= 1
      if (this.#waiting === 0) this.#stop.abort()
    }
  }

  async #run(): Promise<void> {
    try {
      this.#stop.signal.throwIfAborted()
      for await (const result of this.#runners.runShared(this.#plan, this.#stop.signal, this.#queueOptions)) {
        const pending = this.#results.get(this.#keys[result.queryIndex] ?? '')
        pending?.resolve('header' in result ? { header: result.header, body: result.body } : null)
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#onFailure(error)
    } finally {
      for (const { resolve } of this.#results.values()) resolve(null)
    }
  }
}
