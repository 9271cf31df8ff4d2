import { timeFormatLocale } from 'd3-time-format'
import { expect, it } from 'vitest'
import { createUtcFormat } from './utc-format.ts'

const en = {
  dateTime: '%x, %X',
  date: '%-m/%-d/%Y',
  time: '%-I:%M:%S %p',
  periods: ['AM', 'PM'] as [string, string],
  days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  shortDays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  months: 'January February March April May June July August September October November December'.split(' '),
  shortMonths: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
}

const letters = [...'aAbBcdefgGHIjLmMpqQsSuUVwWxXyYZ%kEO']
const formats = [
  ...letters.flatMap((letter) => ['', '-', '_', '0'].map((fill) => `<%${fill}${letter}>`)),
  'plain text',
  '',
  '100%',
  '%-',
  '%%Y %Y%',
  '%Y-%m-%d %H:%M:%S.%L',
  'Q%q %Y\n%a',
  '%\n%--d',
]

/** Every day around the turns of 40 years, at changing times of day, and years with few digits. */
const dates = [
  ...Array.from({ length: 40 }, (_, year) =>
    Array.from({ length: 14 }, (__, day) => Date.UTC(1996 + year, 11, 25 + day, (day * 5) % 24, day, year, day)),
  ).flat(),
  ...Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 29, 12)),
  0,
  -1,
  Date.UTC(-1, 1, 28),
  new Date(0).setUTCFullYear(7, 6, 4),
  Date.UTC(12_345, 5, 6),
]

it('writes every format as d3-time-format does', () => {
  const theirs = timeFormatLocale(en as unknown as Parameters<typeof timeFormatLocale>[0])
  const ours = createUtcFormat(en)
  for (const format of formats) {
    const write = (writer: (date: Date) => string): string[] => dates.map((ms) => writer(new Date(ms)))
    expect(write(ours(format)), format).toEqual(write(theirs.utcFormat(format)))
  }
})
