import { expect, it } from 'vitest'
import type { OffsetJoin } from '@parquetry/model/plan'
import { buildTimeColumn } from './columns.ts'
import { buildFrame, joinOffsets, toRows, type Frame } from './index.ts'

const at = (text: string): number => Date.parse(`${text}${text.length > 10 ? 'Z' : ''}`)
/** Rows of a time, a series and a value. */
function frame(rows: [time: string | null, series: string | null, value: number | null][]): Frame {
  const { columns } = buildFrame({ s: rows.map(([, series]) => series), avg: rows.map(([, , value]) => value) })
  const times = Float64Array.from(rows, ([time]) => (time === null ? NaN : at(time)))
  return { rows: rows.length, columns: [buildTimeColumn('date', times, 'datetime'), ...columns] }
}
const join = (over: Partial<OffsetJoin> = {}): OffsetJoin => ({
  offset: '1 year ago',
  on: ['date', 's'],
  time: 'date',
  shift: { years: 1 },
  period: null,
  metrics: ['avg'],
  ...over,
})
const matched = (base: Frame, offset: Frame, over: Partial<OffsetJoin> = {}) => {
  const how = join(over)
  return toRows(joinOffsets(base, [{ frame: offset, join: how }])).map((row) => row[`avg__${how.offset}`])
}

it('joins the metric of the previous year to each row of the same series', () => {
  const base = frame([
    ['2008-01-01', 'IBM', 107],
    ['2009-01-01', 'IBM', 109],
    ['2009-01-01', 'AAPL', 150],
  ])
  const before = frame([
    ['2008-01-01', 'IBM', 107],
    ['2007-01-01', 'IBM', 101],
    ['2005-01-01', 'IBM', 1],
  ])
  const joined = joinOffsets(base, [
    { frame: before, join: join() },
    { frame: before, join: join({ offset: '2 years ago', shift: { years: 2 } }) },
  ])
  expect(joined.columns.map(({ name }) => name)).toEqual(['date', 's', 'avg', 'avg__1 year ago', 'avg__2 years ago'])
  expect(toRows(joined).map((row) => [row['avg'], row['avg__1 year ago'], row['avg__2 years ago']])).toEqual([
    [107, 101, null],
    [109, 107, 101],
    [150, null, null],
  ])
})

it('adds months by the calendar and days by their length', () => {
  const base = frame([['2020-02-29', 'a', 1]])
  expect(matched(base, frame([['2020-01-31', 'a', 2]]), { shift: { months: 1 } })).toEqual([2])
  expect(matched(base, frame([['2019-02-28', 'a', 2]]), { shift: { years: 1 } })).toEqual([null])
  expect(matched(frame([['2021-02-28', 'a', 1]]), frame([['2020-02-29', 'a', 2]]))).toEqual([2])
  expect(matched(base, frame([['2020-02-01T00:00', 'a', 2]]), { shift: { weeks: 4 } })).toEqual([2])
  const fine = frame([['2020-01-01T00:30:05', 'a', 1]])
  expect(
    matched(fine, frame([['2019-12-31T23:00:00', 'a', 2]]), { shift: { hours: 1, minutes: 30, seconds: 5 } }),
  ).toEqual([2])
})

it('matches by period when the shifted time is not its first day', () => {
  const months = frame([['2020-03-01', 'a', 1]])
  expect(matched(months, frame([['2020-02-01', 'a', 2]]), { shift: { days: 30 }, period: 'month' })).toEqual([2])
  expect(matched(months, frame([['2020-02-01', 'a', 2]]), { shift: { days: 30 } })).toEqual([null])
  const quarters = frame([['2020-04-01', 'a', 1]])
  expect(matched(quarters, frame([['2019-04-01', 'a', 2]]), { shift: { weeks: 53 }, period: 'quarter' })).toEqual([2])
  expect(
    matched(frame([['2020-01-01', 'a', 1]]), frame([['2019-01-01', 'a', 2]]), { shift: { days: 365 }, period: 'year' }),
  ).toEqual([2])
})

it('matches weeks a year apart, whichever weekday labels them', () => {
  const mondays = frame([
    ['2020-12-28', 'a', 1],
    ['2021-01-04', 'a', 2],
  ])
  const mondaysBefore = frame([
    ['2019-12-30', 'a', 10],
    ['2020-01-06', 'a', 20],
  ])
  expect(matched(mondays, mondaysBefore, { period: 'week' })).toEqual([10, 20])
  expect(matched(frame([['2020-01-05', 'a', 1]]), frame([['2019-01-06', 'a', 2]]), { period: 'week' })).toEqual([2])
})

it('matches null with null, and uses the first of several matches', () => {
  const base = frame([
    [null, 'a', 1],
    ['2020-01-01', null, 2],
  ])
  const offset = frame([
    ['2019-01-01', null, 20],
    ['2019-01-01', null, 30],
    [null, 'a', 10],
  ])
  expect(matched(base, offset)).toEqual([10, 20])
  // The parts of keys do not run together.
  const keys = (...pairs: [string, string][]) =>
    buildFrame({ s: pairs.map(([s]) => s), t: pairs.map(([, t]) => t), avg: pairs.map(() => 1) })
  expect(matched(keys(['a,', 'b']), keys(['a', ',b']), { on: ['s', 't'], time: null })).toEqual([null])
})

it('keeps the columns when an offset has no rows', () => {
  expect(matched(frame([['2020-01-01', 'a', 1]]), frame([]))).toEqual([null])
  expect(joinOffsets(frame([]), [{ frame: frame([['2020-01-01', 'a', 1]]), join: join() }]).rows).toBe(0)
})

it('joins rows by position when there is no key to match', () => {
  const side = { on: [], time: null }
  expect(
    toRows(joinOffsets(buildFrame({ avg: [1] }), [{ frame: buildFrame({ avg: [2, 3] }), join: join(side) }])),
  ).toEqual([
    { avg: 1, 'avg__1 year ago': 2 },
    { avg: null, 'avg__1 year ago': 3 },
  ])
})

it('names the column that is missing from a result', () => {
  const bad = { frame: buildFrame({ s: ['a'], avg: [1] }), join: join() }
  expect(() => joinOffsets(frame([['2020-01-01', 'a', 1]]), [bad])).toThrow('no column `date`')
})
