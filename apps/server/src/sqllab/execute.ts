import { encodeMessage } from '@parquetry/frame/wire'
import { AppError, type ExecuteMetadata, type ExecuteHead, type RunHeader, toWire } from '@parquetry/model'
import { typedError } from '../http/errors.ts'
import { maxCachedBytes } from '../jobs/result-store.ts'
import { gather } from '../runners/gather.ts'
import { errorTranslator } from '../settings/messages.ts'
import { toAppError } from '../store/failure.ts'
import type { QueryRow } from './history.ts'
import { buildExecuteAnswer } from './query-view.ts'
import { openRun, type OpenedRun, type SqlRun, createRunSignal } from './run.ts'

export interface ExecutedRows {
  answer: ExecuteMetadata
  /** The rows as JSON text. */
  rows: Buffer
}

/**
 * Runs SQL to its end and records the outcome in the history, whatever happens.
 * @throws AppError as `openRun`
 */
export function executeRows(run: SqlRun): Promise<ExecutedRows> {
  const { deps, handle, record, target } = run
  const signal = createRunSignal(run)
  return withFailureRecording(run, async () => {
    try {
      const { prepared, stream } = await openRun(run, { as: 'rows', times: 'iso' }, signal)
      const rows = Buffer.concat(await gather(stream.chunks))
      const totals = stream.header.rowcount >= 0 ? stream.header : await stream.totals
      const isStorable = target === null && rows.length <= maxCachedBytes
      const storeResult = (key: string, row: QueryRow) =>
        trySave(run, deps.results.save(key, 'json', withRows(answerFor(run, row, stream.header), rows)))
      const row = await record.succeed(prepared, stream.header, totals, {
        target,
        keep: isStorable ? storeResult : null,
      })
      return { answer: answerFor(run, row, stream.header), rows }
    } finally {
      handle.done()
    }
  })
}

/** JSON of a response with the rows as its `data`: concatenated, never parsed. */
export const withRows = (answer: object, rows: Uint8Array): Buffer[] => [
  Buffer.from(`${JSON.stringify(answer).slice(0, -1)},"data":`),
  Buffer.from(rows.buffer, rows.byteOffset, rows.length),
  Buffer.from('}'),
]

/** Smaller results are a single response, which starts with the outcome of the run. */
const maxWholeBytes = 64 << 10

/**
 * The same as frame messages, streamed: the response as far as it is known, frames, `end`, and the final response. An error after
 * the first rows is a last message `error`. A small result is one buffer with one response.
 * @throws AppError as `openRun`, before the first message
 */
export async function executeFrames(run: SqlRun): Promise<Buffer | AsyncGenerator<Uint8Array>> {
  const signal = createRunSignal(run)
  const started = await withFailureRecording(run, async () => {
    const openedRun = await openRun(run, { as: 'frames', streamed: true }, signal)
    return readAhead(openedRun, maxWholeBytes)
  }).catch((error: unknown) => {
    run.handle.done()
    throw error
  })
  if (!started.isWhole) return startGenerator(streamRest(run, started))
  try {
    return await withFailureRecording(run, async () => {
      const answer = await finish(run, started, started.ahead)
      return Buffer.concat([encodeAnswerHead(answer), ...started.ahead])
    })
  } finally {
    run.handle.done()
  }
}

/**
 * Runs SQL in the background and stores its result as frames, for `results` to fetch.
 * @returns the key of the result; null when there is none to fetch
 */
export function executeInBackground(run: SqlRun): Promise<string | null> {
  const signal = createRunSignal(run)
  return withFailureRecording(run, async () => {
    try {
      await run.record.begin()
      const openedRun = await openRun(run, { as: 'frames', streamed: true }, signal)
      const chunks = await gather(openedRun.stream.chunks)
      return (await finish(run, openedRun, chunks)).query.resultsKey
    } finally {
      run.handle.done()
    }
  })
}

interface StartedResult extends OpenedRun {
  ahead: Buffer[]
  chunks: AsyncIterator<Buffer>
  isWhole: boolean
}

