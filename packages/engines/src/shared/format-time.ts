const two = (n: number) => (n < 10 ? `0${n}` : String(n))

const dayMs = 86_400_000

/** `HH:MM:SS`, with six decimal places if there are any. */
export function formatTime(micros: number): string {
  const seconds = Math.floor(micros / 1e6)
  const rest = micros - seconds * 1e6
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return rest === 0 ? text : `${text}.${String(rest).padStart(6, '0')}`
}

/** `±HH:MM`, with seconds for historical zones that have them. */
export function formatOffset(seconds: number): string {
  const size = Math.abs(seconds)
  const text = `${seconds < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}:${two(Math.floor(size / 60) % 60)}`
  return size % 60 === 0 ? text : `${text}:${two(size % 60)}`
}

/** Days of the 400-year cycle of the Gregorian calendar. */
const cycleDays = 146_097

/** `YYYY-MM-DD`; years before 1 are counted as in ISO 8601, with a minus sign. */
export function formatDate(days: number): string {
  const cycles = Math.floor(days / cycleDays)
  const date = new Date((days - cycles * cycleDays) * dayMs)
  const year = date.getUTCFullYear() + cycles * 400
  const years = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`
  return `${years}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
}

/** ISO text of an instant in microseconds since 1970, without a zone. */
export function formatTimestamp(micros: bigint): string {
  const day = 86_400_000_000n
  const inDay = ((micros % day) + day) % day
  return `${formatDate(Number((micros - inDay) / day))}T${formatTime(Number(inDay))}`
}

/**
 * Common spelling of intervals for all engines: `1 days 02:00:00` as in the API, preceded by years and months if there are any.
 * Microseconds of more than a day stay hours.
 */
export function formatInterval(months: number, days: number, micros: bigint): string {
  const size = micros < 0n ? -micros : micros
  const hours = size / 3_600_000_000n
  const rest = formatTime(Number(size % 3_600_000_000n)).slice(2)
  const time = `${micros < 0n ? '-' : ''}${String(hours).padStart(2, '0')}${rest}`
  const years = Math.trunc(months / 12)
  const parts = [...(years ? [`${years} years`] : []), ...(months % 12 ? [`${months % 12} months`] : [])]
  return [...parts, `${days} days ${time}`].join(' ')
}
