import { AppError, message } from '@parquetry/model'
import { FairQueue, type SlotRequest, type PendingSlot } from '../concurrency/fair-queue.ts'
import type { ConcurrencyLimits } from './limits.ts'
import type { Pool } from './pool.ts'
import { type PendingJob, type JobOptions, toAbortError, type RunnerRequest } from './runner-process.ts'

/** The user of a statement, and how it affects others. */
export interface StatementRequester {
  requester: string
  /** The statement may take minutes, and no user is watching it. */
  isBackground?: boolean | undefined
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
const maxTimerMs = 2 ** 31 - 1

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

/** Calls `ask` when a slot is free. @throws AppError `unavailable` when none becomes free in time */
export async function submitWhenFree(
  line: FairQueue,
  person: string,
  options: JobOptions,
  ask: () => Promise<PendingJob>,
): Promise<PendingJob> {
  return releaseWhenDone(line.tryAcquire(person) ?? (await waitForSlot(line, person, options)), ask)
}

async function waitForSlot(line: FairQueue, person: string, { signal, timeoutMs }: JobOptions): Promise<() => void> {
  const late = AbortSignal.timeout(Math.max(timeoutMs, shortWaitMs))
  try {
    return await line.acquire({ requester: person, signal: AbortSignal.any([signal, late]) }).acquired
  } catch (error) {
    if (signal.aborted) throw toAbortError(signal)
    throw late.aborted ? tooBusy() : error
  }
}

/** Holds a slot until the job has left its process. */
async function releaseWhenDone(leave: () => void, ask: () => Promise<PendingJob>): Promise<PendingJob> {
  try {
    const asking = await ask()
    void asking.left.then(leave)
    return asking
  } catch (error) {
    leave()
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
  readonly #runs: FairQueue
  readonly #background: FairQueue
  readonly #short: FairQueue
  readonly #tries: FairQueue
  readonly #longerTries: FairQueue
  readonly #streams: FairQueue

  constructor(pool: Pool, places: ConcurrencyLimits) {
    this.#pool = pool
    this.#runs = new FairQueue(places.runs)
    this.#background = new FairQueue(places.background)
    this.#short = new FairQueue(places.short)
    this.#tries = new FairQueue(places.tries)
    this.#longerTries = new FairQueue(Math.max(1, Math.floor(places.tries / 2)))
    this.#streams = new FairQueue(places.streams)
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
    for (const line of this.#queues) line.close(reason)
  }

  /**
   * Runs a short request.
   * @param isAside  avoids the process that runs statements
   * @throws AppError `unavailable` when no slot becomes free in time
   */
  short(request: RunnerRequest, options: JobOptions, person: string, isAside = false): Promise<PendingJob> {
    return submitWhenFree(this.#short, person, options, () =>
      isAside ? this.#pool.submitAside(request, () => options) : this.#pool.submitShort(request, options),
    )
  }

  /**
   * Runs a statement of a user; waiting counts toward its time limit.
   * @param mayRepeat  running it twice changes nothing
   * @throws AppError `query_timeout` when no slot becomes free in time
   */
  async run(
    request: RunnerRequest,
    options: JobOptions,
    asker: StatementRequester,
    mayRepeat: boolean,
  ): Promise<PendingJob> {
    const { signal, timeoutMs } = options
    if (signal.aborted) throw toAbortError(signal)
    const begun = performance.now()
    const atOnce = asker.isBackground ? null : this.#runs.tryAcquire(asker.requester)
    const found =
      atOnce ?? (await this.#wait(request, options, asker, mayRepeat).finally(() => asker.onQueuePosition?.(null)))
    if (typeof found !== 'function') return found
    const leftMs = Math.max(1, timeoutMs - (performance.now() - begun))
    return this.#begin(withTimeLimit(request, leftMs), { ...options, timeoutMs: leftMs }, asker.requester, found)
  }

  /** Resolves with a function that releases the slot, or with the response of a try that succeeded without one. */
  async #wait(
    request: RunnerRequest,
    options: JobOptions,
    { requester, isBackground, onQueuePosition }: StatementRequester,
    mayRepeat: boolean,
  ): Promise<(() => void) | PendingJob> {
    const end = new AbortController()
    const late = setTimeout(() => end.abort(waitedTooLong()), Math.min(options.timeoutMs, maxTimerMs))
    const signal = AbortSignal.any([options.signal, end.signal])
    const taker = { requester, signal, onQueuePosition }
    const turn = isBackground ? this.#joinBackground(taker) : this.#runs.acquire(taker)
    try {
      for (const tryMs of mayRepeat ? triesMs : []) {
        if (!(await Promise.race([turn.acquired.then(() => false), turn.stalled.then(() => true)]))) break
        const tried = { ...options, signal, timeoutMs: tryMs }
        const answered = await this.#try(withTimeLimit(request, tryMs), tried, requester, turn)
        if (!answered) continue
        end.abort()
        return answered
      }
      return await turn.acquired
    } catch (error) {
      throw options.signal.aborted ? toAbortError(options.signal) : error
    } finally {
      clearTimeout(late)
    }
  }

  #joinBackground(taker: SlotRequest): PendingSlot {
    const first = this.#background.acquire(taker)
    const second = first.acquired.then((leaveFirst) => {
      const turn = this.#runs.acquire(taker)
      const given = turn.acquired.then(
        (leave) => () => {
          leave()
          leaveFirst()
        },
        (error: unknown) => {
          leaveFirst()
          throw error
        },
      )
      return { given, stuck: turn.stalled }
    })
    const given = second.then((turn) => turn.given)
    given.catch(() => {})
    return { acquired: given, stalled: Promise.race([first.stalled, second.then(({ stuck }) => stuck)]) }
  }

  /**
   * Runs the statement with a short time limit; null when it does not finish. Results beyond the flow-control window and failures
   * that may not recur also give null.
   */
  async #try(
    request: RunnerRequest,
    options: JobOptions,
    person: string,
    turn: PendingSlot,
  ): Promise<PendingJob | null> {
    const end = new AbortController()
    const signal = AbortSignal.any([options.signal, end.signal])
    const stop = () => end.abort()
    turn.acquired.then(stop, stop)
    try {
      // First tries do not wait behind those that need longer.
      const line = options.timeoutMs === triesMs[0] ? this.#tries : this.#longerTries
      const leave = await line.acquire({ requester: person, signal }).acquired
      const late = () => AbortSignal.timeout(options.timeoutMs + tryGraceMs)
      const aside = () => ({ ...options, signal: AbortSignal.any([signal, late()]) })
      const asking = await releaseWhenDone(leave, () => this.#pool.submitAside(request, aside))
      await asking.reply.settled
      const { failure } = asking.reply
      if (failure && !isStatementError(failure)) return null
      // The slot may have been given meanwhile; it is no longer needed.
      turn.acquired.then(
        (leaveTurn) => leaveTurn(),
        () => {},
      )
      return asking
    } catch (error) {
      if (error instanceof AppError || signal.aborted) return null
      throw error
    }
  }

  /** The slot is held until the engine has produced the first rows: slow readers do not block others, as long as they are few. */
  async #begin(request: RunnerRequest, options: JobOptions, person: string, leave: () => void): Promise<PendingJob> {
    const asking = await releaseWhenDone(leave, () => this.#pool.submit(request, options))
    asking.reply.header.then(
      () => {
        const leaveStream = this.#streams.tryAcquire(person)
        if (!leaveStream) return
        void asking.left.then(leaveStream)
        leave()
      },
      () => {},
    )
    return asking
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
