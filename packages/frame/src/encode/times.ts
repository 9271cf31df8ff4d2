import { toCivilDate, splitTime } from '../calendar.ts'
import { putAscii, putInteger, putPadded, putTwo } from './digits.ts'
import type { Sink } from './sink.ts'

/** Last day written, cached because rows are usually ordered by time. */
let last = toCivilDate(0)
let lastDay = 0

/** `YYYY-MM-DD`. */
export function putDate(bytes: Uint8Array, at: number, day: number): number {
  if (day !== lastDay) {
    last = toCivilDate(day)
    lastDay = day
  }
  const [year, month, dayOfMonth] = last
  if (year < 0) bytes[at++] = 45
  const years = Math.abs(year)
  let end = years < 10_000 ? putPadded(bytes, at, years, 4) : putInteger(bytes, at, years)
  bytes[end++] = 45
  end = putTwo(bytes, end, month)
  bytes[end++] = 45
  return putTwo(bytes, end, dayOfMonth)
}

/** `HH:MM:SS`, followed by six fractional digits when `withMicros`. */
export function putClock(bytes: Uint8Array, at: number, micros: number, withMicros: boolean): number {
  const seconds = Math.floor(micros / 1e6)
  const minutes = (seconds / 60) | 0
  const hours = (minutes / 60) | 0
  putTwo(bytes, at, hours)
  bytes[at + 2] = 58
  putTwo(bytes, at + 3, minutes - hours * 60)
  bytes[at + 5] = 58
  putTwo(bytes, at + 6, seconds - minutes * 60)
  if (!withMicros) return at + 8
  bytes[at + 8] = 46
  return putPadded(bytes, at + 9, micros - seconds * 1e6, 6)
}

/** Writes the same text as `formatTime`. */
export function writeIso(sink: Sink, ms: number, unit: 'date' | 'datetime' | 'zoned'): void {
  sink.reserve()
  const { bytes } = sink
  const [day, micros] = splitTime(ms)
  let end = putDate(bytes, sink.at, day)
  if (unit !== 'date') {
    bytes[end++] = 84
    end = putClock(bytes, end, micros, micros % 1e6 !== 0)
    if (unit === 'zoned') end = putAscii(bytes, end, '+00:00')
  }
  sink.at = end
}
