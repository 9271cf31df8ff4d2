import { AppError, message } from '@parquetry/model'
import { Line, type Taker, type Turn } from '../concurrency/line.ts'
import type { Places } from './places.ts'
import type { Pool } from './pool.ts'
import { type Asking, type AskOptions, reasonOf, type RunnerRequest } from './runner-process.ts'

/** Whose statement it is, and what it is to others. */
export interface Asker {
  person: string
  /** It may take minutes, and nobody looks at it meanwhile. */
  isBackground?: boolean | undefined
  /** Told while it waits: how many come before it; null when its turn has come. */
  onAhead?: ((ahead: number | null) => void) | undefined
}

/** What the tries of a statement may take, one after the other: a busy machine needs more for the shortest one. */
const triesMs = [500, 1000, 2000, 4000]

/** After the time limit of a try in the runner, whose end is gentler than a cancel. */
const tryGraceMs = 1000

/** For what is short; what is longer itself waits as long as it may take. */
const shortWaitMs = 30_000

/** The longest that a timer takes. */
const longestMs = 2 ** 31 - 1

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

/** Asks when a place is free. @throws AppError `unavailable` when there is none for long */
export async function inTurn(
  line: Line,
  person: string,
  options: AskOptions,
  ask: () => Promise<Asking>,
): Promise<Asking> {
  return leaving(line.enter(person) ?? (await placeIn(line, person, options)), ask)
}

async function placeIn(line: Line, person: string, { signal, timeoutMs }: AskOptions): Promise<() => void> {
  const late = AbortSignal.timeout(Math.max(timeoutMs, shortWaitMs))
  try {
    return await line.join({ person, signal: AbortSignal.any([signal, late]) }).given
  } catch (error) {
    if (signal.aborted) throw reasonOf(signal)
    throw late.aborted ? tooBusy() : error
  }
}

