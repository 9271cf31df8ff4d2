import type { AppError } from '@parquetry/model'
import type { PendingJob, JobOptions, RunnerProcess, RunnerRequest } from './runner-process.ts'

/** A query that runs for so long may have to be killed: a process is made ready to take the place of its own. */
const spareAfterMs = 5000

/** The spare one ends with the jobs that run for long, or so long after it was last asked itself. */
const spareIdleMs = 10_000

export interface PoolOptions {
  make(): RunnerProcess
  /** Processes that take jobs at the same time. */
  size: number
  /** Processes end when nobody has asked for so long. */
  idleMs: number
}

/**
 * Processes of one kind: made when they are needed, replaced when they are lost at work, given up when a job in them does not
 * obey a cancel. Each job goes to the idlest. How many jobs there are at a time is their lanes' business.
 */
export class Pool {
  #options: PoolOptions
  #serving: RunnerProcess[] = []
  #spare: RunnerProcess | null = null
  /** In doubt: they finish what they have, or are killed. */
  #leaving = new Set<RunnerProcess>()
  #waiting = new WeakMap<RunnerProcess, number>()
  #longJobs = 0
  #lastAsideAt = -Infinity
  #idle: NodeJS.Timeout | null = null
  #spareIdle: NodeJS.Timeout | null = null
  /** Why nothing is asked any more. */
  #ending: AppError | null = null
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Those that take the next jobs. */
  get serving(): readonly RunnerProcess[] {
    return this.#serving
  }

  get processes(): RunnerProcess[] {
    return [...this.#serving, ...(this.#spare ? [this.#spare] : []), ...this.#leaving]
  }

  /** Jobs that run. */
  get busy(): number {
    return this.processes.reduce((sum, { busy }) => sum + busy, 0)
  }

  /** @throws AppError `runner_lost` when no process starts */
  async submit(request: RunnerRequest, options: JobOptions): Promise<PendingJob> {
    return this.#submitTo(await this.#findReady(), request, options)
  }

  /**
   * Asks beside the jobs that run: where they share one process, in the spare one, so that a job which has to be killed takes
   * none of them along.
   * @param options made when the process is ready, whose start is no time of the job
   */
  async submitAside(request: RunnerRequest, options: () => JobOptions): Promise<PendingJob> {
    if (this.#options.size > 1) return this.#submitTo(await this.#findReady(), request, options())
    this.#lastAsideAt = performance.now()
    this.#ensureSpare()
    const process = this.#spare ?? (await this.#findReady())
    await this.#whenReady(process)
    return this.#submitTo(process, request, options())
  }

  /** Asks the spare process where there is one, since those at work may be short of memory and time. */
  async submitShort(request: RunnerRequest, options: JobOptions): Promise<PendingJob> {
    const calm = this.#spare?.isReady ? this.#spare : await this.#findReady()
    return this.#submitTo(calm, request, options)
  }

  /** Tells every process that is there something; none is made for it. */
  broadcast(request: RunnerRequest, options: JobOptions): Promise<unknown[]> {
    return Promise.all(
      [...this.#serving, ...(this.#spare ? [this.#spare] : [])].map(async (process) => {
        await process.ready
        return process.submit(request, options).reply.answer
      }),
    )
  }

  /** Ends what runs, waits for its process, or is asked from now on. */
  cancelAll(reason: AppError): void {
    this.#ending = reason
    for (const process of this.processes) process.cancelAll(reason)
  }

  /** Lets the processes finish what they have and makes new ones for what comes. */
  renew(): void {
    for (const process of this.#serving.splice(0)) this.#giveUp(process)
    if (this.#spare) this.#giveUp(this.#spare)
    this.#spare = null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#idle) clearTimeout(this.#idle)
    if (this.#spareIdle) clearTimeout(this.#spareIdle)
    const all = this.processes
    for (const process of all) process.kill()
    await Promise.all(all.map(({ exited }) => exited))
  }

  #submitTo(process: RunnerProcess, request: RunnerRequest, options: JobOptions): PendingJob {
    if (this.#ending) throw this.#ending
    const asking = process.submit(request, options)
    this.#follow(process, asking)
    return asking
  }

  /** A process that starts counts those who wait for it: the next job may be better off with another one. */
  async #findReady(): Promise<RunnerProcess> {
    const process = this.#leastBusy()
    this.#waiting.set(process, this.#waitingFor(process) + 1)
    try {
      await this.#whenReady(process)
      return process
    } finally {
      this.#waiting.set(process, this.#waitingFor(process) - 1)
    }
  }

  async #whenReady({ ready }: RunnerProcess): Promise<void> {
    try {
      await ready
    } catch (error) {
      throw this.#ending ?? error
    }
  }

  #waitingFor(process: RunnerProcess): number {
    return this.#waiting.get(process) ?? 0
  }

  #leastBusy(): RunnerProcess {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = null
    const jobs = (process: RunnerProcess) => process.busy + this.#waitingFor(process)
    const best = this.#serving.toSorted((a, b) => jobs(a) - jobs(b))[0]
    if (best && (jobs(best) === 0 || this.#serving.length >= this.#options.size)) return best
    return this.#serve()
  }

  #serve(): RunnerProcess {
    const process = this.#spare ?? this.#start()
    this.#spare = null
    this.#serving.push(process)
    return process
  }

  #start(): RunnerProcess {
    const process = this.#options.make()
    process.onDoubt = () => {
      this.#remove(process)
      this.#giveUp(process)
      this.#ensureSpare()
    }
    process.onEnd = (wasAtWork) => {
      this.#remove(process)
      if (wasAtWork && !this.#isClosed && this.#serving.length === 0) this.#serve()
    }
    return process
  }

  #remove(process: RunnerProcess): void {
    this.#serving = this.#serving.filter((one) => one !== process)
    if (this.#spare === process) this.#spare = null
    this.#leaving.delete(process)
  }

  #giveUp(process: RunnerProcess): void {
    if (process.busy === 0) process.kill()
    else this.#leaving.add(process)
  }

  #follow(process: RunnerProcess, { over }: PendingJob): void {
    let isLong = false
    const long = setTimeout(() => {
      isLong = true
      this.#longJobs++
      this.#ensureSpare()
    }, spareAfterMs)
    void over.then(() => {
      clearTimeout(long)
      if (isLong) this.#longJobs--
      this.#scheduleSpareEnd()
      if (this.#leaving.has(process) && process.busy === 0) process.kill()
      if (this.busy === 0) this.#scheduleIdleEnd()
    })
  }

  #ensureSpare(): void {
    if (!this.#isClosed && this.#spare === null && this.#serving.length < 2) this.#spare = this.#start()
  }

  #scheduleSpareEnd(): void {
    if (this.#spareIdle) clearTimeout(this.#spareIdle)
    this.#spareIdle = null
    if (this.#spare === null || this.#longJobs > 0 || this.#serving.length === 0) return
    const restMs = this.#lastAsideAt + spareIdleMs - performance.now()
    if (restMs <= 0) return this.#endSpare()
    this.#spareIdle = setTimeout(() => this.#endSpare(), restMs)
    this.#spareIdle.unref()
  }

  #endSpare(): void {
    if (this.#spare) this.#giveUp(this.#spare)
    this.#spare = null
  }

  #scheduleIdleEnd(): void {
    if (this.#isClosed || this.#idle) return
    this.#idle = setTimeout(() => {
      for (const process of this.#serving.splice(0)) process.kill()
      this.#endSpare()
    }, this.#options.idleMs)
    this.#idle.unref()
  }
}
