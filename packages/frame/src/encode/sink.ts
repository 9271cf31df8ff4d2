/** Size of the pieces that leave an encoder; a runner sends at most 1 MB at once. */
const pieceBytes = 256 << 10
/** Room that `room` may be asked for at most. */
export const roomBytes = 512

const digits = Uint8Array.from({ length: 200 }, (_, at) => 48 + (at & 1 ? (at >> 1) % 10 : Math.floor((at >> 1) / 10)))

/**
 * Bytes written one after the other and given away in pieces. Writers call `room()` before at most `roomBytes` bytes, write
 * to `bytes` from `at` and move `at`.
 */
export class Sink {
  bytes = new Uint8Array(pieceBytes)
  at = 0
  #pieces: Uint8Array[] = []

  room(): void {
    if (this.at + roomBytes > pieceBytes) this.#turn()
  }

  byte(value: number): void {
    this.room()
    this.bytes[this.at++] = value
  }

  /** Of any length. */
  copy(from: Uint8Array, start = 0, end = from.length): void {
    const length = end - start
    if (length <= 64) {
      this.room()
      const { bytes } = this
      let { at } = this
      for (let next = start; next < end; next++) bytes[at++] = from[next]!
      this.at = at
      return
    }
    for (let next = start; next < end;) {
      const part = Math.min(end - next, pieceBytes - this.at)
      this.bytes.set(from.subarray(next, next + part), this.at)
      this.at += part
      next += part
      if (this.at === pieceBytes) this.#turn()
    }
  }

  /** ASCII text of at most `roomBytes` characters. */
  ascii(text: string): void {
    this.room()
    for (let index = 0; index < text.length; index++) this.bytes[this.at++] = text.charCodeAt(index)
  }

  /** A safe integer, digit by digit. */
  integer(value: number): void {
    this.room()
    const { bytes } = this
    let rest = value
    if (rest < 0) {
      bytes[this.at++] = 45
      rest = -rest
    }
    if (rest >= 1e9) {
      const high = Math.floor(rest / 1e9)
      this.integer(high)
      this.padded(rest - high * 1e9, 9)
      return
    }
    this.padded(rest, widthOf(rest))
  }

  /** Exactly `width` digits of a number below 10^9. */
  padded(value: number, width: number): void {
    const { bytes } = this
    let rest = value
    let end = this.at + width
    this.at = end
    while (end - 2 >= this.at - width) {
      const hundred = (rest / 100) | 0
      const pair = (rest - hundred * 100) << 1
      bytes[--end] = digits[pair + 1]!
      bytes[--end] = digits[pair]!
      rest = hundred
    }
    if (end > this.at - width) bytes[end - 1] = 48 + (rest % 10)
  }

  /** Full pieces, so that a slow reader is not swamped by small ones. */
  full(): Uint8Array[] {
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }

  /** All that is left. */
  rest(): Uint8Array[] {
    if (this.at > 0) this.#turn()
    return this.full()
  }

  #turn(): void {
    this.#pieces.push(this.bytes.subarray(0, this.at))
    this.bytes = new Uint8Array(pieceBytes)
    this.at = 0
  }
}

function widthOf(value: number): number {
  if (value < 10) return 1
  if (value < 100) return 2
  if (value < 1000) return 3
  if (value < 10_000) return 4
  if (value < 100_000) return 5
  if (value < 1_000_000) return 6
  if (value < 10_000_000) return 7
  return value < 100_000_000 ? 8 : 9
}
