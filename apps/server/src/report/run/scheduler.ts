import { setTimeout as delay } from 'node:timers/promises'
import { toAppError } from '../../store/failure.ts'
import { claimDueReports, reconcileNextTimes } from './claim-due-reports.ts'
import type { RunDeps } from './deps.ts'
import { performRun } from './perform-run.ts'
import { isListed, recoverDeadServers, recoverRuns } from './recover-runs.ts'
import { claimNextRun, OwnerTurns } from './run-record.ts'
import type { RunSignals } from './send-deliveries.ts'

export interface SchedulerOptions {
  pollMs?: number
  /** Runs at the same time. Drawing also waits for a runner, and queries for their database. */
  maxRuns?: number
  /** How long messages that are being handed over may take after the server was asked to stop. */
  graceMs?: number
}

/** The clock counts as set back when it differs by more than this from what has passed. */
const clockToleranceMs = 5000

const recoverEveryMs = 10_000

/** A run is slow after this. */
const slowRunMs = 60_000

/** Starts reports at their times, and works on their runs. */
export class ReportScheduler {
  readonly #deps: RunDeps
  readonly #options: Required<SchedulerOptions>
  readonly #turns = new OwnerTurns()
  readonly #running = new Map<number, Promise<void>>()
  /** Creators of the reports that are running, and when these began. */
  readonly #creators = new Map<number, { id: number; startedAt: number }>()
  readonly #stop = new AbortController()
  readonly #cancel = new AbortController()
  readonly #exit = new AbortController()
  readonly #signals: RunSignals
  readonly #loop: Promise<void>
  #wake = Promise.withResolvers<void>()
  #clock: { wall: number; steady: number } | null = null
  #recoveredAt = Number.NEGATIVE_INFINITY
  #isFailing = false

  constructor(deps: RunDeps, { pollMs = 1000, maxRuns = 3, graceMs = 5000 }: SchedulerOptions = {}) {
    this.#deps = deps
    this.#options = { pollMs, maxRuns, graceMs }
    this.#signals = { stop: this.#stop.signal, cancel: this.#cancel.signal, exit: this.#exit.signal }
    this.#loop = this.#work()
  }

  /** Looks at once for work, for example after a user started a run. */
  wake(): void {
    this.#wake.resolve()
  }

  /** Stops starting runs, lets messages that are being handed over end, and leaves the rest to the next start. */
  async close(): Promise<void> {
    this.#stop.abort()
    this.wake()
    const grace = setTimeout(() => this.#cancel.abort(), this.#options.graceMs)
    const exit = setTimeout(() => this.#exit.abort(), this.#options.graceMs * 2)
    await this.#loop
    await Promise.all(this.#running.values())
    clearTimeout(grace)
    clearTimeout(exit)
    this.#cancel.abort()
    this.#exit.abort()
  }

  async #work(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#poll()
      await Promise.race([delay(this.#options.pollMs, undefined, { ref: false }), this.#wake.promise])
      this.#wake = Promise.withResolvers()
    }
  }

  /** Waits and continues while the store is unavailable. */
  async #poll(): Promise<void> {
    const { log } = this.#deps
    try {
      if (this.#deps.isStoreShared && !(await isListed(this.#deps))) return
      await this.#followClock()
      await this.#recover()
      while (!this.#stop.signal.aborted && (await claimDueReports(this.#deps)));
      await this.#startRuns()
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) log.error({ err: toAppError(error) }, 'reports wait for the metadata store')
      this.#isFailing = true
      this.#recoveredAt = Number.NEGATIVE_INFINITY
    }
  }

  /** At the start and after the clock was set back, computes the next times again. */
  async #followClock(): Promise<void> {
    const clock = { wall: this.#deps.now().getTime(), steady: this.#deps.steadyMs() }
    const known = this.#clock
    if (!known || clock.wall - known.wall < clock.steady - known.steady - clockToleranceMs)
      await reconcileNextTimes(this.#deps)
    this.#clock = clock
  }

  /**
   * Takes up runs of dead servers, and those that this server owns although it does not work on them: from before its start, or
   * because the store did not answer.
   */
  async #recover(): Promise<void> {
    const { steadyMs, server } = this.#deps
    if (steadyMs() - this.#recoveredAt < recoverEveryMs) return
    await recoverRuns(this.#deps, server, new Set(this.#running.keys()))
    await recoverDeadServers(this.#deps)
    this.#recoveredAt = steadyMs()
  }

  /** True when all runs take long. One more place is then for users without a running report, so that one user does not hold up all. */
  #isHeldUp(): boolean {
    const before = this.#deps.steadyMs() - slowRunMs
    return [...this.#creators.values()].every(({ startedAt }) => startedAt < before)
  }

  async #startRuns(): Promise<void> {
    while (this.#running.size <= this.#options.maxRuns && !this.#stop.signal.aborted) {
      const isExtra = this.#running.size === this.#options.maxRuns
      if (isExtra && !this.#isHeldUp()) return
      const claim = await claimNextRun(
        this.#deps,
        this.#turns,
        isExtra ? [...this.#creators.values()].map(({ id }) => id) : [],
      )
      if (!claim) return
      const run = performRun(this.#deps, claim, this.#signals).finally(() => {
        this.#running.delete(claim.id)
        this.#creators.delete(claim.id)
        this.wake()
      })
      this.#running.set(claim.id, run)
      this.#creators.set(claim.id, { id: claim.creator ?? 0, startedAt: this.#deps.steadyMs() })
    }
  }
}