/** Holds a place until the job has left its process. */
async function leaving(leave: () => void, ask: () => Promise<Asking>): Promise<Asking> {
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
 * The ways to the processes of one source. Statements take turns by person, and those of the background have a part of the
 * places alone. What is short by its nature has places that no statement takes. A statement that waits while nothing moves
 * is tried beside those that run: it ends soon, or goes on waiting as if nothing had been.
 */
export class Lanes {
  readonly #pool: Pool
  readonly #runs: Line
  readonly #background: Line
  readonly #short: Line
  readonly #tries: Line
  readonly #longerTries: Line
  readonly #streams: Line

  constructor(pool: Pool, places: Places) {
    this.#pool = pool
    this.#runs = new Line(places.runs)
    this.#background = new Line(places.background)
    this.#short = new Line(places.short)
    this.#tries = new Line(places.tries)
    this.#longerTries = new Line(Math.max(1, Math.floor(places.tries / 2)))
    this.#streams = new Line(places.streams)
  }

  get #lines(): readonly Line[] {
    return [this.#runs, this.#background, this.#short, this.#tries, this.#longerTries, this.#streams]
  }

  get waiting(): number {
    return this.#lines.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  get isEmpty(): boolean {
    return this.#lines.every(({ held, waiting }) => held + waiting === 0)
  }

  close(reason: AppError): void {
    for (const line of this.#lines) line.close(reason)
  }

  /**
   * What is short by its nature.
   * @param isAside  not in the process that the statements run in
   * @throws AppError `unavailable` when its turn does not come in time
   */
  short(request: RunnerRequest, options: AskOptions, person: string, isAside = false): Promise<Asking> {
    return inTurn(this.#short, person, options, () =>
      isAside ? this.#pool.askAside(request, () => options) : this.#pool.askShort(request, options),
    )
  }

  /**
   * A statement of a person, which waits within its own time limit.
   * @param mayRepeat  asking it twice changes nothing
   * @throws AppError `query_timeout` when its turn does not come
   */
  async run(request: RunnerRequest, options: AskOptions, asker: Asker, mayRepeat: boolean): Promise<Asking> {
    const { signal, timeoutMs } = options
    if (signal.aborted) throw reasonOf(signal)
    const begun = performance.now()
    const atOnce = asker.isBackground ? null : this.#runs.enter(asker.person)
    const found = atOnce ?? (await this.#wait(request, options, asker, mayRepeat).finally(() => asker.onAhead?.(null)))
    if (typeof found !== 'function') return found
    const leftMs = Math.max(1, timeoutMs - (performance.now() - begun))
    return this.#begin(withLimit(request, leftMs), { ...options, timeoutMs: leftMs }, asker.person, found)
  }

  /** The way to leave a place when it has one; the answer when it got it without. */
  async #wait(
    request: RunnerRequest,
    options: AskOptions,
    { person, isBackground, onAhead }: Asker,
    mayRepeat: boolean,
  ): Promise<(() => void) | Asking> {
    const end = new AbortController()
    const late = setTimeout(() => end.abort(waitedTooLong()), Math.min(options.timeoutMs, longestMs))
    const signal = AbortSignal.any([options.signal, end.signal])
    const taker = { person, signal, onAhead }
    const turn = isBackground ? this.#backgroundTurn(taker) : this.#runs.join(taker)
    try {
      for (const tryMs of mayRepeat ? triesMs : []) {
        if (!(await Promise.race([turn.given.then(() => false), turn.stuck.then(() => true)]))) break
        const tried = { ...options, signal, timeoutMs: tryMs }
        const answered = await this.#try(withLimit(request, tryMs), tried, person, turn)
        if (!answered) continue
        end.abort()
        return answered
      }
      return await turn.given
    } catch (error) {
      throw options.signal.aborted ? reasonOf(options.signal) : error
    } finally {
      clearTimeout(late)
    }
  }

  #backgroundTurn(taker: Taker): Turn {
    const first = this.#background.join(taker)
    const second = first.given.then((leaveFirst) => {
      const turn = this.#runs.join(taker)
      const given = turn.given.then(
        (leave) => () => {
          leave()
          leaveFirst()
        },
        (error: unknown) => {
          leaveFirst()
          throw error
        },
      )
      return { given, stuck: turn.stuck }
    })
    const given = second.then((turn) => turn.given)
    given.catch(() => {})
    return { given, stuck: Promise.race([first.stuck, second.then(({ stuck }) => stuck)]) }
  }

  /**
   * Runs it in a short while, or not at all: null. A result that is larger than what may be on its way, and failures that another
   * try may not have, are none.
   */
  async #try(request: RunnerRequest, options: AskOptions, person: string, turn: Turn): Promise<Asking | null> {
    const end = new AbortController()
    const signal = AbortSignal.any([options.signal, end.signal])
    const stop = () => end.abort()
    turn.given.then(stop, stop)
    try {
      // Nobody who tries for the first time waits for those who need longer.
      const line = options.timeoutMs === triesMs[0] ? this.#tries : this.#longerTries
      const leave = await line.join({ person, signal }).given
      const late = () => AbortSignal.timeout(options.timeoutMs + tryGraceMs)
      const aside = () => ({ ...options, signal: AbortSignal.any([signal, late()]) })
      const asking = await leaving(leave, () => this.#pool.askAside(request, aside))
      await asking.reply.settled
      const { failure } = asking.reply
      if (failure && !isOfText(failure)) return null
      // The turn that it does not need any more may have come meanwhile.
      turn.given.then(
        (leaveTurn) => leaveTurn(),
        () => {},
      )
      return asking
    } catch (error) {
      if (error instanceof AppError || signal.aborted) return null
      throw error
    }
  }

  /**
   * The place is held until the engine has made the first rows: those on their way to a slow reader keep nobody waiting, as long as
   * there are few of them.
   */
  async #begin(request: RunnerRequest, options: AskOptions, person: string, leave: () => void): Promise<Asking> {
    const asking = await leaving(leave, () => this.#pool.ask(request, options))
    asking.reply.header.then(
      () => {
        const leaveStream = this.#streams.enter(person)
        if (!leaveStream) return
        void asking.left.then(leaveStream)
        leave()
      },
      () => {},
    )
    return asking
  }
}

const isOfText = ({ code }: AppError): boolean =>
  ['syntax_error', 'column_missing', 'table_missing', 'schema_missing', 'sql_not_allowed', 'bad_request'].includes(code)

function withLimit(request: RunnerRequest, timeoutMs: number): RunnerRequest {
  if (request.type === 'run')
    return { ...request, plan: { ...request.plan, limits: { ...request.plan.limits, timeoutMs } } }
  if (request.type === 'run_shared')
    return { ...request, plan: { ...request.plan, limits: { ...request.plan.limits, timeoutMs } } }
  return request
}
