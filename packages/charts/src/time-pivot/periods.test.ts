import { expect, it } from 'vitest'
import { parseFrequency } from './periods.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const text = (time: number) => new Date(time).toISOString().slice(0, 16)
const start = (freq: string, time: string, last = time) => text(parseFrequency(freq).startOf(at(time), at(last)))

it.each([
  // The date to which pandas rolls back with `to_offset(freq).rollback(time)`; period ends in pandas are starts here.
  ['AS', '2003-11-02T00:00', '2003-01-01T00:00'],
  ['YS', '2004-01-01T00:00', '2004-01-01T00:00'],
  ['AS-APR', '2026-03-31T00:00', '2025-04-01T00:00'],
  ['QS', '2026-05-31T12:00', '2026-04-01T00:00'],
  ['MS', '2024-02-29T23:59', '2024-02-01T00:00'],
  ['W-MON', '2026-11-22T00:00', '2026-11-16T00:00'],
  ['W-MON', '2026-11-23T05:00', '2026-11-23T00:00'],
  ['W-SUN', '2026-11-21T00:00', '2026-11-15T00:00'],
  ['W', '2026-11-23T00:00', '2026-11-22T00:00'],
  ['W-MON', '1969-12-30T00:00', '1969-12-29T00:00'],
  ['D', '2026-11-22T17:30', '2026-11-22T00:00'],
  ['H', '2026-11-22T17:30', '2026-11-22T17:00'],
  ['h', '2026-11-22T17:30', '2026-11-22T17:00'],
])('a period of %s that contains %s starts at %s', (freq, time, begin) => {
  expect(start(freq, time)).toBe(begin)
})

it('invalid frequencies fall back to weeks from Monday', () => {
  for (const freq of ['', 'fortnight', 'W-XYZ-1', '17'])
    expect(start(freq, '2026-11-22T00:00')).toBe('2026-11-16T00:00')
})

it('several weeks are counted back from the week of the last time', () => {
  const last = '2026-11-25T00:00'
  expect(start('4W-MON', last, last)).toBe('2026-11-02T00:00')
  expect(start('4W-MON', '2026-11-01T23:00', last)).toBe('2026-10-05T00:00')
  expect(start('52W-MON', '2025-11-30T00:00', last)).toBe('2024-12-02T00:00')
})

it('months and quarters are aligned by month, days by the day of the period', () => {
  const over = (freq: string, grain: string, time: string, from: string, to: string) =>
    text(parseFrequency(freq, grain).over(at(time), at(from), at(to)))
  expect(over('AS', 'P1M', '2003-11-01T00:00', '2003-01-01T00:00', '2004-01-01T00:00')).toBe('2004-11-01T00:00')
  expect(over('AS', 'P3M', '2004-10-01T00:00', '2004-01-01T00:00', '2003-01-01T00:00')).toBe('2003-10-01T00:00')
  expect(over('MS', 'P1D', '2026-01-15T00:00', '2026-01-01T00:00', '2026-02-01T00:00')).toBe('2026-02-15T00:00')
  expect(over('W-MON', 'PT1H', '2026-11-10T07:00', '2026-11-09T00:00', '2026-11-16T00:00')).toBe('2026-11-17T07:00')
})
