import { expect, it } from 'vitest'
import { createTimeParser } from './strptime.ts'

const read = (format: string | null, text: string) => {
  const ms = createTimeParser(format)(text)
  return ms === null ? null : new Date(ms).toISOString()
}

it.each([
  ['%Y', '2019', '2019-01-01T00:00:00.000Z'],
  ['%Y-%m-%d', '2019-02-03', '2019-02-03T00:00:00.000Z'],
  ['%Y%m%d', '20190203', '2019-02-03T00:00:00.000Z'],
  ['%d/%m/%y %H:%M', '03/02/68 14:05', '2068-02-03T14:05:00.000Z'],
  ['%b %d, %Y %I:%M %p', 'Feb 3, 2019 12:30 AM', '2019-02-03T00:30:00.000Z'],
  ['%d. %B %Y', '3. february 2019', '2019-02-03T00:00:00.000Z'],
  ['%Y-%jT%H:%M:%S.%f', '2019-034T01:02:03.25', '2019-02-03T01:02:03.250Z'],
  ['%Y-%m-%d %H:%M:%S%z', '2019-02-03 01:00:00+02:00', '2019-02-02T23:00:00.000Z'],
  ['epoch_s', '1549152000', '2019-02-03T00:00:00.000Z'],
  ['epoch_ms', '1549152000123', '2019-02-03T00:00:00.123Z'],
  [null, '2019-02-03', '2019-02-03T00:00:00.000Z'],
  [null, '2019-02-03 04:05:06', '2019-02-03T04:05:06.000Z'],
  [null, '2019-02-03T04:05:06+02', '2019-02-03T02:05:06.000Z'],
])('reads %s from %s', (format, text, time) => {
  expect(read(format, text)).toBe(time)
})

it.each([
  ['%Y-%m-%d', '2019-02-30'],
  ['%Y-%m-%d', '2019-13-01'],
  ['%Y-%m-%d', 'soon'],
  ['%Y-%m-%d (x)', '2019-01-01 x'],
  ['epoch_s', 'x'],
  [null, 'today'],
])('returns null where %s does not match %s', (format, text) => {
  expect(read(format, text)).toBeNull()
})
