import type { Duplex } from 'node:stream'
import { AppError } from '@parquetry/model/errors'

export { readRecords, encodeRecordHead } from './records.ts'

const headBytes = 8
/**
 * A head is small JSON; a body is at most 1 MB, or the results from which an image is drawn. A larger length means that the
 * stream is out of sync.
 */
const maxHeadBytes = 64 << 20
export const maxBodyBytes = 64 << 20

/** Largest body sent in one piece. It bounds the memory of a reader and the delay of other jobs on the same socket. */
export const maxChunkBytes = 1 << 20

export interface ChannelHandlers<In> {
  /** @param body  in its own memory, which the receiver may keep or release */
  message(head: In, body: Buffer): void
  /** Called once, when the other side has closed or the stream is out of sync. */
  closed(error: Error | null): void
}

/**
 * Length-prefixed messages on a socket pair, used by server and runner: `u32` head length, `u32` body length (little-endian), the
 * head as JSON, then the raw bytes of the body (`runner-protocol.ts`).
 */
export class Channel<In, Out> {
  #socket: Duplex
  #handlers: ChannelHandlers<In>
  #packets: Buffer[] = []
  /** Bytes of the first packet that have been consumed. */
  #taken = 0
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

  /**
   * @param parts  the body, in one or more parts
   * @returns false when the socket's buffer is full: wait for `drained()` before sending more bodies
   * @throws AppError `result_too_large` for a message that the other side would refuse, closing the channel of all jobs
   */
  send(head: Out, ...parts: readonly Uint8Array[]): boolean {
    if (this.#isClosed) return true
    const text = Buffer.from(JSON.stringify(head))
    const bodyBytes = parts.reduce((sum, { length }) => sum + length, 0)
    if (text.length > maxHeadBytes || bodyBytes > maxBodyBytes) throw new AppError('result_too_large')
    const lengths = Buffer.allocUnsafe(headBytes)
    lengths.writeUInt32LE(text.length, 0)
    lengths.writeUInt32LE(bodyBytes, 4)
    this.#socket.cork()
    this.#socket.write(lengths)
    let hasRoom = this.#socket.write(text)
    for (const part of parts) if (part.length > 0) hasRoom = this.#socket.write(part)
    this.#socket.uncork()
    return hasRoom
  }

  /** Writes all messages that `send` sends at once: each write wakes the other process. */
  sendTogether(send: () => void): void {
    this.#socket.cork()
    try {
      send()
    } finally {
      this.#socket.uncork()
    }
  }

  /** Settles when the socket's buffer has drained or the channel has closed. */
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
    this.#packets.push(data)
    this.#buffered += data.length
    for (;;) {
      if (this.#isClosed) return
      if (!this.#heads) {
        if (this.#buffered < headBytes) return
        const lengths = this.#take(Buffer.allocUnsafe(headBytes))
        this.#heads = { head: lengths.readUInt32LE(0), body: lengths.readUInt32LE(4) }
        if (this.#heads.head > maxHeadBytes || this.#heads.body > maxBodyBytes)
          return this.#outOfStep('a length is out of range')
      }
      const { head, body } = this.#heads
      if (this.#buffered < head + body) return
      const text = this.#take(Buffer.allocUnsafe(head))
      const bytes = this.#take(Buffer.allocUnsafeSlow(body))
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
    this.#close(new Error(`The channel is out of sync: ${reason}.`))
    this.#socket.destroy()
  }

  #take(into: Buffer): Buffer {
    this.#buffered -= into.length
    for (let filled = 0; filled < into.length;) {
      const packet = this.#packets[0]!
      const copied = packet.copy(into, filled, this.#taken)
      filled += copied
      this.#taken += copied
      if (this.#taken < packet.length) continue
      this.#packets.shift()
      this.#taken = 0
      releaseBuffer(packet)
    }
    return into
  }
}

/**
 * Releases the memory of bytes immediately; they must not be read afterwards. Megabytes that wait for the garbage collector make
 * it scan the whole heap several times a second. Bytes that share their memory are left alone.
 */
export function releaseBuffer({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && length === buffer.byteLength) buffer.transfer(0)
}
