import { expect, it } from 'vitest'
import { AppError } from '@parquetry/model/errors'
import { cellAt } from '../cells.ts'
import { buildFrame } from '../columns.ts'
import type { Frame } from '../frame.ts'
import { createRandom } from '@parquetry/model/testing/random'
import { postProcess } from './index.ts'
import { normalQuantile } from './statistics.ts'

/** Monthly airline passengers from 1949 to 1960, in thousands: Box, Jenkins, Time Series Analysis (1976), series G. */
const passengers = [
  112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114,
  140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166, 171, 180, 193, 181, 183, 218, 230, 242, 209, 191,
  172, 194, 196, 196, 236, 235, 229, 243, 264, 272, 237, 211, 180, 201, 204, 188, 235, 227, 234, 264, 302, 293, 259,
  229, 203, 229, 242, 233, 267, 269, 270, 315, 364, 347, 312, 274, 237, 278, 284, 277, 317, 313, 318, 374, 413, 405,
  355, 306, 271, 306, 315, 301, 356, 348, 355, 422, 465, 467, 404, 347, 305, 336, 340, 318, 362, 348, 363, 435, 491,
  505, 404, 359, 310, 337, 360, 342, 406, 396, 420, 472, 548, 559, 463, 407, 362, 405, 417, 391, 419, 461, 472, 535,
  622, 606, 508, 461, 390, 432,
]
const month = (index: number) => new Date(Date.UTC(1949, index, 1))
const day = (index: number) => new Date(Date.UTC(2020, 0, 1 + index))
const monthly = { time_grain: 'P1M', periods: 12, confidence_interval: 0.8, index: 't' }
const daily = { ...monthly, time_grain: 'P1D' }

const forecast = (frame: Frame, options: object) =>
  postProcess(frame, [{ operation: 'prophet', options: options as Record<string, unknown> }]).frame
const column = ({ columns, rows }: Frame, name: string) => {
  const found = columns.find((each) => each.name === name)!
  return Array.from({ length: rows }, (_, row) => cellAt(found, row))
}
const numbers = (frame: Frame, name: string) => column(frame, name) as number[]
const over = (given: unknown[], at: (row: number) => Date) =>
  buildFrame({ t: given.map((_, row) => at(row)), n: given })
const meanError = (guessed: number[], real: number[]) =>
  real.reduce((sum, each, index) => sum + Math.abs((guessed[index]! - each) / each), 0) / real.length

it('forecasts two years of airline passengers with an error of 6.5 %, compared to 15.5 % when the last year is repeated', () => {
  const known = passengers.slice(0, 120)
  const made = forecast(over(known, month), { ...monthly, periods: 24 })
  const real = passengers.slice(120)
  expect(meanError(numbers(made, 'n__yhat').slice(120), real)).toBeCloseTo(0.065, 2)
  expect(meanError([...known.slice(-12), ...known.slice(-12)], real)).toBeCloseTo(0.155, 3)
})

it('adds the forecast beside its metric, with the next calendar periods as rows', () => {
  const made = forecast(over(passengers.slice(0, 25), month), { ...monthly, periods: 3 })
  expect(made.columns.map(({ name }) => name)).toEqual(['t', 'n', 'n__yhat', 'n__yhat_lower', 'n__yhat_upper'])
  expect(column(made, 't').slice(-4)).toEqual([24, 25, 26, 27].map((index) => month(index).getTime()))
  expect(column(made, 'n').slice(-4)).toEqual([145, null, null, null])
  const [low, middle, high] = ['_lower', '', '_upper'].map((end) => numbers(made, `n__yhat${end}`))
  expect(made.rows).toBe(28)
  for (let row = 0; row < made.rows; row++) {
    expect(low![row]).toBeLessThan(middle![row]!)
    expect(high![row]! - middle![row]!).toBeCloseTo(middle![row]! - low![row]!, 6)
  }
})

it.each([
  ['P1W', 7 * 86_400_000],
  ['1969-12-28T00:00:00Z/P1W', 7 * 86_400_000],
  ['PT15M', 900_000],
  ['P1D', 86_400_000],
])('continues by the grain %s', (time_grain, ms) => {
  const frame = over([1, 2, 1, 3, 2], (row) => new Date(row * ms))
  const made = forecast(frame, { ...daily, time_grain, periods: 2 })
  expect(column(made, 't').slice(-2)).toEqual([5 * ms, 6 * ms])
})

