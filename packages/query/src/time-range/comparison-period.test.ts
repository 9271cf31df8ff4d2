import { expect, it } from 'vitest'
import { createComparisonPeriod } from './comparison-period.ts'

const context = { now: '2024-03-15T12:00:00' }
const back = (offset: string, text: string) => createComparisonPeriod(offset, context).range(text)
const on = (offset: string, time: string) =>
  new Date(createComparisonPeriod(offset, context).onward(Date.parse(`${time}Z`))).toISOString()

it('moves a range back by the calendar, including open ends', () => {
  expect(back('1 year', '2024-03-01 : 2024-04-01')).toBe('2023-03-01T00:00:00 : 2023-04-01T00:00:00')
  expect(back('2 weeks ago', 'Last week')).toBe('2024-02-23T00:00:00 : 2024-03-01T00:00:00')
  expect(back('1 quarter', '2024-05-01 : ')).toBe('2024-02-01T00:00:00 : ')
  expect(back('1 month', ' : 2024-05-01')).toBe(' : 2024-04-01T00:00:00')
})

it('returns null without a range', () => {
  expect([back('1 year', ''), back('1 year', 'No filter')]).toEqual([null, null])
})

it('moves times forward by the same offset, also over leap years', () => {
  expect(on('1 year', '2023-03-01T00:00:00')).toBe('2024-03-01T00:00:00.000Z')
  expect(on('1 year ago', '2020-01-01T06:30:00')).toBe('2021-01-01T06:30:00.000Z')
  expect(on('52 weeks', '2023-01-02T00:00:00')).toBe('2024-01-01T00:00:00.000Z')
})

it('rejects an invalid offset', () => {
  expect(() => createComparisonPeriod('yesterday', context)).toThrow('ambiguous')
})
