import { type ChildProcess, spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { availableParallelism, setPriority } from 'node:os'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Channel } from '@parquetry/engines/channel'
import { AppError, type FromRunner, message, type Source, type ToRunner } from '@parquetry/model'
import type { Logger } from 'pino'
import { threadPoolSize } from './limits.ts'
import { Reply } from './reply.ts'
import { bystanderLost } from './retry-bystander.ts'

type JobRequest = Extract<ToRunner, { job: number }>
/** A message that starts a job, without the number that the process assigns to it. */
export type RunnerRequest = { [T in JobRequest['type']]: Omit<Extract<JobRequest, { type: T }>, 'job'> }[Exclude<
  JobRequest['type'],
  'cancel' | 'taken'
>]

export interface RunnerOptions {
  kind: 'embedded' | 'network' | 'parser' | 'draw' | 'shape' | 'load' | 'reader'
  /** Id of the source, or the name of a shared process. */
  id: string
  source: Source | null
  memoryLimitMb: number
  threads: number
  spillFolder: string
  /** Maximum silence of a monitored job, for tests. */
  silenceMs?: number | undefined
  log: Logger
}

export interface JobOptions {
  signal: AbortSignal
  /** The time limit of the job itself; a job that is silent for longer is canceled, and the process killed if that fails. */
  timeoutMs: number
  onProgress?: OnProgress | undefined
  /** Heartbeat interval of the runner: one that is silent for much longer has hung, whatever the job's own limit is. */
  progressIntervalMs?: number | undefined
  /** Binary payload of the request. */
  body?: Uint8Array | undefined
}

/** @param rows read so far of that statement */
export type OnProgress = (statement: number, statementCount: number, rows: number) => void

const main = fileURLToPath(new URL('../../../runner/src/main.ts', import.meta.url))
/** Limit of one log entry; crashes of an engine can print megabytes. */
const maxLoggedBytes = 4000

/** A process that has not obeyed a cancel by then is killed. */
const killAfterMs = 2000

/** A process that has not obeyed a cancel by then receives no new jobs. */
const doubtAfterMs = 250

/** Margin between the runner's own time limit and ours, so that its clear error comes first. */
const graceMs = 1000

/** Priority of runners, as in `nice`. */
const runnerNiceness = 5

/** Maximum silence of a runner with a heartbeat. */
const maxSilenceMs = 20_000

const notResponding = (): AppError =>
  new AppError('runner_lost', {
    message: message(
      'errors.runners.hung',
      'The process that was running this query is not responding. Run the query again.',
    ),
  })

/**
 * Columns are large and live for one frame: a small young generation frees them often and cheaply, while a large one fills the
 * memory until a full collection, again and again. Long post-processing makes many small objects, and takes half the time with
 * the usual size.
 */
const memoryFlags = (kind: RunnerOptions['kind']): string[] => [
  `--max-old-space-size=${kind === 'draw' ? 256 : 1024}`,
  ...(kind === 'shape' ? [] : ['--max-semi-space-size=1']),
  // See `packDocuments`.
  ...(kind === 'reader' ? ['--expose-gc'] : []),
]

/** A running job: its reply, and when the process is done with it, which may be later. */
export interface PendingJob {
  reply: Reply
  over: Promise<void>
  /** Settles like `over`, or when the job makes the process unresponsive, so that later jobs do not wait for it. */
  left: Promise<void>
}

interface Job {
  reply: Reply
  over: PromiseWithResolvers<void>
  left: PromiseWithResolvers<void>
  timers: NodeJS.Timeout[]
}

/**
 * One child process. Its environment contains only a few harmless variables, it leads its own process group, and it ends with the
 * socket pair, so `kill -9` of the server leaves nothing behind.
 */
