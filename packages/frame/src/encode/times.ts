import { civilOf, splitTime } from '../calendar.ts'
import type { Sink } from './sink.ts'

/** The last day written: rows tend to come by time. */
let last = civilOf(0)
let lastDay = 0

/** `YYYY-MM-DD`. */
export function writeDate(sink: Sink, day: number): void {
  if (day !== lastDay) {
    last = civilOf(day)
    lastDay = day
  }
  const [year, month, ofMonth] = last
  sink.room()
  if (year < 0) sink.bytes[sink.at++] = 45
  const years = Math.abs(year)
  if (years < 10_000) sink.padded(years, 4)
  else sink.integer(years)
  sink.bytes[sink.at++] = 45
  sink.padded(month, 2)
  sink.bytes[sink.at++] = 45
  sink.padded(ofMonth, 2)
}

/** `HH:MM:SS`, with six digits more when `withMicros`. */
export function writeClock(sink: Sink, micros: number, withMicros: boolean): void {
  sink.room()
  const { bytes } = sink
  const seconds = Math.floor(micros / 1e6)
  sink.padded((seconds / 3600) | 0, 2)
  bytes[sink.at++] = 58
  sink.padded(((seconds / 60) | 0) % 60, 2)
  bytes[sink.at++] = 58
  sink.padded(seconds % 60, 2)
  if (!withMicros) return
  bytes[sink.at++] = 46
  sink.padded(micros - seconds * 1e6, 6)
}

/** As `timeText` has it. */
export function writeIso(sink: Sink, ms: number, unit: 'date' | 'datetime' | 'zoned'): void {
  const [day, micros] = splitTime(ms)
  writeDate(sink, day)
  if (unit === 'date') return
  sink.byte(84)
  writeClock(sink, micros, micros % 1e6 !== 0)
  if (unit === 'zoned') sink.ascii('+00:00')
}
