export const dayMs = 86_400_000

/** Year, month (1 to 12) and day of a day number (0 is 1970-01-01), in the proleptic Gregorian calendar. */
export function toCivilDate(day: number): [year: number, month: number, day: number] {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1]
}

/** Day number of a date. Months outside 1 to 12 roll into other years; days are simply added. */
export function toDayNumber(year: number, month: number, day: number): number {
  const rolled = year + Math.floor((month - 1) / 12)
  const inYear = ((((month - 1) % 12) + 12) % 12) + 1
  const shifted = inYear <= 2 ? rolled - 1 : rolled
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (inYear + (inYear > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** 0 is Monday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

/** Adds calendar months. A day that the target month lacks becomes its last day (31 January + 1 = 28 or 29 February). */
export function addMonths(ms: number, months: number): number {
  const day = Math.floor(ms / dayMs)
  const [year, month, dayOfMonth] = toCivilDate(day)
  const first = toDayNumber(year, month + months, 1)
  const length = toDayNumber(year, month + months + 1, 1) - first
  return (first + Math.min(dayOfMonth, length) - 1) * dayMs + (ms - day * dayMs)
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** `YYYY-MM-DD`. */
export function formatDate(day: number): string {
  const [year, month, dayOfMonth] = toCivilDate(day)
  const years = year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0')
  return `${years}-${two(month)}-${two(dayOfMonth)}`
}

/** Splits a time into its day and the microseconds in it: milliseconds with a fraction are exact to the microsecond. */
export function splitTime(ms: number): [day: number, micros: number] {
  const day = Math.floor(ms / dayMs)
  const micros = Math.round((ms - day * dayMs) * 1000)
  return micros < dayMs * 1000 ? [day, micros] : [day + 1, 0]
}

/**
 * ISO text, microseconds and nanoseconds only when there are any: `2020-02-29`, `2020-02-29T13:14:15.678901`, `...+00:00` when
 * zoned.
 */
export function formatTime(
  ms: number,
  unit: 'date' | 'datetime' | 'zoned',
  between: 'T' | ' ' = 'T',
  nanos = 0,
): string {
  const [day, micros] = splitTime(ms)
  if (unit === 'date') return formatDate(day)
  const seconds = Math.floor(micros / 1e6)
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  const digits = `${String(micros % 1e6).padStart(6, '0')}${nanos ? String(nanos).padStart(3, '0') : ''}`
  const fraction = micros % 1e6 || nanos ? `.${digits}` : ''
  return `${formatDate(day)}${between}${clock}${fraction}${unit === 'zoned' ? '+00:00' : ''}`
}