export class RunnerProcess {
  readonly kind: RunnerOptions['kind']
  readonly id: string
  readonly pid: number
  /** Resolves when the process accepts jobs. @throws AppError `runner_lost` when it ends before */
  readonly ready: Promise<void>
  readonly exited: Promise<void>
  /** Called when a job does not obey a cancel: new jobs should avoid the process. */
  onDoubt: () => void = () => {}
  /** Called once when the process has ended; it was at work if it was ready and had jobs. */
  onEnd: (wasAtWork: boolean) => void = () => {}
  #child: ChildProcess
  #channel: Channel<FromRunner, ToRunner>
  #ready = Promise.withResolvers<void>()
  #exited = Promise.withResolvers<void>()
  #jobs = new Map<number, Job>()
  #lastJob = 0
  #state: 'starting' | 'ready' | 'ended' = 'starting'
  #isKilled = false
  /** A job did not obey a cancel, so the process was killed. */
  #isKilledForJob = false
  #silenceMs: number
  #log: Logger

  constructor({ kind, id, log, silenceMs = maxSilenceMs, ...settings }: RunnerOptions) {
    this.#silenceMs = silenceMs
    this.kind = kind
    this.id = id
    this.#log = log.child({ runner: kind, source: id })
    this.ready = this.#ready.promise
    this.ready.catch(() => {})
    this.exited = this.#exited.promise
    this.#child = spawn(process.execPath, [...memoryFlags(kind), main], {
      // Written to the server's own output they would block the runner when that output is not read.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
      env: environment(),
    })
    this.pid = this.#child.pid ?? 0
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.on('data', (text: Buffer) =>
        this.#log.warn({ text: String(text.subarray(0, maxLoggedBytes)) }, 'a runner wrote'),
      )
    this.#channel = new Channel(this.#child.stdio[3] as Duplex, {
      message: (message, body) => this.#receive(message, body),
      closed: () => this.#child.kill('SIGKILL'),
    })
    this.#child.once('exit', (code, signal) => this.#handleExit(signal ?? `exit ${code}`, settings.spillFolder))
    this.#child.once('error', (error) => this.#handleExit(error.message, settings.spillFolder))
    this.#channel.send({ type: 'open', ...settings })
  }

  /** Running jobs, including those whose callers have left. */
  get busy(): number {
    return this.#jobs.size
  }

  /** The process has started and accepts jobs. */
  get isReady(): boolean {
    return this.#state === 'ready'
  }

  get hasEnded(): boolean {
    return this.#state === 'ended'
  }

  submit(request: RunnerRequest, { signal, timeoutMs, onProgress, progressIntervalMs, body }: JobOptions): PendingJob {
    const id = ++this.#lastJob
    const lateMs = timeoutMs + graceMs
    const hungMs = progressIntervalMs === undefined ? Infinity : progressIntervalMs + this.#silenceMs
    const reply = new Reply({
      silenceMs: Math.min(lateMs, hungMs),
      onProgress,
      taken: (bytes) => void this.#channel.send({ type: 'taken', job: id, bytes }),
      left: () => this.#abandon(id, new AppError('query_stopped')),
      silent: () => this.#abandon(id, hungMs < lateMs ? notResponding() : new AppError('query_timeout')),
    })
    const over = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const job = { reply, over: over.promise, left: left.promise }
    if (this.hasEnded) {
      reply.fail(new AppError('runner_lost'))
      over.resolve()
      left.resolve()
      return job
    }
    this.#jobs.set(id, { reply, over, left, timers: [] })
    const stop = () => this.#abandon(id, toAbortError(signal))
    signal.addEventListener('abort', stop, { once: true })
    void reply.settled.then(() => signal.removeEventListener('abort', stop))
    try {
      this.#channel.send({ ...request, job: id } as ToRunner, ...(body ? [body] : []))
      if (signal.aborted) stop()
    } catch (error) {
      reply.fail(error as AppError)
      this.#finish(id, { reply, over, left, timers: [] })
    }
    return job
  }

  setMemoryLimit(memoryLimitMb: number): void {
    if (!this.hasEnded) this.#channel.send({ type: 'memory', memoryLimitMb })
  }

  cancelAll(reason: AppError): void {
    for (const id of this.#jobs.keys()) this.#abandon(id, reason)
  }

  kill(): void {
    this.#isKilled = true
    if (!this.hasEnded) this.#child.kill('SIGKILL')
  }

  #receive(message: FromRunner, body: Buffer): void {
    if (message.type === 'ready') {
      for (const { table, message: reason } of message.broken) this.#log.error({ table, reason }, 'table not opened')
      if (this.#state === 'starting') this.#state = 'ready'
      lowerPriority(this.pid)
      this.#ready.resolve()
      return
    }
    const job = this.#jobs.get(message.job)
    job?.reply.receive(message, body)
    if (job && ['answer', 'end', 'error'].includes(message.type)) this.#finish(message.job, job)
  }

  /**
   * Fails the caller immediately and sends a cancel to the runner. If the runner does not obey, it receives no new jobs and is
   * finally killed.
   */
  #abandon(id: number, error: AppError): void {
    const job = this.#jobs.get(id)
    if (!job || job.timers.length > 0) return
    job.reply.fail(error)
    this.#channel.send({ type: 'cancel', job: id })
    const kill = () => {
      this.#log.warn({ pid: this.pid }, 'runner killed: it did not obey a cancel')
      this.#isKilledForJob = true
      this.kill()
    }
    const doubt = () => {
      this.onDoubt()
      job.left.resolve()
    }
    job.timers = [setTimeout(doubt, doubtAfterMs), setTimeout(kill, killAfterMs)]
  }

  #finish(id: number, job: Job): void {
    this.#jobs.delete(id)
    for (const timer of job.timers) clearTimeout(timer)
    job.over.resolve()
    job.left.resolve()
  }

  #handleExit(reason: string, spillFolder: string): void {
    if (this.hasEnded) return
    const wasAtWork = this.#state === 'ready' && this.#jobs.size > 0
    if (wasAtWork || (this.#state === 'starting' && !this.#isKilled))
      this.#log.warn({ pid: this.pid, reason }, 'runner lost')
    this.#state = 'ended'
    // The job that did not obey has failed before; the others did nothing wrong.
    const error = this.#isKilledForJob ? bystanderLost() : new AppError('runner_lost')
    this.#ready.reject(error)
    this.onEnd(wasAtWork)
    for (const [id, job] of this.#jobs) {
      job.reply.fail(error)
      this.#finish(id, job)
    }
    this.#channel.close()
    void rm(spillFolder, { recursive: true, force: true }).then(() => this.#exited.resolve())
  }
}

/** Error that the user gets when a caller aborts. */
export function toAbortError({ reason }: AbortSignal): AppError {
  if (reason instanceof AppError) return reason
  const isTimeout = reason instanceof Error && reason.name === 'TimeoutError'
  return new AppError(isTimeout ? 'query_timeout' : 'query_stopped', { cause: reason })
}

/**
 * Gives the server precedence while engines use all cores, so that health checks and cached results stay quick. Linux may group
 * processes by session and then compares only the priorities of groups, so both are set. Without the right, nothing changes.
 */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, runnerNiceness)
  } catch {
    return
  }
  writeFile(`/proc/${pid}/autogroup`, String(runnerNiceness)).catch(() => {})
}

/**
 * Thresholds in bytes for the allocator of glibc, which otherwise raises them by itself until it keeps hundreds of megabytes that
 * engines have freed. Other allocators ignore them.
 * @see docs/decisions/0217-runners-return-freed-memory.md
 */
const allocatorSettings = {
  MALLOC_MMAP_THRESHOLD_: String(4 * 2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(16 * 2 ** 20),
}

function environment(): NodeJS.ProcessEnv {
  const { PATH, LANG, NODE_COMPILE_CACHE } = process.env
  return {
    ...(PATH !== undefined && { PATH }),
    ...(LANG !== undefined && { LANG }),
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
    ...allocatorSettings,
    TZ: 'UTC',
    UV_THREADPOOL_SIZE: String(threadPoolSize(availableParallelism())),
  }
}
