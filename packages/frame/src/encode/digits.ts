// Each function writes at `at` of `bytes`, where there must be enough space, and returns the position after the last byte
// written.

const pairs = Uint8Array.from(
  { length: 200 },
  (_, index) => 48 + (index & 1 ? (index >> 1) % 10 : Math.floor((index >> 1) / 10)),
)

/** Maximum number of bytes of a number, time or boolean. */
export const maxValueBytes = 64

export function putAscii(bytes: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index)
  return at + text.length
}

/** Writes a number below 100 as two digits. */
export function putTwo(bytes: Uint8Array, index: number, value: number): number {
  bytes[index] = pairs[value << 1]!
  bytes[index + 1] = pairs[(value << 1) + 1]!
  return index + 2
}

/** Writes a number below 10^9 as exactly `width` digits. */
export function putPadded(bytes: Uint8Array, index: number, value: number, width: number): number {
  let rest = value | 0
  let end = index + width
  while (end - 2 >= index) {
    const hundred = (rest / 100) | 0
    end -= 2
    putTwo(bytes, end, rest - hundred * 100)
    rest = hundred
  }
  if (end > index) bytes[index] = 48 + (rest % 10)
  return index + width
}

/** Writes a safe integer. */
export function putInteger(bytes: Uint8Array, index: number, value: number): number {
  let rest = value
  if (rest < 0) {
    bytes[index++] = 45
    rest = -rest
  }
  if (rest < 1e9) return putPadded(bytes, index, rest, countDigits(rest))
  const high = Math.floor(rest / 1e9)
  return putPadded(bytes, putInteger(bytes, index, high), rest - high * 1e9, 9)
}

function countDigits(value: number): number {
  if (value < 10) return 1
  if (value < 100) return 2
  if (value < 1000) return 3
  if (value < 10_000) return 4
  if (value < 100_000) return 5
  if (value < 1_000_000) return 6
  if (value < 10_000_000) return 7
  return value < 100_000_000 ? 8 : 9
}
