import { buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { readColumnLooks } from './column-formats.ts'
import { toExcelFormat } from './excel-format.ts'
import { chooseNativeChart } from './native-chart.ts'

it.each([
  [',d', '#,##0'],
  ['d', '0'],
  ['.2f', '0.00'],
  [',.1f', '#,##0.0'],
  ['.1%', '0.0%'],
  [',.0%', '#,##0%'],
  ['$,.2f', '$#,##0.00'],
  ['+,.1f', '+#,##0.0;-#,##0.0;#,##0.0'],
  ['.3~f', '0.###'],
  ['.2e', '0.00E+00'],
  ['%Y-%m-%d', 'yyyy-mm-dd'],
  ['%d/%m/%Y %H:%M', 'dd/mm/yyyy hh:mm'],
  ['%H:%M:%S', 'hh:mm:ss'],
  ['.3s', null],
  ['SMART_NUMBER', null],
  ['smart_date', null],
  ['%q', null],
  ['";evil"', null],
  ['', null],
])('the number format %s is %s in a spreadsheet', (d3, excel) => {
  expect(toExcelFormat(d3)).toBe(excel)
})

const chart = (viz_type: string, form: object) => ({ id: 1, viz_type, form: { ...form }, title: 'T', dataset: {} })
const time = (values: number[]) =>
  ({
    name: 'day',
    kind: 'time',
    type: null,
    unit: 'datetime',
    validity: null,
    data: Float64Array.from(values),
  }) as const

it('columns have the formats of the form and the dataset, and numbers that group rows have none', () => {
  const { columns } = buildFrame({ year: [2020, 2021], sales: [1.5, 2.5], share: [0.5, 0.25] })
  const frame = { rows: 2, columns: [...columns, time([0, 86_400_000])] }
  const own = {
    ...chart('table', {
      groupby: ['year'],
      y_axis_format: ',.2f',
      column_config: { share: { d3NumberFormat: '.1%' } },
    }),
    dataset: { column_formats: { sales: '$,.0f' } },
  }
  expect(readColumnLooks(own, frame).map(({ format }) => format)).toEqual([null, '$#,##0', '0.0%', 'yyyy-mm-dd'])
  const heat = { ...chart('heatmap_v2', { y_axis_format: ',.0f' }), dataset: {} }
  const cells = buildFrame({ sales: [1, 2], rank: [0.5, 1] })
  expect(readColumnLooks(heat, cells).map(({ format }) => format)).toEqual(['#,##0', '0.0%'])
  const hours = { rows: 2, columns: [time([0, 3_600_000])] }
  expect(readColumnLooks(own, hours).map(({ format }) => format)).toEqual([null])
})

it('chooses the native chart by type', () => {
  const frame = buildFrame({ month: ['a', 'b'], x: [1, 2], y: [3, 4] })
  const choose = (viz_type: string, form: object = {}, rows = frame) => chooseNativeChart(chart(viz_type, form), rows)
  expect(choose('echarts_timeseries_line')).toMatchObject({
    kind: 'line',
    category: 0,
    series: [1, 2],
    isStacked: false,
  })
  expect(choose('echarts_area', { stack: 'Stack' })).toMatchObject({ kind: 'area', isStacked: true })
  expect(choose('echarts_timeseries_bar', { orientation: 'horizontal' })).toMatchObject({
    kind: 'bar',
    isHorizontal: true,
  })
  expect(choose('pie', { donut: true })).toMatchObject({ kind: 'doughnut', category: 0, series: [2] })
  expect(choose('bubble_v2', { x: 'x', y: { label: 'y' } })).toMatchObject({
    kind: 'scatter',
    category: 1,
    series: [2],
  })
  expect(choose('table')).toBeNull()
  expect(choose('echarts_timeseries_line', {}, buildFrame({ month: [] as string[], x: [] as number[] }))).toBeNull()
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`s${index}`, [1]]))
  expect(choose('echarts_timeseries_line', {}, buildFrame({ month: ['a'], ...many }))).toBeNull()
})
