import { rm } from 'node:fs/promises'
import type { ArchiveLimits, UnpackedEntry } from '@parquetry/bundle'
import { AppError, message, type ReaderTask } from '@parquetry/model'
import type { FairQueue } from '../concurrency/fair-queue.ts'
import { gather, linesFrom } from './gather.ts'
import { submitWhenFree } from './source-scheduler.ts'
import type { Pool } from './pool.ts'
import type { Runners } from './runners.ts'
import { UnpackedBundle } from './unpacked-bundle.ts'

/** Maximum wait for a text to be read; the process that reads it limits the work. */
const readMs = 120_000
/** An archive of the largest size takes a minute, and may wait for another one. */
const readBundleMs = 180_000
/** Writing YAML of the largest export takes several minutes. */
const writeBundleMs = 900_000
const timeLimits: Partial<Record<ReaderTask['what'], number>> = { bundle: readBundleMs, archive: writeBundleMs }
/** Number of progress messages of one archive. */
const progressSteps = 100

/** Runs costly work that needs no database in a separate process: bundles, long texts. */
export class Reader {
  readonly pool: Pool
  readonly #queue: FairQueue

  readonly #limits: ArchiveLimits

  constructor(pool: Pool, queue: FairQueue, limits: ArchiveLimits) {
    this.pool = pool
    this.#queue = queue
    this.#limits = limits
  }

  async readBundle(
    ...[path, signal, requester, onProgress]: Parameters<Runners['readBundle']>
  ): Promise<UnpackedBundle> {
    const output = `${path}.documents`
    const task: ReaderTask = { what: 'bundle', path, output, limits: this.#limits }
    const entries = new Map<string, UnpackedEntry>()
    let total: number | undefined
    try {
      for await (const line of linesFrom(this.#runTask(task, requester, signal))) {
        if (total === undefined) total = Number(line)
        else {
          const entry = JSON.parse(line) as UnpackedEntry
          entries.set(entry[0], entry)
        }
        const done = entries.size
        if (done % Math.ceil(total / progressSteps) === 0 || done === total)
          onProgress?.({ step: 'reading', done, total })
      }
      return await UnpackedBundle.open(output, entries)
    } catch (error) {
      await rm(output, { force: true })
      throw error
    }
  }

  async findBundleLine(
    ...[path, file, keys, signal, requester]: Parameters<Runners['findBundleLine']>
  ): Promise<number | undefined> {
    const task: ReaderTask = { what: 'line', path, file, keys }
    return Number(Buffer.concat(await gather(this.#runTask(task, requester, signal))).toString('utf8')) || undefined
  }

  async writeBundle(...[packed, entries, signal, requester]: Parameters<Runners['writeBundle']>): Promise<void> {
    const body = Buffer.from(JSON.stringify(entries))
    await gather(this.#runTask({ what: 'archive', ...packed }, requester, signal, body))
  }

  async formatSql(...[text, signal, requester]: Parameters<Runners['formatSql']>): Promise<string> {
    return Buffer.concat(await gather(this.#runTask({ what: 'sql', ...text }, requester, signal))).toString('utf8')
  }

  async *#runTask(task: ReaderTask, requester: string, signal: AbortSignal, body?: Uint8Array): AsyncGenerator<Buffer> {
    try {
      const timeoutMs = timeLimits[task.what] ?? readMs
      const options = { signal, timeoutMs, body }
      const submit = () => this.pool.submit({ type: 'read', task }, options)
      const { reply } = await submitWhenFree(this.#queue, requester, options, submit)
      yield* (await reply.stream()).chunks
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'runner_lost')
        throw error.wrap({
          message: message(
            'errors.runners.readerLost',
            'The process that was reading this ended unexpectedly. Try again.',
          ),
        })
      if (error.code === 'query_timeout')
        throw new AppError('unavailable', {
          message: message('errors.runners.readerBusy', 'The server was too busy to read this. Try again.'),
          cause: error,
        })
      throw error
    }
  }
}
