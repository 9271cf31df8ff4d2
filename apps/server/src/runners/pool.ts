import type { AppError } from '@parquetry/model'
import type { PendingJob, JobOptions, RunnerProcess, RunnerRequest } from './runner-process.ts'

/** A query that runs this long may have to be killed, so a spare process is started to replace its process. */
const spareAfterMs = 5000

/** The spare process ends with the long jobs, or this long after its own last use. */
const spareIdleMs = 10_000

export interface PoolOptions {
  make(): RunnerProcess
  /** Number of processes that accept jobs at the same time. */
  size: number
  /** Idle time after which processes end. */
  idleMs: number
}

/**
 * Processes of one kind: started on demand, replaced when lost at work, given up when a job in them does not obey a cancel. Each
 * job goes to the least busy process; `SourceScheduler` limits how many jobs run.
 */
export class Pool {
  #options: PoolOptions
  #serving: RunnerProcess[] = []
  #spare: RunnerProcess | null = null
  /** Unresponsive or replaced processes: they finish their jobs or are killed. */
  #leaving = new Set<RunnerProcess>()
  #waiting = new WeakMap<RunnerProcess, number>()
  #longJobs = 0
  #lastAsideAt = -Infinity
  #idle: NodeJS.Timeout | null = null
  #spareIdle: NodeJS.Timeout | null = null
  /** Reason why no more requests are accepted. */
  #ending: AppError | null = null
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Processes that accept the next jobs. */
  get serving(): readonly RunnerProcess[] {
    return this.#serving
  }

  get processes(): RunnerProcess[] {
    return [...this.#serving, ...(this.#spare ? [this.#spare] : []), ...this.#leaving]
  }

  /** Number of running jobs. */
  get busy(): number {
    return this.processes.reduce((sum, { busy }) => sum + busy, 0)
  }

  /** @throws AppError `runner_lost` when no process starts */
  async submit(request: RunnerRequest, options: JobOptions): Promise<PendingJob> {
    return this.#submitTo(await this.#findReady(), request, options)
  }

  /**
   * Runs a request beside the running jobs. If those share one process, it uses the spare one, so that killing a stuck job does
   * not affect it.
   * @param options created when the process is ready, so that its start does not count toward the job's time
   */
  async submitAside(request: RunnerRequest, options: () => JobOptions): Promise<PendingJob> {
    if (this.#options.size > 1) return this.#submitTo(await this.#findReady(), request, options())
    this.#lastAsideAt = performance.now()
    this.#ensureSpare()
    const process = this.#spare ?? (await this.#findReady())
    await this.#whenReady(process)
    return this.#submitTo(process, request, options())
  }

  /** Uses the spare process if there is one, since busy processes may be short of memory and time. */
  async submitShort(request: RunnerRequest, options: JobOptions): Promise<PendingJob> {
    const target = this.#spare?.isReady ? this.#spare : await this.#findReady()
    return this.#submitTo(target, request, options)
  }

  /** Sends a request to all existing processes, without starting one. */
  broadcast(request: RunnerRequest, options: JobOptions): Promise<unknown[]> {
    return Promise.all(
      [...this.#serving, ...(this.#spare ? [this.#spare] : [])].map(async (process) => {
        await process.ready
        return process.submit(request, options).reply.answer
      }),
    )
  }

  /** Fails running, waiting and future requests. */
  cancelAll(reason: AppError): void {
    this.#ending = reason
    for (const process of this.processes) process.cancelAll(reason)
  }

  /** Lets the processes finish their jobs and starts new ones for later jobs. */
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
    const job = process.submit(request, options)
    this.#follow(process, job)
    return job
  }

  /** Counts the jobs that wait for a starting process, so that the next job can choose another one. */
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
    this.#serving = this.#serving.filter((other) => other !== process)
    if (this.#spare === process) this.#spare = null
    this.#leaving.delete(process)
  }

  #giveUp(process: RunnerProcess): void {
    if (process.busy === 0) process.kill()
    else this.#leaving.add(process)
  }

  #follow(process: RunnerProcess, { over }: PendingJob): void {
    let isLong = false
    const longTimer = setTimeout(() => {
      isLong = true
      this.#longJobs++
      this.#ensureSpare()
    }, spareAfterMs)
    void over.then(() => {
      clearTimeout(longTimer)
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
