import type { SharedPlan } from '@parquetry/model'
import type { Runners, SharedAnswer } from '../../runners/runners.ts'
import type { Turns } from './turns.ts'

type Answer = { header: Extract<SharedAnswer, { header: unknown }>['header']; body: Buffer }

/**
 * A level that several questions wait for. It is made when the first one asks, and given up when nobody waits any more. Whatever
 * becomes of it, a question that it does not answer is asked alone.
 */
export class SharedRun {
  readonly #plan: SharedPlan
  readonly #keys: readonly string[]
  readonly #answers = new Map<string, PromiseWithResolvers<Answer | null>>()
  readonly #runners: Pick<Runners, 'runShared'>
  readonly #turns: Turns
  readonly #onFailure: (error: unknown) => void
  readonly #stop = new AbortController()
  #waiting = 0
  #isBegun = false

  /**
   * @param keys       of the questions, in the order of the plan's answers
   * @param onFailure  told why no level could be made
   */
  constructor(
    plan: SharedPlan,
    keys: readonly string[],
    {
      runners,
      turns,
      onFailure,
    }: { runners: Pick<Runners, 'runShared'>; turns: Turns; onFailure: (error: unknown) => void },
  ) {
    this.#plan = plan
    this.#keys = keys
    this.#runners = runners
    this.#turns = turns
    this.#onFailure = onFailure
    for (const key of keys) this.#answers.set(key, Promise.withResolvers())
  }

  /** Null: ask it alone. */
  async answer(key: string, signal: AbortSignal): Promise<Answer | null> {
    const answer = this.#answers.get(key)
    if (!answer || signal.aborted) return null
    this.#waiting += 1
    if (!this.#isBegun) void this.#turns.take(() => this.#run())
    this.#isBegun = true
    const left = Promise.withResolvers<null>()
    const leave = () => left.resolve(null)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([answer.promise, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      this.#waiting -= 1
      if (this.#waiting === 0) this.#stop.abort()
    }
  }

  async #run(): Promise<void> {
    try {
      this.#stop.signal.throwIfAborted()
      for await (const answer of this.#runners.runShared(this.#plan, this.#stop.signal)) {
        const waited = this.#answers.get(this.#keys[answer.answer] ?? '')
        waited?.resolve('header' in answer ? { header: answer.header, body: answer.body } : null)
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#onFailure(error)
    } finally {
      for (const { resolve } of this.#answers.values()) resolve(null)
    }
  }
}
