import { type Asking, type AskOptions, type Question, reasonOf, type RunnerProcess } from './runner-process.ts'
import { Semaphore } from './semaphore.ts'

/** A query that runs for so long may have to be killed: a process is made ready to take the place of its own. */
const spareAfterMs = 5000

export interface PoolOptions {
  make(): RunnerProcess
  /** Processes that take jobs at the same time. */
  size: number
  /** Jobs that run at the same time; the others wait their turn. */
  places: number
  /** Processes end when nobody has asked for so long. */
  idleMs: number
}

/**
 * Processes of one kind: made when they are needed, replaced when they are lost at work, given up when a job in them does not
 * obey a cancel. Each job goes to the idlest.
 */
export class Pool {
  #options: PoolOptions
  #slots: Semaphore
  #serving: RunnerProcess[] = []
  #spare: RunnerProcess | null = null
  /** In doubt: they finish what they have, or are killed. */
  #leaving = new Set<RunnerProcess>()
  #waiting = new WeakMap<RunnerProcess, number>()
  #longJobs = 0
  #idle: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#slots = new Semaphore(options.places)
  }

  /** Those that take the next jobs. */
  get serving(): readonly RunnerProcess[] {
    return this.#serving
  }

  get processes(): RunnerProcess[] {
    return [...this.#serving, ...(this.#spare ? [this.#spare] : []), ...this.#leaving]
  }

  /** Jobs that run or wait. */
  get busy(): number {
    return this.processes.reduce((sum, { busy }) => sum + busy, this.#slots.waiting)
  }

  /**
   * Asks when it is the job's turn. The place is held until the process is done with the job, or until `engineDone` settles:
   * rows on their way to a slow reader keep nobody else waiting.
   * @throws AppError `runner_lost` when no process starts; `query_stopped` or `query_timeout` when the signal aborts in the queue
   */
  async ask(
    question: Question,
    options: AskOptions,
    engineDone?: (asking: Asking) => Promise<unknown>,
  ): Promise<Asking> {
    const begun = performance.now()
    const leave = await this.#slots.take(options.signal).catch(() => {
      throw reasonOf(options.signal)
    })
    try {
      const process = await this.#readyOne()
      const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - begun))
      const asking = process.ask(question, { ...options, timeoutMs })
      this.#follow(process, asking)
      const done = engineDone ? engineDone(asking).catch(() => asking.over) : asking.over
      void Promise.race([asking.over, done]).then(leave)
      return asking
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Tells every process that is there something; none is made for it. */
  tellAll(question: Question, options: AskOptions): Promise<unknown[]> {
    return Promise.all(
      [...this.#serving, ...(this.#spare ? [this.#spare] : [])].map(async (process) => {
        await process.ready
        return process.ask(question, options).reply.answer
      }),
    )
  }

  cancelAll(): void {
    for (const process of this.processes) process.cancelAll()
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
    const all = this.processes
    for (const process of all) process.kill()
    await Promise.all(all.map(({ exited }) => exited))
  }

  /** A process that starts counts those who wait for it: the next job may be better off with another one. */
  async #readyOne(): Promise<RunnerProcess> {
    const process = this.#idlest()
    this.#waiting.set(process, this.#waitingFor(process) + 1)
    try {
      await process.ready
      return process
    } finally {
      this.#waiting.set(process, this.#waitingFor(process) - 1)
    }
  }

  #waitingFor(process: RunnerProcess): number {
    return this.#waiting.get(process) ?? 0
  }

  #idlest(): RunnerProcess {
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
      this.#wantSpare()
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

  #follow(process: RunnerProcess, { over }: Asking): void {
    let isLong = false
    const long = setTimeout(() => {
      isLong = true
      this.#longJobs++
      this.#wantSpare()
    }, spareAfterMs)
    void over.then(() => {
      clearTimeout(long)
      if (isLong) this.#longJobs--
      if (this.#longJobs === 0 && this.#serving.length > 0) this.#endSpare()
      if (this.#leaving.has(process) && process.busy === 0) process.kill()
      if (this.busy === 0) this.#rest()
    })
  }

  #wantSpare(): void {
    if (!this.#isClosed && this.#spare === null && this.#serving.length < 2) this.#spare = this.#start()
  }

  #endSpare(): void {
    this.#spare?.kill()
    this.#spare = null
  }

  #rest(): void {
    if (this.#isClosed || this.#idle) return
    this.#idle = setTimeout(() => {
      for (const process of this.#serving.splice(0)) process.kill()
      this.#endSpare()
    }, this.#options.idleMs)
    this.#idle.unref()
  }
}
