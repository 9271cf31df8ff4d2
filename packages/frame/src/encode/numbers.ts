import type { BigintColumn, DecimalColumn } from '../frame.ts'
import type { Sink } from './sink.ts'

/**
 * A double in the fewest digits that read back as itself, whole numbers with `.0` (a reader that tells integers from floats
 * sees a float). NaN and infinities must be kept out.
 */
export function writeDouble(sink: Sink, value: number): void {
  if (Math.trunc(value) === value && value < 1e15 && value > -1e15) {
    if (Object.is(value, -0)) sink.byte(45)
    sink.integer(value)
    writePointZero(sink)
    return
  }
  // Most values have few decimals. At most 15 digits are the only such text that reads back as this double.
  const scaled = Math.round(value * 1e4)
  if (scaled < 1e15 && scaled > -1e15 && scaled / 1e4 === value) {
    writeScaled(sink, scaled, 4)
    return
  }
  sink.ascii(String(value))
  // Up to 1e21 whole numbers are printed without an exponent.
  if (Math.trunc(value) === value && value < 1e21 && value > -1e21) writePointZero(sink)
}

function writePointZero(sink: Sink): void {
  sink.room()
  sink.bytes[sink.at++] = 46
  sink.bytes[sink.at++] = 48
}

/** scaled / 10^4 without trailing zeros. */
function writeScaled(sink: Sink, scaled: number, places: number): void {
  sink.room()
  let positive = scaled
  if (scaled < 0) {
    sink.bytes[sink.at++] = 45
    positive = -scaled
  }
  const whole = Math.floor(positive / 1e4)
  sink.integer(whole)
  sink.bytes[sink.at++] = 46
  sink.padded(positive - whole * 1e4, places)
  while (sink.bytes[sink.at - 1] === 48) sink.at--
}

/** The two halves of each 64-bit value: numbers are made from them without a BigInt. */
export function halvesOf({ data }: BigintColumn | DecimalColumn): { low: Uint32Array; high: Int32Array } {
  const { buffer, byteOffset, length } = data
  return { low: new Uint32Array(buffer, byteOffset, length * 2), high: new Int32Array(buffer, byteOffset, length * 2) }
}

/** The value of row `row` when it is a safe integer, else NaN. */
export function safeAt({ low, high }: ReturnType<typeof halvesOf>, row: number): number {
  const top = high[row * 2 + 1]!
  return top < 2_097_152 && top >= -2_097_152 ? top * 4_294_967_296 + low[row * 2]! : NaN
}

/** A scaled integer with its point, all digits: 150 at scale 2 is `1.50`. */
export function writeDecimal(sink: Sink, value: number, scale: number, power: number): void {
  sink.room()
  let rest = value
  if (rest < 0) {
    sink.bytes[sink.at++] = 45
    rest = -rest
  }
  const whole = Math.floor(rest / power)
  sink.integer(whole)
  sink.bytes[sink.at++] = 46
  let fraction = rest - whole * power
  let places = scale
  if (places > 9) {
    const high = Math.floor(fraction / 1e9)
    // A safe integer has 16 digits: at most 9 stand above these 9.
    for (; places > 18; places--) sink.bytes[sink.at++] = 48
    sink.padded(high, places - 9)
    fraction -= high * 1e9
    places = 9
  }
  sink.padded(fraction, places)
}
