import { utf8 } from '../utf8.ts'
import { putInteger } from './digits.ts'
import type { CheckBytes } from './encoder.ts'

/** Maximum size of the pieces that leave an encoder; a runner sends at most 1 MB at a time. */
const pieceBytes = 256 << 10
/** Size of the first piece; each is four times as long as the one before. Most results are short, and memory is cleared first. */
const firstPieceBytes = 4 << 10
const noBytes = new Uint8Array(0)
/** Number of bytes that `reserve` guarantees. */
export const maxReservedBytes = 512

/**
 * Byte buffer that hands out its content in pieces. Writers call `reserve()` before writing at most `maxReservedBytes` bytes, write to
 * `bytes` from `at` and advance `at`.
 */
export class Sink {
  bytes = new Uint8Array(firstPieceBytes)
  at = 0
  #nextPieceBytes = firstPieceBytes * 4
  #pieces: Uint8Array[] = []
  #bytes = 0
  readonly #check: CheckBytes

  constructor(check: CheckBytes = () => {}) {
    this.#check = check
  }

  reserve(): void {
    if (this.at + maxReservedBytes > this.bytes.length) this.#turn()
  }

  byte(value: number): void {
    this.reserve()
    this.bytes[this.at++] = value
  }

  /** Copies any number of bytes. */
  copy(from: Uint8Array, start = 0, end = from.length): void {
    const length = end - start
    if (length <= 64) {
      this.reserve()
      const { bytes } = this
      let { at } = this
      for (let next = start; next < end; next++) bytes[at++] = from[next]!
      this.at = at
      return
    }
    for (let next = start; next < end;) {
      const part = Math.min(end - next, this.bytes.length - this.at)
      this.bytes.set(from.subarray(next, next + part), this.at)
      this.at += part
      next += part
      if (this.at === this.bytes.length) this.#turn()
    }
  }

  /** Writes ASCII text. */
  ascii(text: string): void {
    if (text.length > maxReservedBytes) return this.copy(utf8.encode(text))
    this.reserve()
    for (let index = 0; index < text.length; index++) this.bytes[this.at++] = text.charCodeAt(index)
  }

  /** Writes a safe integer. */
  integer(value: number): void {
    this.reserve()
    this.at = putInteger(this.bytes, this.at, value)
  }

  /** Reserves `length` contiguous bytes, which the caller fills before collecting the pieces. */
  allocate(length: number): { bytes: Uint8Array; at: number } {
    if (length <= pieceBytes && this.at + length > this.bytes.length) this.#turn(length)
    if (length > pieceBytes) {
      this.#flush()
      this.#count(length)
      const bytes = new Uint8Array(length)
      for (let start = 0; start < length; start += pieceBytes)
        this.#pieces.push(bytes.subarray(start, start + pieceBytes))
      return { bytes, at: 0 }
    }
    const { bytes, at } = this
    this.at += length
    return { bytes, at }
  }

  /** Returns the full pieces; a partial piece is held back so that slow readers do not receive many small ones. */
  takeFull(): Uint8Array[] {
    const chunks = this.#pieces
    this.#pieces = []
    return chunks
  }

  /** Returns everything that remains. */
  takeAll(): Uint8Array[] {
    this.#flush()
    return this.takeFull()
  }

  /** Begins a piece of at least `needed` bytes. */
  #turn(needed = 0): void {
    this.#flush()
    this.bytes = new Uint8Array(Math.max(this.#nextPieceBytes, needed))
    this.#nextPieceBytes = Math.min(this.#nextPieceBytes * 4, pieceBytes)
  }

  /** Ends the piece; the next write begins another. */
  #flush(): void {
    if (this.at === 0) return
    this.#count(this.at)
    this.#pieces.push(this.bytes.subarray(0, this.at))
    this.bytes = noBytes
    this.at = 0
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    this.#check(this.#bytes)
  }
}
