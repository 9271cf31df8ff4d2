import { AppError, message } from '@parquetry/model'
import { FairQueue, type SlotRequest, type PendingSlot, type WaitingBounds } from '../concurrency/fair-queue.ts'
import type { Admission, Backlog } from './backlog.ts'
import type { ConcurrencyLimits } from './limits.ts'
import type { Pool } from './pool.ts'
import { type PendingJob, type JobOptions, toAbortError, type RunnerRequest } from './runner-process.ts'

/** The user of a statement, and how it affects others. */
export interface StatementRequester {
  requester: string
  /** The statement may take minutes, and no user is watching it. */
  isBackground?: boolean | undefined
  /** The statement is part of an admitted chart or dashboard, and is refused when it waits for too long. */
  admission?: Admission | undefined
  /** Called while the statement waits, with the number of statements ahead, and with null when the wait ends. */
  onQueuePosition?: ((ahead: number | null) => void) | undefined
}

/** Time limits of successive tries of a statement: a busy machine needs more for even the shortest one. */
const triesMs = [500, 1000, 2000, 4000]

/** Grace after the runner's own time limit for a try, which ends it more gently than a cancel. */
const tryGraceMs = 1000

/** Minimum time to wait for a slot; requests with a longer time limit wait for that long. */
const shortWaitMs = 30_000

/** Maximum delay of a timer. */
export const maxTimerMs = 2 ** 31 - 1

const waitedTooLong = () =>
  new AppError('query_timeout', {
    message: message(
      'errors.runners.waitedTooLong',
      'The query reached its time limit before it could start: too many queries are running on this database. Try again later.',
    ),
  })

const tooBusy = () =>
  new AppError('unavailable', {
    message: message('errors.runners.tooBusy', 'This database has too many requests at the moment. Try again.'),
  })

/** Refuses an admission when none of the queries of its user has held a slot for too long. A query that is being tried is not refused. */
function refuseWhenUnserved(admission: Admission, maxMs: number): { pause(): void; resume(): void } {
  const since = performance.now()
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    const leftMs = maxMs - admission.unservedMs(since)
    if (leftMs <= 0) admission.refuse()
    else timer = setTimeout(check, Math.ceil(leftMs))
  }
  check()
  return { pause: () => clearTimeout(timer), resume: check }
}

/** Calls `ask` when a slot is free. @throws AppError `unavailable` when none becomes free in time */
export async function submitWhenFree(
  queue: FairQueue,
  requester: string,
  options: JobOptions,
  submit: () => Promise<PendingJob>,
): Promise<PendingJob> {
  return releaseWhenDone(queue.tryAcquire(requester) ?? (await waitForSlot(queue, requester, options)), submit)
}

async function waitForSlot(
  queue: FairQueue,
  requester: string,
  { signal, timeoutMs }: JobOptions,
): Promise<() => void> {
  const deadline = AbortSignal.timeout(Math.ceil(Math.max(timeoutMs, shortWaitMs)))
  try {
    return await queue.acquire({ requester: requester, signal: AbortSignal.any([signal, deadline]) }).acquired
  } catch (error) {
    if (signal.aborted) throw toAbortError(signal)
    throw deadline.aborted ? tooBusy() : error
  }
}

