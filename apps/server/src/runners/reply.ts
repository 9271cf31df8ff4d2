import { AppError, fromWire, message, type FromRunner, type RunHeader, type RunTotals } from '@parquetry/model'
import type { RunStream } from './runners.ts'

type JobMessage = Extract<FromRunner, { job: number }>

interface ReplyOptions {
  /** Maximum silence of the runner while a caller waits for it. */
  silenceMs: number
  onProgress?: ((statement: number, statementCount: number, rows: number) => void) | undefined
  /** The reader has consumed this many bytes, so the runner may send as many more. */
  taken(bytes: number): void
  /** The reader stopped before the end. */
  left(): void
  /** The runner was silent for too long. */
  silent(): void
}

/** Unexpected runner errors have the message of a library, which is for the log only. */
const redactRunnerError = (error: AppError): AppError =>
  error.code === 'internal' ? new AppError('internal', { cause: error }) : error

/**
 * The response of a runner to one job. It settles once, with the runner's last message or with an error of ours (`fail`); later
 * messages about the job are ignored.
 */
export class Reply {
  #options: ReplyOptions
  #answer = Promise.withResolvers<unknown>()
  #header = Promise.withResolvers<RunHeader>()
  #totals = Promise.withResolvers<RunTotals>()
  #chunks: Buffer[] = []
  #wake: (() => void) | null = null
  #end: { error: AppError | null } | null = null
  #settled = Promise.withResolvers<void>()
  #watch: NodeJS.Timeout | null = null

  constructor(options: ReplyOptions) {
    this.#options = options
    // Each is awaited by some callers only.
    for (const { promise } of [this.#answer, this.#header, this.#totals]) promise.catch(() => {})
    this.#listen()
  }

  /** Resolves, never with an error, when nothing more will come. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  /** The error, once the job has failed. */
  get failure(): AppError | null {
    return this.#end?.error ?? null
  }

  get answer(): Promise<unknown> {
    return this.#answer.promise
  }

  get header(): Promise<RunHeader> {
    return this.#header.promise
  }

  async stream(): Promise<RunStream> {
    return { header: await this.#header.promise, chunks: this.#read(), totals: this.#totals.promise }
  }

  receive(message: JobMessage, body: Buffer): void {
    if (this.#end) return
    if (message.type === 'header') this.#header.resolve(message.header as RunHeader)
    else if (message.type === 'bytes') this.#chunks.push(body)
    else if (message.type === 'progress')
      this.#options.onProgress?.(message.statement, message.statementCount, message.rows ?? 0)
    else if (message.type === 'answer') {
      this.#answer.resolve(message.answer)
      this.#finish(null)
    } else if (message.type === 'end') {
      if (message.totals) this.#totals.resolve(message.totals)
      this.#finish(null)
    } else this.#finish(redactRunnerError(fromWire(message.error)))
    this.#wake?.()
    this.#listen()
  }

  fail(error: AppError): void {
    if (this.#end) return
    this.#finish(error)
    this.#wake?.()
  }

  #finish(error: AppError | null): void {
    this.#end = { error }
    if (this.#watch) clearTimeout(this.#watch)
    const unanswered =
      error ??
      new AppError('internal', {
        message: message('errors.runners.unexpectedReply', 'The runner sent an unexpected response.'),
      })
    this.#answer.reject(unanswered)
    this.#header.reject(unanswered)
    this.#totals.reject(unanswered)
    this.#settled.resolve()
  }

  /** The timer runs only while we wait for the runner, not while it waits for a slow reader. */
  #listen(): void {
    if (this.#watch) clearTimeout(this.#watch)
    this.#watch = null
    if (this.#end || this.#chunks.length > 0) return
    this.#watch = setTimeout(() => this.#options.silent(), this.#options.silenceMs)
  }

  async *#read(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift()
        if (chunk) {
          // A runner that has sent everything waits for no acknowledgement.
          if (!this.#end) this.#options.taken(chunk.length)
          this.#listen()
          yield chunk
        } else if (this.#end?.error) throw this.#end.error
        else if (this.#end) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      if (!this.#end) this.#options.left()
    }
  }
}
