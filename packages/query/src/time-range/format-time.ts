import { naiveTime, toDateParts, type NaiveTime } from './naive-time.ts'

const monthNames = 'January February March April May June July August September October November December'.split(' ')
const dayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** Formats a time with a strptime pattern (`%Y-%m-%d`), in English; unknown directives are left unchanged. */
export function formatTime(time: NaiveTime, pattern: string): string {
  const { year, month, day, weekday } = toDateParts(time)
  const inDay = Math.floor(time / 1000) - Math.floor(time / 86_400_000) * 86_400
  const [hour, minute, second] = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60, inDay % 60]
  const padded = (value: number, digits: number) => String(value).padStart(digits, '0')
  const signs: Record<string, string> = {
    Y: padded(year, 4),
    y: padded(year % 100, 2),
    m: padded(month, 2),
    d: padded(day, 2),
    e: String(day),
    H: padded(hour, 2),
    I: padded(((hour + 11) % 12) + 1, 2),
    p: hour < 12 ? 'AM' : 'PM',
    M: padded(minute, 2),
    S: padded(second, 2),
    f: padded(Math.round((time - Math.floor(time / 1000) * 1000) * 1000), 6),
    j: padded((Math.floor(time / 86_400_000) * 86_400_000 - naiveTime(year)) / 86_400_000 + 1, 3),
    B: monthNames[month - 1] ?? '',
    b: (monthNames[month - 1] ?? '').slice(0, 3),
    A: dayNames[weekday] ?? '',
    a: (dayNames[weekday] ?? '').slice(0, 3),
    '%': '%',
  }
  return pattern.replace(
    /%([A-Za-z%])/g,
    (directive, sign: string) => (Object.hasOwn(signs, sign) ? signs[sign] : directive) ?? directive,
  )
}