/** Holds a slot until the job has left its process. */
async function releaseWhenDone(release: () => void, submit: () => Promise<PendingJob>): Promise<PendingJob> {
  try {
    const job = await submit()
    void job.left.then(release)
    return job
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Schedules requests to the processes of one source. Statements share slots fairly among users, and background statements may use
 * only some of them. Short requests have reserved slots. A statement whose queue is stuck is also tried in parallel: it finishes
 * soon or keeps waiting as before.
 */
export class SourceScheduler {
  readonly #pool: Pool
  readonly #backlog: Backlog
  readonly #runs: FairQueue
  readonly #background: FairQueue
  readonly #short: FairQueue
  readonly #tries: FairQueue
  readonly #longerTries: FairQueue
  readonly #streams: FairQueue

  constructor(pool: Pool, backlog: Backlog, limits: ConcurrencyLimits, bounds: WaitingBounds) {
    this.#pool = pool
    this.#backlog = backlog
    const createQueue = (slots: number) => new FairQueue(slots, bounds)
    this.#runs = createQueue(limits.runs)
    this.#background = createQueue(limits.background)
    this.#short = createQueue(limits.short)
    this.#tries = createQueue(limits.tries)
    this.#longerTries = createQueue(Math.max(1, Math.floor(limits.tries / 2)))
    this.#streams = createQueue(limits.streams)
  }

  get #queues(): readonly FairQueue[] {
    return [this.#runs, this.#background, this.#short, this.#tries, this.#longerTries, this.#streams]
  }

  get waiting(): number {
    return this.#queues.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  get isEmpty(): boolean {
    return this.#queues.every(({ held, waiting }) => held + waiting === 0)
  }

  close(reason: AppError): void {
    for (const queue of this.#queues) queue.close(reason)
  }

  /**
   * Runs a short request.
   * @param isAside  avoids the process that runs statements
   * @throws AppError `unavailable` when no slot becomes free in time
   */
  short(request: RunnerRequest, options: JobOptions, requester: string, isAside = false): Promise<PendingJob> {
    return submitWhenFree(this.#short, requester, options, () =>
      isAside ? this.#pool.submitAside(request, () => options) : this.#pool.submitShort(request, options),
    )
  }

  /**
   * Runs a statement of a user; waiting counts toward its time limit.
   * @param canRepeat  running it twice changes nothing
   * @throws AppError `query_timeout` when no slot becomes free in time; `source_busy` and `queries_waiting` when it is refused
   */
  async run(
    request: RunnerRequest,
    options: JobOptions,
    caller: StatementRequester,
    canRepeat: boolean,
  ): Promise<PendingJob> {
    const untrack = caller.admission ? () => {} : this.#backlog.track(caller.requester)
    try {
      const job = await this.#runInSlot(request, options, caller, canRepeat)
      void job.left.then(untrack)
      return job
    } catch (error) {
      untrack()
      throw error
    }
  }

  async #runInSlot(
    request: RunnerRequest,
    options: JobOptions,
    caller: StatementRequester,
    canRepeat: boolean,
  ): Promise<PendingJob> {
    const { signal, timeoutMs } = options
    const { admission, isBackground, onQueuePosition, requester } = caller
    if (signal.aborted) throw toAbortError(signal)
    admission?.signal.throwIfAborted()
    const startedAt = performance.now()
    const immediate = isBackground ? null : this.#runs.tryAcquire(requester)
    const found =
      immediate ?? (await this.#wait(request, options, caller, canRepeat).finally(() => onQueuePosition?.(null)))
    if (typeof found !== 'function') return found
    const leftMs = Math.max(1, timeoutMs - (performance.now() - startedAt))
    const endServing = admission?.serve()
    return this.#begin(withTimeLimit(request, leftMs), { ...options, timeoutMs: leftMs }, requester, () => {
      endServing?.()
      found()
    })
  }

  /** Resolves with a function that releases the slot, or with the response of a try that succeeded without one. */
  async #wait(
    request: RunnerRequest,
    options: JobOptions,
    { requester, isBackground, onQueuePosition, admission }: StatementRequester,
    canRepeat: boolean,
  ): Promise<(() => void) | PendingJob> {
    const end = new AbortController()
    const timer = setTimeout(() => end.abort(waitedTooLong()), Math.min(options.timeoutMs, maxTimerMs))
    const signal = AbortSignal.any([options.signal, end.signal, ...(admission ? [admission.signal] : [])])
    const slotRequest = { requester, signal, onQueuePosition }
    const slot = isBackground ? this.#joinBackground(slotRequest) : this.#runs.acquire(slotRequest)
    const patience = admission && refuseWhenUnserved(admission, this.#backlog.maxUnservedMs)
    try {
      for (const tryMs of canRepeat ? triesMs : []) {
        if (!(await Promise.race([slot.acquired.then(() => false), slot.stalled.then(() => true)]))) break
        const tryOptions = { ...options, signal, timeoutMs: tryMs }
        patience?.pause()
        const job = await this.#try(withTimeLimit(request, tryMs), tryOptions, requester, slot)
        if (job) {
          // The user was served without a slot.
          admission?.serve()()
          end.abort()
          return job
        }
        patience?.resume()
      }
      return await slot.acquired
    } catch (error) {
      throw options.signal.aborted ? toAbortError(options.signal) : error
    } finally {
      clearTimeout(timer)
      patience?.pause()
    }
  }

  #joinBackground(slotRequest: SlotRequest): PendingSlot {
    const first = this.#background.acquire(slotRequest)
    const second = first.acquired.then((releaseFirst) => {
      const slot = this.#runs.acquire(slotRequest)
      const given = slot.acquired.then(
        (release) => () => {
          release()
          releaseFirst()
        },
        (error: unknown) => {
          releaseFirst()
          throw error
        },
      )
      return { given, stuck: slot.stalled }
    })
    const acquired = second.then((slot) => slot.given)
    acquired.catch(() => {})
    return { acquired: acquired, stalled: Promise.race([first.stalled, second.then(({ stuck }) => stuck)]) }
  }

  /**
   * Runs the statement with a short time limit; null when it does not finish. Results beyond the flow-control window and failures
   * that may not recur also give null.
   */
  async #try(
    request: RunnerRequest,
    options: JobOptions,
    requester: string,
    slot: PendingSlot,
  ): Promise<PendingJob | null> {
    const end = new AbortController()
    const signal = AbortSignal.any([options.signal, end.signal])
    const stop = () => end.abort()
    slot.acquired.then(stop, stop)
    try {
      // First tries do not wait behind those that need longer.
      const queue = options.timeoutMs === triesMs[0] ? this.#tries : this.#longerTries
      const release = await queue.acquire({ requester: requester, signal }).acquired
      const deadline = () => AbortSignal.timeout(Math.ceil(options.timeoutMs + tryGraceMs))
      const asideOptions = () => ({ ...options, signal: AbortSignal.any([signal, deadline()]) })
      const job = await releaseWhenDone(release, () => this.#pool.submitAside(request, asideOptions))
      await job.reply.settled
      const { failure } = job.reply
      if (failure && !isStatementError(failure)) return null
      // The slot may have been given meanwhile; it is no longer needed.
      slot.acquired.then(
        (releaseSlot) => releaseSlot(),
        () => {},
      )
      return job
    } catch (error) {
      if (error instanceof AppError || signal.aborted) return null
      throw error
    }
  }

  /** The slot is held until the engine has produced the first rows: slow readers do not block others, as long as they are few. */
  async #begin(
    request: RunnerRequest,
    options: JobOptions,
    requester: string,
    release: () => void,
  ): Promise<PendingJob> {
    const job = await releaseWhenDone(release, () => this.#pool.submit(request, options))
    job.reply.header.then(
      () => {
        const releaseStream = this.#streams.tryAcquire(requester)
        if (!releaseStream) return
        void job.left.then(releaseStream)
        release()
      },
      () => {},
    )
    return job
  }
}

const isStatementError = ({ code }: AppError): boolean =>
  ['syntax_error', 'column_missing', 'table_missing', 'schema_missing', 'sql_not_allowed', 'bad_request'].includes(code)

function withTimeLimit(request: RunnerRequest, timeoutMs: number): RunnerRequest {
  if (request.type === 'run')
    return { ...request, plan: { ...request.plan, limits: { ...request.plan.limits, timeoutMs } } }
  if (request.type === 'run_shared')
    return { ...request, plan: { ...request.plan, limits: { ...request.plan.limits, timeoutMs } } }
  return request
}
