import type { DatasetFacts } from '@parquetry/charts'
import { describe, expect, it } from 'vitest'
import { suggestForms } from './suggest-forms.ts'

const number = { type_generic: 0, is_dttm: false }
const text = { type_generic: 1, is_dttm: false }
const time = { type_generic: 2, is_dttm: true }
const dataset = (columns: DatasetFacts['columns'], main_dttm_col: string | null = null) => ({
  id: 7,
  type: 'table',
  columns,
  main_dttm_col,
  metrics: [{ metric_name: 'count' }],
})
const kinds = (...columns: DatasetFacts['columns']) =>
  suggestForms(dataset(columns)).map(({ form }) => form['viz_type'])

it('a time, a category and a number yield six charts of the number', () => {
  const found = suggestForms(
    dataset(
      [
        { column_name: 'id', ...number },
        { column_name: 'placed', ...time },
        { column_name: 'day', ...time },
        { column_name: 'region', ...text },
        { column_name: 'revenue', ...number },
      ],
      'day',
    ),
  )
  expect(found.map(({ title }) => title)).toEqual([
    'Total revenue',
    'Revenue over time',
    'Revenue by region',
    'Share of revenue by region',
    'Revenue over time, by region',
    'Rows',
  ])
  // The series of the trend add up to the total.
  expect(found[4]?.form).toMatchObject({ series_limit: 8, group_others_when_limit_reached: true })
  expect(found[1]?.form).toMatchObject({ datasource: '7__table', x_axis: 'day', metrics: [{ label: 'SUM(revenue)' }] })
})

it('titles charts with the column labels', () => {
  const described = {
    ...dataset([
      { column_name: 'placed', ...time },
      { column_name: 'rgn_cd', ...text },
      { column_name: 'amt', ...number },
    ]),
    verbose_map: { rgn_cd: 'Region', amt: 'Revenue', placed: null },
  }
  const found = suggestForms(described)
  expect(found.map(({ title }) => title)).toEqual([
    'Total Revenue',
    'Revenue over time',
    'Revenue by Region',
    'Share of Revenue by Region',
    'Revenue over time, by Region',
    'Rows',
  ])
  expect(found[2]?.form).toMatchObject({ x_axis: 'rgn_cd', metrics: [{ label: 'SUM(amt)' }] })
})

it('regression: three years were drawn by day; the grain yields 30 to 120 points, and the title names it', () => {
  const known = { time_grain_sqla: [['P1D', 'Day'] as const, ['P1W', 'Week'] as const, ['P1M', 'Month'] as const] }
  const orders = {
    ...dataset([
      { column_name: 'day', ...time },
      { column_name: 'revenue', ...number },
    ]),
    ...known,
  }
  const span = { from: Date.UTC(2023, 0, 1), to: Date.UTC(2025, 11, 31) }
  const columns = { day: { filled: 9, span }, revenue: { filled: 9, distinct: 8 } }
  const found = suggestForms(orders, { rows: 9, columns })
  expect(found[1]).toMatchObject({ title: 'Revenue by month', form: { time_grain_sqla: 'P1M' } })
  expect(suggestForms(orders)[1]).toMatchObject({ title: 'Revenue over time', form: { time_grain_sqla: 'P1D' } })
})

it('regression: monthly data are drawn by month, which the number of their times tells', () => {
  const known = { time_grain_sqla: [['P1D', 'Day'] as const, ['P1W', 'Week'] as const, ['P1M', 'Month'] as const] }
  const sales = {
    ...dataset([
      { column_name: 'month', ...time },
      { column_name: 'revenue', ...number },
    ]),
    ...known,
  }
  const span = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2024, 11, 1), distinct: 12 }
  const facts = { rows: 48, columns: { month: { filled: 48, span }, revenue: { filled: 48, distinct: 40 } } }
  expect(suggestForms(sales, facts)[1]).toMatchObject({
    title: 'Revenue by month',
    form: { time_grain_sqla: 'P1M' },
  })
})

it('regression: every chart of a dataset with a time column has a time range filter', () => {
  const found = suggestForms(
    dataset([
      { column_name: 'day', ...time },
      { column_name: 'region', ...text },
      { column_name: 'revenue', ...number },
    ]),
  )
  expect(found).toHaveLength(6)
  for (const { title, form } of found)
    expect(form['adhoc_filters'], title).toMatchObject([{ subject: 'day', operator: 'TEMPORAL_RANGE' }])
})

