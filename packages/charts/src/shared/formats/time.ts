import type { Locale } from './locale.ts'

type TimeFormatter = (ms: number) => string

/** Returns true when a name is adaptive or contains a `%` followed by a letter that d3 only uses for times. */
export const isTimeFormat = (name: string): boolean =>
  name.startsWith('smart_date') || (/%-?[aAbBcdeHIjLmMpqQsSuUVwWxXyYZ]/.test(name) && !/^[,$.\d~]*%$/.test(name))

const isMidnight = (ms: number) => ms % 86_400_000 === 0

/** Date only at midnight, else with the time; seconds only when not zero. */
const adaptive = (ms: number) =>
  isMidnight(ms)
    ? '%Y-%m-%d'
    : ms % 60_000 === 0
      ? '%Y-%m-%d %H:%M'
      : ms % 1000 === 0
        ? '%Y-%m-%d %H:%M:%S'
        : '%Y-%m-%d %H:%M:%S.%L'

const byGrain: Record<string, string> = {
  P1Y: '%Y',
  P3M: 'Q%q %Y',
  'P0.25Y': 'Q%q %Y',
  P1M: '%B %Y',
  P1W: '%b %-d, %Y',
  P1D: '%a, %b %-d, %Y',
  PT1H: '%b %-d, %Y, %H:%M',
  PT1S: '%b %-d, %Y, %H:%M:%S',
}

/** Returns the format in which a period of this grain is shown in full: in tooltips, tables, announcements. */
export const grainFormat = (grain: string | null | undefined): string =>
  !grain
    ? 'smart_date'
    : (byGrain[grain] ??
      (grain.includes('P1W') ? '%b %-d, %Y' : grain.startsWith('PT') ? '%b %-d, %Y, %H:%M' : 'smart_date'))

/** Formats times given in milliseconds UTC; other formats than time formats are replaced by `smart_date`. */
export function timeFormatter(name: string, locale: Locale): TimeFormatter {
  if (!isTimeFormat(name) || name.startsWith('smart_date')) return (ms) => locale.utcFormat(adaptive(ms))(new Date(ms))
  const write = locale.utcFormat(name)
  return (ms) => write(new Date(ms))
}

/**
 * Returns a label of a time axis: the unit that changes at this tick. The leftmost label includes its year, and so does January
 * on an axis of months: `Jan 2026, Feb, Mar`.
 */
export function formatAxisTime(
  ms: number,
  { isFirst, isShort }: { isFirst: boolean; isShort: boolean },
  locale: Locale,
): string {
  const date = new Date(ms)
  const write = (name: string) => locale.utcFormat(name)(date)
  if (!isMidnight(ms)) {
    const clock = ms % 60_000 === 0 ? '%H:%M' : ms % 1000 === 0 ? '%H:%M:%S' : '%S.%Ls'
    return isFirst ? write(`%b %-d, ${clock}`) : write(clock)
  }
  if (date.getUTCDate() !== 1) return isFirst ? write('%b %-d, %Y') : write('%b %-d')
  if (date.getUTCMonth() !== 0) return isFirst ? write('%b %Y') : write('%b')
  return write(isShort ? '%b %Y' : '%Y')
}

/** Up to this span, January is labeled on an axis of months. */
const namedJanuaries = 550 * 86_400_000

/**
 * Returns all labels of a time axis: each shows the unit that changes at its tick, and the first one of a year includes the year,
 * as in `Nov 2025, Dec, Jan 2026, Feb`. Times of day are above their date.
 */
export function formatAxisTimes(ticks: readonly number[], locale: Locale): string[] {
  const dates = ticks.map((ms) => new Date(ms))
  const isClock = !ticks.every(isMidnight)
  const areMonths = !isClock && dates.every((date) => date.getUTCDate() === 1)
  const areYears = areMonths && dates.every((date) => date.getUTCMonth() === 0)
  const isLong = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0) >= namedJanuaries
  return dates.map((date, index) => {
    const before = dates[index - 1]
    const write = (name: string) => locale.utcFormat(name)(date)
    const isYear = before?.getUTCFullYear() !== date.getUTCFullYear()
    const day = isYear ? '%b %-d, %Y' : '%b %-d'
    if (isClock) {
      const clock = write(date.getTime() % 60_000 === 0 ? '%H:%M' : date.getTime() % 1000 === 0 ? '%H:%M:%S' : '%S.%Ls')
      return before?.toISOString().slice(0, 10) === date.toISOString().slice(0, 10) ? clock : `${clock}\n${write(day)}`
    }
    if (areYears) return write('%Y')
    if (!areMonths) return write(day)
    if (!isYear) return write('%b')
    return write(before && isLong && date.getUTCMonth() === 0 ? '%Y' : '%b %Y')
  })
}
