import { type Bundle, bundleOf, documentOf, type PlacedDocument } from '@parquetry/bundle'
import { AppError, message, type ReaderTask } from '@parquetry/model'
import type { Line } from '../concurrency/line.ts'
import { Rests } from '../concurrency/rests.ts'
import { gather, linesFrom } from './gather.ts'
import { inTurn } from './lanes.ts'
import type { Pool } from './pool.ts'
import type { Runners } from './runners.ts'

/** Longest wait for a text that is read; the work it may make is limited by the process that reads it. */
const readMs = 120_000

/** The process that reads and writes what is costly and asks no database: bundles, long texts. */
export class Reader {
  readonly pool: Pool
  readonly #line: Line

  constructor(pool: Pool, line: Line) {
    this.pool = pool
    this.#line = line
  }

  async readBundle(path: string, signal: AbortSignal, person: string): Promise<Bundle> {
    const rests = new Rests()
    const documents: PlacedDocument[] = []
    for await (const line of linesFrom(this.#carryOut({ what: 'bundle', path }, person, signal))) {
      documents.push(documentOf(line))
      await rests.rest()
    }
    return bundleOf(documents)
  }

  async writeBundle(...[lines, root, signal, person]: Parameters<Runners['writeBundle']>): Promise<Buffer> {
    return Buffer.concat(await gather(this.#carryOut({ what: 'archive', root }, person, signal, lines)))
  }

  async formatSql(...[text, signal, person]: Parameters<Runners['formatSql']>): Promise<string> {
    return Buffer.concat(await gather(this.#carryOut({ what: 'sql', ...text }, person, signal))).toString('utf8')
  }

  async *#carryOut(task: ReaderTask, person: string, signal: AbortSignal, body?: Uint8Array): AsyncGenerator<Buffer> {
    try {
      const options = { signal, timeoutMs: readMs, body }
      const ask = () => this.pool.ask({ type: 'read', task }, options)
      const { reply } = await inTurn(this.#line, person, options, ask)
      yield* (await reply.stream()).chunks
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'runner_lost')
        throw error.retold({
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