it.each([
  ['P1M', '2020-01-31', ['2020-02-29', '2020-03-31']],
  ['P3M', '2019-10-01', ['2020-01-01', '2020-04-01']],
  ['P1Y', '2019-01-01', ['2020-01-01', '2021-01-01']],
])('continues by the calendar with the grain %s', (time_grain, last, next) => {
  const end = Date.parse(last)
  const frame = over([1, 2, 1, 3, 2], (row) => new Date(end - (4 - row) * 90 * 86_400_000))
  const made = forecast(frame, { ...daily, time_grain, periods: 2 })
  expect(column(made, 't').slice(-2)).toEqual(next.map((each) => Date.parse(each)))
})

it('follows a trend that has changed', () => {
  const bent = Array.from({ length: 100 }, (_, row) => (row < 50 ? 100 + row : 150 - 2 * (row - 50)))
  const next = numbers(forecast(over(bent, day), { ...daily, periods: 10 }), 'n__yhat').slice(-10)
  expect(next[9]! - next[0]!).toBeGreaterThan(-20)
  expect(next[9]! - next[0]!).toBeLessThan(-16)
  expect(next[0]).toBeCloseTo(50, -1)
})

it('does not overfit a few points', () => {
  const few = [3, 9, 1, 8, 2, 7, 9, 1, 6, 3, 8, 2, 7]
  const made = numbers(forecast(over(few, month), { ...monthly, yearly_seasonality: true }), 'n__yhat')
  expect(few.reduce((sum, each, index) => sum + Math.abs(each - made[index]!), 0) / few.length).toBeGreaterThan(1)
})

it('recovers a known line and week, with intervals that contain about the stated share of new values', () => {
  const noise = createRandom(7)
  // the sum of twelve uniform numbers is nearly normal, with a variance of one
  const normal = () => Array.from({ length: 12 }, noise).reduce((a, b) => a + b, -6)
  const truth = (row: number) => 50 + row / 4 + [0, 3, 5, 4, 2, -9, -5][row % 7]!
  const known = Array.from({ length: 280 }, (_, row) => truth(row) + 2 * normal())
  for (const confidence_interval of [0.5, 0.8, 0.95]) {
    const made = forecast(over(known, day), { ...daily, periods: 56, confidence_interval })
    const [low, middle, high] = ['_lower', '', '_upper'].map((end) => numbers(made, `n__yhat${end}`).slice(280))
    const held = Array.from({ length: 5600 }, (_, index) => {
      const value = truth(280 + (index % 56)) + 2 * normal()
      return value >= low![index % 56]! && value <= high![index % 56]!
    }).filter(Boolean).length
    expect(held / 5600).toBeGreaterThan(confidence_interval - 0.1)
    expect(held / 5600).toBeLessThan(confidence_interval + 0.1)
    expect(Math.max(...middle!.map((each, index) => Math.abs(each - truth(280 + index))))).toBeLessThan(2)
  }
})

it('uses the requested seasonality, and by default the one that the history supports', () => {
  const weekly = Array.from({ length: 60 }, (_, row) => [0, 0, 0, 0, 0, 8, 8][row % 7]!)
  const spreadOf = (more: object) => {
    const last = numbers(forecast(over(weekly, day), { ...daily, periods: 7, ...more }), 'n__yhat').slice(-7)
    return Math.max(...last) - Math.min(...last)
  }
  expect(spreadOf({})).toBeGreaterThan(7)
  expect(spreadOf({ weekly_seasonality: null })).toBe(spreadOf({}))
  expect(spreadOf({ weekly_seasonality: 'True' })).toBe(spreadOf({ weekly_seasonality: true }))
  expect(spreadOf({ weekly_seasonality: false })).toBeLessThan(1)
  expect(spreadOf({ weekly_seasonality: 0 })).toBeLessThan(1)
  expect(spreadOf({ weekly_seasonality: 1 })).toBeLessThan(spreadOf({ weekly_seasonality: '2' }))
  expect(spreadOf({ weekly_seasonality: 50 })).toBe(spreadOf({ weekly_seasonality: 3 }))
  const short = over(weekly.slice(0, 12), day)
  expect(numbers(forecast(short, daily), 'n__yhat')).toEqual(
    numbers(forecast(short, { ...daily, weekly_seasonality: false }), 'n__yhat'),
  )
})

