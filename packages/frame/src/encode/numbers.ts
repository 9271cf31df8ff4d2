import type { BigintColumn, DecimalColumn } from '../frame.ts'
import { putAscii, putInteger, putPadded } from './digits.ts'
import type { Sink } from './sink.ts'

/**
 * Writes a double in the fewest digits that read back as the same value, whole numbers with `.0` (so that readers which
 * distinguish integers from floats see a float). The value must be finite.
 */
export function putDouble(bytes: Uint8Array, index: number, value: number): number {
  if (Math.trunc(value) === value && value < 1e15 && value > -1e15) {
    if (Object.is(value, -0)) bytes[index++] = 45
    return putPointZero(bytes, putInteger(bytes, index, value))
  }
  // Most values have few decimals. Only one text of at most 15 digits reads back as a given double, so this is the shortest.
  const scaled = Math.round(value * 1e4)
  if (scaled < 1e15 && scaled > -1e15 && scaled / 1e4 === value) return putScaled(bytes, index, scaled)
  const end = putAscii(bytes, index, String(value))
  // Whole numbers below 1e21 are printed without an exponent.
  return Math.trunc(value) === value && value < 1e21 && value > -1e21 ? putPointZero(bytes, end) : end
}

export function writeDouble(sink: Sink, value: number): void {
  sink.reserve()
  sink.at = putDouble(sink.bytes, sink.at, value)
}

function putPointZero(bytes: Uint8Array, index: number): number {
  bytes[index] = 46
  bytes[index + 1] = 48
  return index + 2
}

/** scaled / 10^4 without trailing zeros. */
function putScaled(bytes: Uint8Array, index: number, scaled: number): number {
  let positive = scaled
  if (scaled < 0) {
    bytes[index++] = 45
    positive = -scaled
  }
  const integerPart = Math.floor(positive / 1e4)
  let end = putInteger(bytes, index, integerPart)
  bytes[end++] = 46
  end = putPadded(bytes, end, positive - integerPart * 1e4, 4)
  while (bytes[end - 1] === 48) end--
  return end
}

/** Low and high halves of each 64-bit value, from which numbers are computed without BigInt. */
export function splitInt64({ data }: BigintColumn | DecimalColumn): { low: Uint32Array; high: Int32Array } {
  const { buffer, byteOffset, length } = data
  return { low: new Uint32Array(buffer, byteOffset, length * 2), high: new Int32Array(buffer, byteOffset, length * 2) }
}

/** The value of row `row` when it is a safe integer, else NaN. */
export function safeIntegerAt({ low, high }: ReturnType<typeof splitInt64>, row: number): number {
  const top = high[row * 2 + 1]!
  return top < 2_097_152 && top >= -2_097_152 ? top * 4_294_967_296 + low[row * 2]! : NaN
}

/** Writes a scaled integer with its decimal point and all digits: 150 at scale 2 is `1.50`. `power` is 10^scale. */
export function putDecimal(bytes: Uint8Array, index: number, value: number, scale: number, power: number): number {
  if (scale === 0) return putInteger(bytes, index, value)
  let rest = value
  if (rest < 0) {
    bytes[index++] = 45
    rest = -rest
  }
  const integerPart = Math.floor(rest / power)
  let end = putInteger(bytes, index, integerPart)
  bytes[end++] = 46
  let fraction = rest - integerPart * power
  let digits = scale
  if (digits > 9) {
    const high = Math.floor(fraction / 1e9)
    // A safe integer has 16 digits, so at most 9 are above these 9.
    for (; digits > 18; digits--) bytes[end++] = 48
    end = putPadded(bytes, end, high, digits - 9)
    fraction -= high * 1e9
    digits = 9
  }
  return putPadded(bytes, end, fraction, digits)
}
