import type { Channel } from '@parquetry/engines/channel'
import { maxChunkBytes } from '@parquetry/engines/channel'
import type { FromRunner, RunHeader, RunTotals } from '@parquetry/model'
import { AppError, toWire } from '@parquetry/model/errors'
import { windowBytes } from '@parquetry/model/runner-protocol'
import type { ToRunner } from '@parquetry/model'

type OutgoingMessage = { [T in FromRunner['type']]: Omit<Extract<FromRunner, { type: T }>, 'job'> }[FromRunner['type']]

/** Longest work in milliseconds without reading the socket, which delays a cancel. */
const yieldIntervalMs = 8

/** One request of the server, from its message to its last response. */
export class Job {
  readonly id: number
  #channel: Channel<ToRunner, FromRunner>
  #controller = new AbortController()
  #unacknowledgedBytes = 0
  #resume: (() => void) | null = null
  #yieldedAt = performance.now()
  #timer: NodeJS.Timeout | null = null
  #heartbeat: NodeJS.Timeout | null = null

  constructor(id: number, channel: Channel<ToRunner, FromRunner>) {
    this.id = id
    this.#channel = channel
  }

  /** Aborted with the AppError that the job ends with. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  cancel(reason: 'query_stopped' | 'query_timeout' = 'query_stopped'): void {
    this.#controller.abort(new AppError(reason))
    this.#resume?.()
  }

  /** Cancels the job if it takes longer; the limit of the engine, if any, comes first. */
  setTimeLimit(timeoutMs: number): void {
    this.#timer ??= setTimeout(() => this.cancel('query_timeout'), timeoutMs)
  }

  /** Progress of the work, for `startHeartbeat`. */
  progress: { statement: number; statementCount: number; rows: number } = { statement: 1, statementCount: 1, rows: 0 }

  /** Reports the progress regularly until the job is canceled: silence means that this process hangs. */
  startHeartbeat(everyMs: number): void {
    this.#heartbeat ??= setInterval(() => {
      if (!this.signal.aborted) this.send({ type: 'progress', ...this.progress })
    }, everyMs)
  }

  send(message: OutgoingMessage): void {
    this.#channel.send({ ...message, job: this.id } as FromRunner)
  }

  fail(error: unknown): void {
    const cause = this.signal.aborted ? this.signal.reason : error
    if (!(cause instanceof AppError)) process.stderr.write(`${JSON.stringify(formatBug(cause))}\n`)
    this.send({ type: 'error', error: toWire(cause) })
  }

  /** Sends bytes in pieces, waiting while too many are unacknowledged. @throws the reason when the job is canceled */
  async sendBytes(all: Uint8Array): Promise<void> {
    for (let start = 0; start < all.length; start += maxChunkBytes)
      await this.#sendChunk([all.subarray(start, start + maxChunkBytes)])
  }

  /**
   * Sends a whole response, with a short one in a single write.
   * @throws the reason when the job is canceled
   */
  async sendResponse(header: RunHeader, pieces: readonly Uint8Array[], totals: RunTotals): Promise<void> {
    const chunks = groupPieces(pieces)
    if (chunks.length > 1) {
      this.send({ type: 'header', header })
      for (const chunk of chunks) await this.#sendChunk(chunk)
      return this.send({ type: 'end', totals })
    }
    this.signal.throwIfAborted()
    this.#channel.sendTogether(() => {
      this.send({ type: 'header', header })
      for (const parts of chunks) this.#channel.send({ type: 'bytes', job: this.id }, ...parts)
      this.send({ type: 'end', totals })
    })
  }

  async #sendChunk(parts: readonly Uint8Array[]): Promise<void> {
    while (this.#unacknowledgedBytes >= windowBytes) {
      this.signal.throwIfAborted()
      await new Promise<void>((resolve) => (this.#resume = resolve))
    }
    this.signal.throwIfAborted()
    this.#unacknowledgedBytes += countBytes(parts)
    const hasRoom = this.#channel.send({ type: 'bytes', job: this.id }, ...parts)
    if (!hasRoom) await this.#channel.drained()
  }

  acknowledge(bytes: number): void {
    this.#unacknowledgedBytes -= bytes
    this.#resume?.()
  }

  /** Yields to the event loop regularly, so that messages are read during long work. @throws the reason of a cancel */
  async yieldToEventLoop(): Promise<void> {
    if (performance.now() - this.#yieldedAt > yieldIntervalMs) {
      await new Promise((resolve) => setImmediate(resolve))
      this.#yieldedAt = performance.now()
    }
    this.signal.throwIfAborted()
  }

  end(): void {
    if (this.#heartbeat) clearInterval(this.#heartbeat)
    if (this.#timer) clearTimeout(this.#timer)
  }
}

const countBytes = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)

/** Groups pieces into chunks of at most `maxChunkBytes`; a longer piece is split. */
function groupPieces(pieces: readonly Uint8Array[]): Uint8Array[][] {
  const chunks: Uint8Array[][] = []
  let room = 0
  for (const piece of pieces)
    for (let start = 0; start < piece.length; start += maxChunkBytes) {
      const part = piece.subarray(start, start + maxChunkBytes)
      if (part.length > room) {
        chunks.push([])
        room = maxChunkBytes
      }
      chunks.at(-1)!.push(part)
      room -= part.length
    }
  return chunks
}

const formatBug = (error: unknown) => ({
  level: 50,
  msg: 'a runner met an unexpected error',
  error: error instanceof Error ? (error.stack ?? error.message) : String(error),
})
