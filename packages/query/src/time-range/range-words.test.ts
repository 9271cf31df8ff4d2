import { describe, expect, it } from 'vitest'
import { resolveTimeRange } from './resolve-time-range.ts'

/** A day as year, month and day, on which the slow evaluator walks one day at a time. */
type Day = readonly [year: number, month: number, day: number]

const isLeap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
const lastOf = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!
const tomorrow = ([year, month, day]: Day): Day =>
  day < lastOf(year, month) ? [year, month, day + 1] : month < 12 ? [year, month + 1, 1] : [year + 1, 1, 1]
const yesterday = ([year, month, day]: Day): Day =>
  day > 1 ? [year, month, day - 1] : month > 1 ? [year, month - 1, lastOf(year, month - 1)] : [year - 1, 12, 31]
const isMonday = (day: Day) => new Date(Date.UTC(day[0], day[1] - 1, day[2])).getUTCDay() === 1

const begins: Record<string, (day: Day) => boolean> = {
  day: () => true,
  week: isMonday,
  month: ([, , day]) => day === 1,
  quarter: ([, month, day]) => day === 1 && [1, 4, 7, 10].includes(month),
  year: ([, month, day]) => day === 1 && month === 1,
}
const units = Object.keys(begins)

/** Walks from a day, itself included, until a unit begins. */
function walk(from: Day, unit: string, step: (day: Day) => Day): Day {
  let day = from
  while (!begins[unit]!(day)) day = step(day)
  return day
}

/** The day a number of units earlier or later: weeks by days, longer units by the name of the month. */
function moved(from: Day, count: number, unit: string): Day {
  const step = count < 0 ? yesterday : tomorrow
  let day = from
  if (unit === 'day' || unit === 'week') {
    for (let left = Math.abs(count) * (unit === 'week' ? 7 : 1); left > 0; left--) day = step(day)
    return day
  }
  let [year, month] = from
  for (let left = Math.abs(count) * { month: 1, quarter: 3, year: 12 }[unit]!; left > 0; left--) {
    month += count < 0 ? -1 : 1
    if (month === 0) [year, month] = [year - 1, 12]
    if (month === 13) [year, month] = [year + 1, 1]
  }
  return [year, month, Math.min(from[2], lastOf(year, month))]
}

const iso = ([year, month, day]: Day) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T00:00:00`

/** Days from 1999 to 2032 in a fixed but arbitrary order, with leap days and ends of months among them. */
function listDays(count: number): Day[] {
  let state = 20_260_315
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  return Array.from({ length: count }, (): Day => {
    const [year, month] = [1999 + next(34), 1 + next(12)]
    return [year, month, next(3) === 0 ? lastOf(year, month) : 1 + next(lastOf(year, month))]
  })
}

describe('range words give the same as walking through the calendar day by day', () => {
  const days = listDays(120)
  const range = (text: string, today: Day) =>
    Object.values(resolveTimeRange(text, { now: iso(today).replace('T00:00', 'T13:45') }))

  it.each(units)('Current and previous calendar %s', (unit) => {
    for (const today of days) {
      const start = walk(today, unit, yesterday)
      const end = walk(tomorrow(today), unit, tomorrow)
      const before = walk(yesterday(start), unit, yesterday)
      expect(range(`Current ${unit}`, today), iso(today)).toEqual([iso(start), iso(end)])
      expect(range(`previous calendar ${unit}`, today), iso(today)).toEqual([iso(before), iso(start)])
    }
  })

  it.each(units)('Last and Next %s, with and without a number', (unit) => {
    days.forEach((today, index) => {
      const count = 1 + (index % 7)
      expect(range(`Last ${unit}`, today), iso(today)).toEqual([iso(moved(today, -1, unit)), iso(today)])
      expect(range(`Last ${count} ${unit}s`, today), iso(today)).toEqual([iso(moved(today, -count, unit)), iso(today)])
      expect(range(`Next ${count} ${unit}s`, today), iso(today)).toEqual([iso(today), iso(moved(today, count, unit))])
    })
  })

  it.each(units)('start and end of this, last and next %s', (unit) => {
    days.forEach((today, index) => {
      const count = 1 + (index % 4)
      for (const [scope, step] of [
        ['this', 0],
        [`last ${count}`, -count],
        [`next ${count}`, count],
      ] as const) {
        const start = walk(moved(today, step, unit), unit, yesterday)
        const last = yesterday(walk(tomorrow(start), unit, tomorrow))
        const text = `start of ${scope} ${unit} : end of ${scope} ${unit}`
        expect(range(text, today), `${text} on ${iso(today)}`).toEqual([iso(start), iso(last)])
      }
    })
  })

  it('a year, quarter, month and day by name', () => {
    for (const day of days) {
      const [year, month] = day
      const named = {
        year: `${year}`,
        quarter: `${year}-Q${Math.ceil(month / 3)}`,
        month: iso(day).slice(0, 7),
        day: iso(day).slice(0, 10),
      }
      for (const [unit, text] of Object.entries(named)) {
        const start = walk(day, unit, yesterday)
        expect(range(text, [2026, 1, 1]), text).toEqual([iso(start), iso(walk(tomorrow(start), unit, tomorrow))])
      }
    }
  })
})