async function readAhead(openedRun: OpenedRun, maxBytes: number): Promise<StartedResult> {
  const chunks = openedRun.stream.chunks[Symbol.asyncIterator]()
  const ahead: Buffer[] = []
  for (let read = 0; read < maxBytes;) {
    const { done, value } = await chunks.next()
    if (done) return { ...openedRun, ahead, chunks, isWhole: true }
    ahead.push(value)
    read += value.length
  }
  return { ...openedRun, ahead, chunks, isWhole: false }
}

/** Starts the generator: one that has not started would not notice that its reader left, and its run would never end. */
async function startGenerator(pieces: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  await pieces.next()
  return pieces
}

async function* streamRest(run: SqlRun, started: StartedResult): AsyncGenerator<Uint8Array> {
  const { handle, record } = run
  const { stream, ahead, chunks } = started
  // Only what may be stored is held in memory.
  const cachedChunks = [...ahead]
  let bytes = totalLength(cachedChunks)
  let isEnded = false
  try {
    yield new Uint8Array()
    yield encodeAnswerHead(answerFor(run, record.row, stream.header))
    yield* ahead
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      bytes += next.value.length
      if (bytes <= maxCachedBytes) cachedChunks.push(next.value)
      else cachedChunks.length = 0
      yield next.value
    }
    const answer = await finish(run, started, bytes <= maxCachedBytes ? cachedChunks : null)
    isEnded = true
    yield encodeAnswerHead(answer)
  } catch (error) {
    isEnded = true
    await recordFailure(run, error, handle.signal.aborted)
    yield errorMessage(run, error)
  } finally {
    // The reader has left.
    if (!isEnded) await recordFailure(run, new AppError('query_stopped'), true)
    handle.done()
  }
}

/** Stores the complete result and records the end of the run. */
async function finish(
  run: SqlRun,
  { prepared, stream }: OpenedRun,
  chunks: readonly Buffer[] | null,
): Promise<ExecuteMetadata> {
  const { deps, record, target } = run
  const totals = await stream.totals
  const storeResult = async (key: string, row: QueryRow) => {
    const parts = [encodeAnswerHead(answerFor(run, row, stream.header)), ...(chunks ?? [])]
    const saving = deps.results.save(key, 'frames', parts)
    // A background run has nothing but its stored result.
    return run.isBackground ? saving.then(() => true) : trySave(run, saving)
  }
  const row = await record.succeed(prepared, stream.header, totals, {
    target,
    keep: target === null && chunks ? storeResult : null,
  })
  return answerFor(run, row, stream.header)
}

/** False when the result could not be stored; clients still receive the rows. */
const trySave = ({ deps }: SqlRun, saving: Promise<void>): Promise<boolean> =>
  saving.then(
    () => true,
    (error: unknown) => {
      deps.log.error({ err: error }, 'could not store the result of a query')
      return false
    },
  )

const totalLength = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0)

/** Runs a part of a run; an error ends the run. */
async function withFailureRecording<T>(run: SqlRun, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await recordFailure(run, error, run.handle.signal.aborted)
    throw error
  }
}

/** Records why a run failed. The error is reported even if the history cannot be written. */
const recordFailure = ({ deps, record }: SqlRun, error: unknown, wasStopped: boolean): Promise<void> =>
  record.fail(error, wasStopped).catch((cause: unknown) => {
    deps.log.error({ err: cause }, 'could not record the end of a query')
  })

const answerFor = ({ database, principal }: SqlRun, row: QueryRow, header: RunHeader): ExecuteMetadata =>
  buildExecuteAnswer(row, header, database, principal)

const encodeAnswerHead = (answer: ExecuteMetadata): Buffer =>
  Buffer.from(encodeMessage({ type: 'answer', answer } satisfies ExecuteHead))

function errorMessage({ deps }: SqlRun, error: unknown): Uint8Array {
  if (!(error instanceof AppError)) deps.log.error({ err: error }, 'a query failed unexpectedly')
  const appError = toAppError(error)
  const translate = errorTranslator(deps.settings)
  return encodeMessage({
    type: 'error',
    error: toWire(appError.translate(translate)),
    errors: [typedError(appError, translate)],
  })
}
