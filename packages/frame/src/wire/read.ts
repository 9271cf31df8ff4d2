import { padToEight, type WireFrame } from './format.ts'
import {
  invalidMessage,
  headLength,
  maxHeadBytes,
  parseHead,
  decodeFrame,
  type Message,
  type MessageHead,
} from './decode.ts'

export interface MessageReader {
  /**
   * Adds the next bytes of a stream and returns the messages that they complete. A message contained in one chunk is read in
   * place; a split one is joined once.
   * @throws AppError `invalid_payload` when the stream contains anything else; the reader is unusable afterwards
   */
  push(chunk: Uint8Array): Message[]
  /** True if an unfinished message is buffered: a stream that ends in this state was cut off. */
  readonly pending: boolean
}

/**
 * Reads messages from a byte stream that may be split anywhere.
 * @param maxBytes  maximum size of a message; larger ones are rejected as soon as their head is read
 */
export function createMessageReader({ maxBytes = 256 << 20 }: { maxBytes?: number } = {}): MessageReader {
  const buffered = new Held()
  let current: { head: MessageHead; wire: WireFrame | null; length: number; body: number } | null = null

  function next(): Message | null {
    if (!current) {
      if (buffered.length < 4) return null
      const end = 4 + headLength(buffered.peek(4))
      if (buffered.length < end) return null
      const parsed = parseHead(buffered.peek(end))
      if (parsed.length > maxBytes) throw invalidMessage('message is too long')
      current = { ...parsed, body: padToEight(end) }
    }
    if (buffered.length < current.length) return null
    const { head, wire, length, body } = current
    current = null
    const bytes = buffered.take(length)
    return { head, frame: wire && decodeFrame(wire, bytes.subarray(body)) }
  }

  return {
    push(chunk) {
      buffered.add(chunk)
      const messages: Message[] = []
      for (let message = next(); message; message = next()) messages.push(message)
      if (buffered.length > maxBytes + maxHeadBytes) throw invalidMessage('message is too long')
      return messages
    },
    get pending() {
      return buffered.length > 0
    },
  }
}

/** Chunks that are not read yet. */
class Held {
  length = 0
  #chunks: Uint8Array[] = []

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.length += chunk.length
  }

  /** First bytes, copied only when they span several chunks. */
  peek(length: number): Uint8Array {
    const [first] = this.#chunks
    if (first && first.length >= length) return first.subarray(0, length)
    const joined = new Uint8Array(length)
    let at = 0
    for (const chunk of this.#chunks) {
      joined.set(chunk.subarray(0, length - at), at)
      at += chunk.length
      if (at >= length) break
    }
    return joined
  }

  take(length: number): Uint8Array {
    const bytes = this.peek(length)
    this.length -= length
    let left = length
    while (left > 0) {
      const first = this.#chunks[0]!
      if (first.length > left) {
        this.#chunks[0] = first.subarray(left)
        break
      }
      left -= first.length
      this.#chunks.shift()
    }
    return bytes
  }
}
