import { AppError } from '@parquetry/model'
import { formatSql } from '@parquetry/sql'
import { Worker } from 'node:worker_threads'
import { Semaphore } from '../runners/semaphore.ts'

/** Shorter texts are done in a few milliseconds; ten thousand lines would hold up everybody else for half a second. */
const shortLength = 10_000

/** Of work: how busy the machine is says nothing about the text. */
const mostWorkMs = 15_000
const lookEveryMs = 500
const longestMs = 120_000
const workers = new Semaphore(2)

/** @throws AppError `bad_request` for a text that takes too long */
export async function formatText(
  sql: string,
  dialect: string | null,
  signal: AbortSignal,
  workMs = mostWorkMs,
): Promise<string> {
  if (sql.length <= shortLength) return formatSql(sql, dialect)
  const leave = await workers.take(signal)
  try {
    return await inWorker(sql, dialect, AbortSignal.any([signal, AbortSignal.timeout(longestMs)]), workMs)
  } finally {
    leave()
  }
}

async function inWorker(sql: string, dialect: string | null, signal: AbortSignal, workMs: number): Promise<string> {
  const worker = new Worker(new URL('./format-worker.ts', import.meta.url), {
    workerData: { sql, dialect },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const tooLong = (cause?: unknown) =>
    reject(new AppError('bad_request', { message: 'The text is too long to be formatted.', cause }))
  worker.once('message', resolve)
  worker.once('error', tooLong)
  worker.once('exit', () => tooLong())
  signal.addEventListener('abort', () => tooLong(signal.reason), { once: true })
  const watch = setInterval(() => {
    // One that has just ended has told its result.
    worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1000 > workMs && tooLong(),
      () => {},
    )
  }, lookEveryMs)
  try {
    return await promise
  } finally {
    clearInterval(watch)
    await worker.terminate()
  }
}