it('skips gaps, and makes no forecast when too few values are known', () => {
  const line = Array.from({ length: 20 }, (_, row) => (row % 5 === 0 ? null : 10 + row))
  const frame = buildFrame({
    t: line.map((_, row) => day(row)),
    n: line,
    few: line.map((_, row) => (row < 3 ? row : null)),
    name: line.map(String),
  })
  const made = forecast(frame, { ...daily, periods: 5 })
  expect(made.columns.map(({ name }) => name)).toEqual([
    't',
    'n',
    'n__yhat',
    'n__yhat_lower',
    'n__yhat_upper',
    'few',
    'name',
  ])
  for (const [at, value] of numbers(made, 'n__yhat').entries()) expect(value).toBeCloseTo(10 + at, 1)
  const same = forecast(over([7, 7, 7, 7, 7, 7], day), { ...daily, periods: 1 })
  expect(['_lower', '', '_upper'].map((end) => numbers(same, `n__yhat${end}`).at(-1))).toEqual([7, 7, 7])
})

it('is independent of the row order and of the unit of the values', () => {
  const values = passengers.slice(0, 60)
  const made = numbers(forecast(over(values, month), monthly), 'n__yhat')
  const turned = forecast(buildFrame({ t: values.map((_, row) => month(59 - row)), n: values.toReversed() }), monthly)
  expect(numbers(turned, 'n__yhat').slice(0, 60)).toEqual(made.slice(0, 60).toReversed())
  expect(numbers(turned, 'n__yhat').slice(60)).toEqual(made.slice(60))
  const large = numbers(
    forecast(
      over(
        values.map((each) => 1e9 + each * 1e6),
        month,
      ),
      monthly,
    ),
    'n__yhat',
  )
  for (const [at, value] of large.entries()) expect((value - 1e9) / 1e6).toBeCloseTo(made[at]!, 3)
})

it.each([
  [{ time_grain: null }, /needs a time grain/],
  [{ time_grain: 'PT6H' }, /do not support the time grain `PT6H`/],
  [{ periods: -1 }, /0 or more/],
  [{ periods: null }, /needs the option `periods`/],
  [{ confidence_interval: 1 }, /between 0 and 1/],
  [{ confidence_interval: 0 }, /between 0 and 1/],
  [{ weekly_seasonality: 'often' }, /must be auto, true, false, or a whole number/],
  [{ index: 'n' }, /temporal column as its x-axis/],
  [{ index: null }, /temporal column as its x-axis/],
])('rejects %o with a message', (more, message) => {
  const frame = over([1, 2, 3, 4, 5, 6], day)
  expect(() => forecast(frame, { ...daily, ...more })).toThrow(message)
  expect(() => forecast(frame, { ...daily, ...more })).toThrow(AppError)
})

it('reports what is missing when no forecast is possible', () => {
  const sentence = /at least 5 points in time with a value/
  expect(() => forecast(over([1, 2, 3, 4], day), daily)).toThrow(sentence)
  expect(() => forecast(over([1, 2, null, null, null, null, 3, 4], day), daily)).toThrow(sentence)
  expect(() =>
    forecast(
      over([1, 2, 3, 4, 5], () => day(0)),
      daily,
    ),
  ).toThrow(sentence)
  expect(() => forecast(over(['a', 'b', 'c', 'd', 'e'], day), daily)).toThrow(sentence)
})

it('rejects forecasts that would block a runner', () => {
  const frame = over(
    Array.from({ length: 10 }, (_, index) => index),
    day,
  )
  expect(() => forecast(frame, { ...daily, periods: 1e9 })).toThrow(/larger than the limit/)
  const rows = Array.from({ length: 20_000 }, (_, index) => index)
  const wide = buildFrame({
    t: rows.map((index) => new Date(index * 3_600_000)),
    ...Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`n${index}`, rows])),
  })
  expect(() => forecast(wide, { ...daily, time_grain: 'PT1H' })).toThrow(/would take too long/)
})

it('computes the quantiles of the normal distribution', () => {
  // Abramowitz, Stegun: Handbook of Mathematical Functions, table 26.1
  expect(normalQuantile(0.5)).toBe(0)
  expect(normalQuantile(0.9)).toBeCloseTo(1.281551566, 8)
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963985, 8)
  expect(normalQuantile(0.9995)).toBeCloseTo(3.290526731, 7)
})
