import { type Bundle, toBundle, parseEntry, type BundleEntry } from '@parquetry/bundle'
import { AppError, message, type ReaderTask } from '@parquetry/model'
import type { FairQueue } from '../concurrency/fair-queue.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { gather, linesFrom } from './gather.ts'
import { submitWhenFree } from './source-scheduler.ts'
import type { Pool } from './pool.ts'
import type { Runners } from './runners.ts'

/** Maximum wait for a text to be read; the process that reads it limits the work. */
const readMs = 120_000

/** Runs costly work that needs no database in a separate process: bundles, long texts. */
export class Reader {
  readonly pool: Pool
  readonly #queue: FairQueue

  constructor(pool: Pool, queue: FairQueue) {
    this.pool = pool
    this.#queue = queue
  }

  async readBundle(path: string, signal: AbortSignal, requester: string): Promise<Bundle> {
    const yielder = new EventLoopYielder()
    const documents: BundleEntry[] = []
    for await (const line of linesFrom(this.#runTask({ what: 'bundle', path }, requester, signal))) {
      documents.push(parseEntry(line))
      await yielder.yieldIfDue()
    }
    return toBundle(documents)
  }

  async writeBundle(...[lines, root, signal, requester]: Parameters<Runners['writeBundle']>): Promise<Buffer> {
    return Buffer.concat(await gather(this.#runTask({ what: 'archive', root }, requester, signal, lines)))
  }

  async formatSql(...[text, signal, requester]: Parameters<Runners['formatSql']>): Promise<string> {
    return Buffer.concat(await gather(this.#runTask({ what: 'sql', ...text }, requester, signal))).toString('utf8')
  }

  async *#runTask(task: ReaderTask, requester: string, signal: AbortSignal, body?: Uint8Array): AsyncGenerator<Buffer> {
    try {
      const options = { signal, timeoutMs: readMs, body }
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