it('counts numeric identifiers instead of summing them', () => {
  const [total] = suggestForms(
    dataset([
      { column_name: 'customer_id', ...number },
      { column_name: 'zip', ...number },
    ]),
  )
  expect(total).toMatchObject({ title: 'Total rows', form: { metric: 'count' } })
})

it('omits charts that the columns do not support; fewer than two usable columns yield only the rows', () => {
  expect(kinds({ column_name: 'a', ...number }, { column_name: 'b', ...text })).toEqual([
    'big_number_total',
    'echarts_timeseries_bar',
    'pie',
    'histogram_v2',
    'table',
  ])
  expect(kinds({ column_name: 'a', ...text })).toEqual(['table'])
  expect(kinds({ column_name: 'flag', type_generic: 3, is_dttm: false })).toEqual(['table'])
})

it('selects columns from one pass over the data: a filled time, dimensions of 2 to 30 values, numbers that are not keys', () => {
  const table = dataset(
    [
      { column_name: 'deleted', ...time },
      { column_name: 'placed', ...time },
      { column_name: 'order', ...text },
      { column_name: 'region', ...text },
      { column_name: 'channel', ...text },
      { column_name: 'serial', ...number },
      { column_name: 'revenue', ...number },
    ],
    'deleted',
  )
  const span = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2024, 11, 31) }
  const full = (distinct: number) => ({ filled: 500, distinct })
  const columns = {
    deleted: { filled: 3, span },
    placed: { filled: 500, span },
    order: full(500),
    region: full(4),
    channel: full(3),
    serial: full(500),
    revenue: full(480),
  }
  const found = suggestForms(table, { rows: 500, columns })
  expect(found.map(({ title }) => title)).toEqual([
    'Total revenue',
    'Revenue over time',
    'Revenue by region',
    'Share of revenue by channel',
    'Revenue over time, by region',
    'Rows',
  ])
  expect(found[1]?.form).toMatchObject({ x_axis: 'placed', time_grain_sqla: 'P1W' })
})

describe('the metric of suggestions', () => {
  const columns = [
    { column_name: 'day', ...time },
    { column_name: 'region', ...text },
    { column_name: 'bill_length_mm', ...number },
  ]
  const suggested = (metrics: { metric_name: string; expression: string }[], more: typeof columns = []) => {
    const found = suggestForms({
      ...dataset([...columns, ...more]),
      metrics: [{ metric_name: 'count', expression: 'COUNT(*)' }, ...metrics],
      verbose_map: { margin: 'Margin' },
    })
    return found.map(({ title, form }) => [title, form['viz_type']])
  }

  it('regression: is a saved metric before a column', () => {
    const revenue = { column_name: 'revenue', ...number }
    const [total, ...others] = suggested([{ metric_name: 'sales', expression: 'SUM(amount)' }], [revenue])
    expect(total).toEqual(['Sales', 'big_number_total'])
    expect(others.slice(0, 4)).toEqual([
      ['Sales over time', 'echarts_timeseries_line'],
      ['Sales by region', 'echarts_timeseries_bar'],
      ['Share of sales by region', 'pie'],
      ['Sales over time, by region', 'echarts_area'],
    ])
  })

  it('regression: is averaged, and neither stacked nor shown in shares, if it cannot be summed', () => {
    const averaged = [
      ['Average bill_length_mm', 'big_number_total'],
      ['Average bill_length_mm over time', 'echarts_timeseries_line'],
      ['Average bill_length_mm by region', 'echarts_timeseries_bar'],
      ['Average bill_length_mm over time, by region', 'echarts_timeseries_line'],
      ['How bill_length_mm is spread', 'histogram_v2'],
      ['Rows', 'table'],
    ]
    expect(suggested([])).toEqual(averaged)
    const margin = suggested([{ metric_name: 'margin', expression: 'SUM(a) / SUM(b)' }])
    expect(margin.map(([, type]) => type)).toEqual(averaged.map(([, type]) => type))
    expect(margin[1]?.[0]).toBe('Margin over time')
  })
})
