import type { Duplex } from 'node:stream'

const headBytes = 8
/** A head is small JSON; a body is at most 1 MB. A length beyond this is not ours: the stream is out of step. */
const maxHead = 64 << 20
const maxBody = 64 << 20

/** Largest body that is sent at once: what a reader must hold, and what delays other jobs on the same socket. */
export const pieceBytes = 1 << 20

export interface ChannelHandlers<In> {
  message(head: In, body: Buffer): void
  /** Called once, when the other side is gone or the stream is out of step. */
  closed(error: Error | null): void
}

/**
 * Length-prefixed messages on a socket pair, the same code in server and runner: `u32` head length, `u32` body length
 * (little-endian), the head as JSON, the body's bytes as they are (`runner-protocol.ts`).
 *
 * A body is handed over without a copy where it came in one piece, so a reader that keeps it keeps its whole packet.
 */
export class Channel<In, Out> {
  #socket: Duplex
  #handlers: ChannelHandlers<In>
  #parts: Buffer[] = []
  #buffered = 0
  #heads: { head: number; body: number } | null = null
  #isClosed = false

  constructor(socket: Duplex, handlers: ChannelHandlers<In>) {
    this.#socket = socket
    this.#handlers = handlers
    socket.on('data', (data: Buffer) => this.#receive(data))
    socket.on('error', (error: Error) => this.#close(error))
    socket.on('end', () => this.#close(null))
    socket.on('close', () => this.#close(null))
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** @returns false when the socket's buffer is full: wait for `drained()` before sending more bodies */
  send(head: Out, body?: Uint8Array): boolean {
    if (this.#isClosed) return true
    const text = Buffer.from(JSON.stringify(head))
    const lengths = Buffer.allocUnsafe(headBytes)
    lengths.writeUInt32LE(text.length, 0)
    lengths.writeUInt32LE(body?.length ?? 0, 4)
    this.#socket.cork()
    this.#socket.write(lengths)
    let hasRoom = this.#socket.write(text)
    if (body?.length) hasRoom = this.#socket.write(body)
    this.#socket.uncork()
    return hasRoom
  }

  /** Settles when there is room again or the channel has closed. */
  drained(): Promise<void> {
    if (this.#isClosed || !this.#socket.writableNeedDrain) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        this.#socket.off('drain', done)
        this.#socket.off('close', done)
        resolve()
      }
      this.#socket.on('drain', done)
      this.#socket.on('close', done)
    })
  }

  close(): void {
    this.#socket.destroy()
    this.#close(null)
  }

  #close(error: Error | null): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#handlers.closed(error)
  }

  #receive(data: Buffer): void {
    this.#parts.push(data)
    this.#buffered += data.length
    for (;;) {
      if (this.#isClosed) return
      if (!this.#heads) {
        if (this.#buffered < headBytes) return
        const lengths = this.#take(headBytes)
        this.#heads = { head: lengths.readUInt32LE(0), body: lengths.readUInt32LE(4) }
        if (this.#heads.head > maxHead || this.#heads.body > maxBody) return this.#outOfStep('a length is out of range')
      }
      const { head, body } = this.#heads
      if (this.#buffered < head + body) return
      const text = this.#take(head)
      const bytes = this.#take(body)
      this.#heads = null
      let message: In
      try {
        message = JSON.parse(text.toString('utf8')) as In
      } catch {
        return this.#outOfStep('a head is not JSON')
      }
      this.#handlers.message(message, bytes)
    }
  }

  #outOfStep(reason: string): void {
    this.#close(new Error(`The channel is out of step: ${reason}.`))
    this.#socket.destroy()
  }

  #take(length: number): Buffer {
    if (length === 0) return Buffer.alloc(0)
    const first = this.#parts[0]!
    this.#buffered -= length
    if (first.length >= length) {
      if (first.length === length) this.#parts.shift()
      else this.#parts[0] = first.subarray(length)
      return first.subarray(0, length)
    }
    const whole = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const part = this.#parts[0]!
      const taken = part.copy(whole, filled, 0, length - filled)
      filled += taken
      if (taken === part.length) this.#parts.shift()
      else this.#parts[0] = part.subarray(taken)
    }
    return whole
  }
}
