import type { Channel } from '@parquetry/engines/channel'
import { pieceBytes } from '@parquetry/engines/channel'
import type { FromRunner } from '@parquetry/model'
import { AppError, toWire } from '@parquetry/model/errors'
import { windowBytes } from '@parquetry/model/runner-protocol'
import type { ToRunner } from '@parquetry/model'

type Sent = { [T in FromRunner['type']]: Omit<Extract<FromRunner, { type: T }>, 'job'> }[FromRunner['type']]

/** Longest stretch of work without looking at the socket: what a cancel waits for. */
const stretchMs = 8

/** One request of the server, from its message to its last answer. */
export class Job {
  readonly id: number
  #channel: Channel<ToRunner, FromRunner>
  #controller = new AbortController()
  #onTheirWay = 0
  #resume: (() => void) | null = null
  #rested = performance.now()
  #timer: NodeJS.Timeout | null = null
  #beats: NodeJS.Timeout | null = null

  constructor(id: number, channel: Channel<ToRunner, FromRunner>) {
    this.id = id
    this.#channel = channel
  }

  /** Aborted with the AppError that the job ends in. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  cancel(reason: 'query_stopped' | 'query_timeout' = 'query_stopped'): void {
    this.#controller.abort(new AppError(reason))
    this.#resume?.()
  }

  /** Cancels the job when it takes longer; the engine's own limit, where it has one, comes first. */
  limit(timeoutMs: number): void {
    this.#timer ??= setTimeout(() => this.cancel('query_timeout'), timeoutMs)
  }

  /** Where the work is, for `beat`. */
  at: { statement: number; of: number; rows: number } = { statement: 1, of: 1, rows: 0 }

  /** Says now and then how far the work is, as long as nobody has ended it: silence means that this process hangs. */
  beat(everyMs: number): void {
    this.#beats ??= setInterval(() => {
      if (!this.signal.aborted) this.send({ type: 'progress', ...this.at })
    }, everyMs)
  }

  send(message: Sent): void {
    this.#channel.send({ ...message, job: this.id } as FromRunner)
  }

  fail(error: unknown): void {
    const cause = this.signal.aborted ? this.signal.reason : error
    if (!(cause instanceof AppError)) process.stderr.write(`${JSON.stringify(describeBug(cause))}\n`)
    this.send({ type: 'error', error: toWire(cause) })
  }

  /** Sends bytes in pieces, waiting while too many are on their way. @throws the reason when the job is cancelled */
  async bytes(all: Uint8Array): Promise<void> {
    for (let start = 0; start < all.length; start += pieceBytes) {
      const piece = all.subarray(start, start + pieceBytes)
      while (this.#onTheirWay >= windowBytes) {
        this.signal.throwIfAborted()
        await new Promise<void>((resolve) => (this.#resume = resolve))
      }
      this.signal.throwIfAborted()
      this.#onTheirWay += piece.length
      const hasRoom = this.#channel.send({ type: 'bytes', job: this.id }, piece)
      if (!hasRoom) await this.#channel.drained()
    }
  }

  taken(bytes: number): void {
    this.#onTheirWay -= bytes
    this.#resume?.()
  }

  /** Gives the loop back now and then, so that messages are read during long work. @throws the reason of a cancel */
  async rest(): Promise<void> {
    if (performance.now() - this.#rested > stretchMs) {
      await new Promise((resolve) => setImmediate(resolve))
      this.#rested = performance.now()
    }
    this.signal.throwIfAborted()
  }

  end(): void {
    if (this.#beats) clearInterval(this.#beats)
    if (this.#timer) clearTimeout(this.#timer)
  }
}

const describeBug = (error: unknown) => ({
  level: 50,
  msg: 'a runner met an unexpected error',
  error: error instanceof Error ? (error.stack ?? error.message) : String(error),
})
