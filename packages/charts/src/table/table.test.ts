import type { Frame } from '@parquetry/frame'
import { frameOf } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { lookOf } from '../look.ts'
import { settle } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { writerOf } from './cells.ts'
import chart from './chart.ts'
import type { TableColumn } from './columns.ts'

chartSuite(chart, 'table')

const columnsOf = (frame: Frame, more: object): TableColumn[] => {
  const form = settle(chart.form, { viz_type: 'table', ...more })
  return chart.spec({ rows: frame }, form, lookOf(form))['columns'] as TableColumn[]
}

it('regression: raw records had no cell bars', () => {
  const frame = frameOf({ a: [1, 2], name: ['x', 'y'] })
  const barsOf = (more: object) =>
    columnsOf(frame, { query_mode: 'raw', all_columns: ['a', 'name'], ...more }).map(({ bars }) => bars !== null)
  expect(barsOf({})).toEqual([true, false])
  expect(barsOf({ show_cell_bars: false })).toEqual([false, false])
  expect(barsOf({ column_config: { a: { showCellBars: false } } })).toEqual([false, false])
})

it('regression: numbers and times had formats of their own; unless the form says otherwise they are those of the API', () => {
  const frame = frameOf({ day: [new Date('2003-02-24')], id: [100_000], amount: [11_712.5], rate: [0.12345] })
  const shown = (more: object) =>
    columnsOf(frame, { groupby: ['day', 'id'], metrics: ['amount', 'rate'], ...more }).map((column, at) => {
      const value = [Date.UTC(2003, 1, 24), 100_000, 11_712.5, 0.12345][at]
      return writerOf(column, 'en')(value)
    })
  expect(shown({})).toEqual(['2003-02-24 00:00:00', '100000', '11.7k', '0.1235'])
  expect(shown({ table_timestamp_format: '%d.%m.%Y' })[0]).toBe('24.02.2003')
  expect(shown({ time_grain_sqla: 'P1M', temporal_columns_lookup: { day: true } })[0]).toBe('February 2003')
  const column_config = {
    id: { d3NumberFormat: ',d' },
    amount: { d3NumberFormat: ',.1f', currencyFormat: { symbol: 'USD', symbolPosition: 'prefix' } },
    rate: { d3SmallNumberFormat: '.1%' },
  }
  expect(shown({ column_config }).slice(1)).toEqual(['100,000', '$ 11,712.5', '12.3%'])
})

it('regression: the noise of a sum is no digit of a number, and numerics of PostgreSQL are numbers', () => {
  const [plain, smart] = columnsOf(frameOf({ a: [1.5], m: [1.5] }), { groupby: ['a'], metrics: ['m'] })
  expect([1980.8500000000001, 0.1 + 0.2, 1234567890123, 1e-9].map(writerOf(plain!, 'en'))).toEqual([
    '1980.85',
    '0.3',
    '1234567890123',
    '1e-9',
  ])
  expect(['1980.8500000000000000', '11712.333333333333333'].map(writerOf(smart!, 'en'))).toEqual(['1.98k', '11.7k'])
})

it('regression: numbers that an engine sends as text were written as they came', () => {
  const frame = frameOf({ n: ['11712.50', '12345678901234567.89'] })
  const numeric: Frame = { ...frame, columns: frame.columns.map((column) => ({ ...column, numeric: true }) as never) }
  const [column] = columnsOf(numeric, { metrics: ['n'], column_config: { n: { d3NumberFormat: ',.1f' } } })
  const write = writerOf(column!, 'en')
  expect(['11712.50', '-0.25', '12345678901234567.89', 'NaN', null].map(write)).toEqual([
    '11,712.5',
    '-0.3',
    '12345678901234567.89',
    'NaN',
    '∅',
  ])
})
