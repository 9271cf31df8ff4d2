import { expect, it } from 'vitest'
import { endOfPeriod, chooseGrain, unfinishedPeriod } from './grain.ts'

const span = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) })

it('regression: the grain depends on the span and gives 30 to 120 points', () => {
  expect(chooseGrain(span('2023-01-01', '2026-01-01'))).toBe('P1M')
  expect(chooseGrain(span('2025-01-01', '2026-01-01'))).toBe('P1W')
  expect(chooseGrain(span('2026-01-01', '2026-03-20'))).toBe('P1D')
  expect(chooseGrain(span('2026-01-01', '2026-01-03'))).toBe('PT1H')
  expect(chooseGrain(span('2026-01-01T12:00Z', '2026-01-01T13:00Z'))).toBe('PT1M')
  expect(chooseGrain(span('1955-01-01', '2005-01-01'))).toBe('P1Y')
})

it.each([
  ['2024-01-01', '2024-12-01', 12, 'P1M'],
  ['2010-01-01', '2024-12-01', 180, 'P1M'],
  ['2020-01-31', '2024-12-31', 60, 'P1M'],
  ['2020-02-01', '2024-12-01', 31, 'P1M'],
  ['2020-01-01', '2024-10-01', 20, 'P3M'],
  ['1990-01-01', '2024-01-01', 35, 'P1Y'],
  ['2024-01-01', '2024-12-30', 53, 'P1W'],
  ['2024-01-01', '2024-06-30', 182, 'P1D'],
  ['2024-01-01', '2024-06-30', 130, 'P1D'],
  ['2024-01-01T00:00Z', '2024-01-10T00:00Z', 217, 'PT1H'],
])('the grain of times from %s to %s, of which %i differ, is their own step %s', (from, to, distinct, grain) => {
  expect(chooseGrain({ ...span(from, to), distinct })).toBe(grain)
})

it('times without a step, or with very many steps, get a readable grain that is not finer than they are', () => {
  expect(chooseGrain({ ...span('2020-01-01T03:14Z', '2025-01-01T15:09Z'), distinct: 5000 })).toBe('P1M')
  expect(chooseGrain({ ...span('2020-01-01', '2024-12-31'), distinct: 1827 })).toBe('P1M')
  expect(chooseGrain({ ...span('2024-01-01T03:14Z', '2024-12-31T15:09Z'), distinct: 5 })).toBe('P3M')
})

it('selects from the grains of a database', () => {
  expect(chooseGrain(span('2025-01-01', '2026-01-01'), ['P1D', 'P1M'])).toBe('P1M')
  expect(chooseGrain(span('2025-01-01', '2026-01-01'), [])).toBe('P1D')
})

it('computes the ends of periods, including weeks named by their last day', () => {
  const end = (at: string, grain: string) =>
    new Date(endOfPeriod(Date.parse(at), grain) ?? NaN).toISOString().slice(0, 16)
  expect(end('2024-02-01', 'P1M')).toBe('2024-03-01T00:00')
  expect(end('2024-10-01', 'P3M')).toBe('2025-01-01T00:00')
  expect(end('2024-10-01', 'P0.25Y')).toBe('2025-01-01T00:00')
  expect(end('2024-01-01', 'P1Y')).toBe('2025-01-01T00:00')
  expect(end('2024-01-01', 'PT5M')).toBe('2024-01-01T00:05')
  expect(end('2024-01-07', '1969-12-28T00:00:00Z/P1W')).toBe('2024-01-14T00:00')
  expect(end('2024-01-06', 'P1W/1970-01-03T00:00:00Z')).toBe('2024-01-07T00:00')
  expect(endOfPeriod(0, 'smart')).toBe(null)
})

it('a period is incomplete only if the response ends within it', () => {
  const [may, june] = [Date.parse('2024-05-01'), Date.parse('2024-06-01')]
  expect(unfinishedPeriod(may, 'P1M', Date.parse('2024-05-17'))).toBe(may)
  expect(unfinishedPeriod(may, 'P1M', june)).toBe(null)
  expect(unfinishedPeriod(may, 'P1M', may)).toBe(null)
  expect(unfinishedPeriod(may, 'P1M', Date.parse('2026-05-17'))).toBe(null)
  expect(unfinishedPeriod(may, null, Date.parse('2024-05-17'))).toBe(null)
  expect(unfinishedPeriod(may, 'P1M', null)).toBe(null)
})
