import { buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import type { TableColumn } from '../table/columns.ts'
import { buildGridColumns, fitColumns } from './grid-columns.ts'

const frame = buildFrame({ city: ['a rather long name of a city', 'b'], trips: [1, 2] })
const column = (name: string, part: Partial<TableColumn> = {}): TableColumn => ({
  name,
  label: name,
  format: null,
  align: 'left',
  isMetric: false,
  isNumeric: false,
  width: null,
  bars: null,
  rules: [],
  ...part,
})
const columns = [column('city'), column('trips', { isNumeric: true, format: ',d' })]
const widths = (room: number, of = columns) => fitColumns(buildGridColumns(frame, of, 'en'), frame.rows, room)

it('columns fill the available width in proportion to their content', () => {
  const [city = 0, trips = 0] = widths(1000)
  expect(city + trips).toBeCloseTo(1000)
  expect(city).toBeGreaterThan(trips)
})

it('text columns shrink down to 120 px when space is short, numeric columns do not', () => {
  const [, trips] = widths(0)
  expect(widths(0)[0]).toBe(120)
  expect(widths(150)[1]).toBe(trips)
})

it('regression: numbers stay in view in a narrow table, if its text columns can be narrow enough', () => {
  const [city = 0, trips = 0] = widths(150)
  expect(city + trips).toBeLessThanOrEqual(150)
  expect(city).toBeGreaterThanOrEqual(56)
  const many = [...columns, ...['a', 'b', 'c'].map((name) => column(name, { isNumeric: true, format: ',d' }))]
  expect(widths(150, many)[0], 'scrolling is needed anyway').toBe(120)
})

it('regression: dates are not truncated when space is short, since their digits and dashes have equal widths', () => {
  const of = (date: string) =>
    fitColumns(buildGridColumns(buildFrame({ day: [date] }), [column('day', { format: '%Y-%m-%d' })], 'en'), 1, 0)
  const drawn = 10 * 0.65 * 12
  expect(of('2011-11-11')[0]).toBeGreaterThanOrEqual(drawn + 17)
  expect(of('2011-11-11')).toEqual(of('2000-00-00'))
})

it('a custom width is preserved when space is short', () => {
  expect(widths(0, [column('city', { width: 300 })])).toEqual([300])
})
