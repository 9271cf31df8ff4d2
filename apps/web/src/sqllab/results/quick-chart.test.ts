import { buildFrame, toRows } from '@parquetry/frame'
import { describe, expect, it } from 'vitest'
import { buildQuickChart, suggestQuickChart } from './quick-chart.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const sales = buildFrame({
  city: ['Rome', 'Oslo', 'Rome', null],
  sold: [day(2), day(1), day(3), day(1)],
  price: [10, 20, 30, null],
})

describe('suggested chart', () => {
  it('draws a line over time, else bars of the first text, else number against number', () => {
    expect(suggestQuickChart(sales)).toEqual({ kind: 'line', x: 1, y: 2, aggregate: 'SUM' })
    expect(suggestQuickChart(buildFrame({ n: [1], city: ['Rome'] }))).toEqual({
      kind: 'bar',
      x: 1,
      y: 0,
      aggregate: 'SUM',
    })
    expect(suggestQuickChart(buildFrame({ a: [1], b: [2] }))).toEqual({ kind: 'scatter', x: 0, y: 1, aggregate: 'SUM' })
  })
  it('counts rows without a number column', () => {
    expect(suggestQuickChart(buildFrame({ city: ['Rome'] }))).toMatchObject({
      kind: 'bar',
      y: null,
      aggregate: 'COUNT',
    })
  })
})

describe('quick chart', () => {
  it('has one point per x, in row order', () => {
    const chart = buildQuickChart(sales, { kind: 'bar', x: 0, y: 2, aggregate: 'SUM' })
    expect(toRows(chart!.frames['series']!)).toEqual([
      { city: 'Rome', 'SUM(price)': 40 },
      { city: 'Oslo', 'SUM(price)': 20 },
      { city: null, 'SUM(price)': null },
    ])
    expect(chart?.form).toMatchObject({ viz_type: 'echarts_timeseries_bar', x_axis: 'city', metrics: ['SUM(price)'] })
  })
  it('orders a line by time, whatever the row order', () => {
    const chart = buildQuickChart(sales, { kind: 'line', x: 1, y: 2, aggregate: 'AVG' })
    expect(toRows(chart!.frames['series']!).map(({ sold }) => sold)).toEqual([1, 2, 3].map((n) => day(n).getTime()))
  })
  it('reports how many points it omits', () => {
    const many = buildFrame({ n: Array.from({ length: 500 }, (_, n) => `city ${n}`) })
    expect(buildQuickChart(many, { kind: 'pie', x: 0, y: null, aggregate: 'COUNT' })).toMatchObject({
      points: 12,
      all: 500,
    })
  })
  it('distinguishes a column from the aggregate drawn for it', () => {
    const chart = buildQuickChart(buildFrame({ 'COUNT(*)': ['a'] }), { kind: 'bar', x: 0, y: null, aggregate: 'COUNT' })
    expect(chart?.frames['series']?.columns.map(({ name }) => name)).toEqual(['COUNT(*) ', 'COUNT(*)'])
  })
  it('is null when its column does not exist', () => {
    expect(buildQuickChart(sales, { kind: 'bar', x: 9, y: null, aggregate: 'COUNT' })).toBeNull()
  })
})
