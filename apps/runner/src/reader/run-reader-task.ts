import { Worker } from 'node:worker_threads'
import type { ReaderTask } from '@parquetry/model'
import { AppError, fromWire, type WireError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Job } from '../job.ts'

/** Messages of the thread, which ends after the last one. */
export type ThreadMessage =
  | { bytes: Uint8Array }
  | { error: WireError }
  /** Sent before the work: an archive may take time for each byte that it unpacks to. */
  | { unpackedBytes: number }
  /** Sent before documents of this size are packed. */
  | { writtenBytes: number }

/** In CPU time, since the load of the machine does not depend on the text. */
const maxWorkMs = 15_000
/** Five times what an archive of plain texts takes. */
const workMsPerMb = 350
/** Writing YAML takes longer: five times what objects of usual size take. */
const writeMsPerMb = 4000
const checkIntervalMs = 100
const maxMemoryMb = 512

const bundleTooLarge = (cause?: unknown): AppError =>
  new AppError('unprocessable', {
    message: message(
      'errors.runner.bundleTooLarge',
      'Reading the archive takes more time or memory than allowed. Split it into smaller archives.',
    ),
    cause,
  })

const limitErrors: Record<ReaderTask['what'], (cause?: unknown) => AppError> = {
  bundle: bundleTooLarge,
  line: bundleTooLarge,
  archive: (cause) =>
    new AppError('unprocessable', {
      message: message(
        'errors.runner.exportTooLarge',
        'Writing the archive takes more time or memory than allowed. Export fewer objects at once.',
      ),
      cause,
    }),
  sql: (cause) =>
    new AppError('bad_request', {
      message: message('errors.runner.sqlTooLongToFormat', 'The SQL is too long to format.'),
      cause,
    }),
}

/**
 * Runs a task in its own thread, which is terminated if it uses too much time or memory, and sends the bytes that it produces.
 * @throws AppError of the task; `unprocessable` or `bad_request` if it uses too much
 */
export async function runReaderTask(task: ReaderTask, body: Uint8Array, job: Job): Promise<void> {
  let workMs = ('workMs' in task && task.workMs) || maxWorkMs
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { task, body },
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  })
  const over = Promise.withResolvers<void>()
  let sending: Promise<unknown> = Promise.resolve()
  worker.on('message', (threadMessage: ThreadMessage) => {
    if ('error' in threadMessage) over.reject(fromWire(threadMessage.error))
    else if ('unpackedBytes' in threadMessage) workMs += (threadMessage.unpackedBytes / 2 ** 20) * workMsPerMb
    else if ('writtenBytes' in threadMessage) workMs += (threadMessage.writtenBytes / 2 ** 20) * writeMsPerMb
    else {
      sending = sending.then(() => job.sendBytes(threadMessage.bytes))
      sending.catch(() => {})
    }
  })
  worker.once('error', (error: NodeJS.ErrnoException) =>
    over.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? limitErrors[task.what](error) : error),
  )
  worker.once('exit', () => over.resolve())
  const stop = () => over.reject(job.signal.reason as Error)
  job.signal.addEventListener('abort', stop, { once: true })
  const watch = setInterval(() => {
    // A thread that has just ended has reported its result.
    worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1000 > workMs && over.reject(limitErrors[task.what]()),
      () => {},
    )
  }, checkIntervalMs)
  try {
    job.signal.throwIfAborted()
    job.send({ type: 'header', header: {} })
    await over.promise
    await sending
    job.send({ type: 'end' })
  } finally {
    clearInterval(watch)
    job.signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
