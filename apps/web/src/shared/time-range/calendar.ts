/** Days and months as text: `2026-05-03`, `2026-05`. */

const dayMs = 86_400_000
const time = (day: string) => Date.parse(`${day}T00:00:00Z`)

export const monthOf = (day: string): string => day.slice(0, 7)

export const addDays = (day: string, count: number): string =>
  new Date(time(day) + count * dayMs).toISOString().slice(0, 10)

export function addMonths(month: string, count: number): string {
  const date = new Date(time(`${month}-01`))
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 7)
}

/** Days of a month in weeks from Monday; null before its first day. */
export function listMonthDays(month: string): (string | null)[] {
  const first = `${month}-01`
  const before = (new Date(time(first)).getUTCDay() + 6) % 7
  const count = (time(`${addMonths(month, 1)}-01`) - time(first)) / dayMs
  return [
    ...Array.from({ length: before }, () => null),
    ...Array.from({ length: count }, (_, index) => addDays(first, index)),
  ]
}
