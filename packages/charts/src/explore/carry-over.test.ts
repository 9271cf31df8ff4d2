import { expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { loadChart } from '../registry.ts'
import { carryOver } from './carry-over.ts'

const dataset = {
  columns: [
    { column_name: 'date', is_dttm: true, type_generic: 2 },
    { column_name: 'origin', is_dttm: false, type_generic: 1 },
    { column_name: 'carrier', is_dttm: false, type_generic: 1 },
  ],
}
const [area, bar, bigNumber, line, pie, table, total] = [
  'echarts_area',
  'echarts_timeseries_bar',
  'big_number',
  'echarts_timeseries_line',
  'pie',
  'table',
  'big_number_total',
] as const

/** Returns the form after selecting these types one after the other. */
async function through(form: ChartForm, ...types: readonly string[]): Promise<ChartForm> {
  for (const type of types) {
    const [from, to] = await Promise.all([loadChart(String(form.viz_type)), loadChart(type)])
    form = carryOver(form, from, to!, dataset)
  }
  return form
}

const delays: ChartForm = {
  viz_type: area,
  x_axis: 'date',
  time_grain_sqla: 'P1M',
  metrics: ['count', 'delay'],
  groupby: ['origin'],
  color_scheme: 'd3Category10',
}

it('regression: an area chart that was a big number has its dimension again', async () => {
  expect(await through(delays, total, area)).toMatchObject(delays)
})

it('regression: restores grain, colors, metrics and dimensions, whatever types were selected in between', async () => {
  const all = await through(delays, line, bar, table, total, pie, bigNumber, area)
  expect(all).toMatchObject(delays)
})

it('regression: passes settings that one type does not know to the next type that does', async () => {
  expect(await through(delays, total, pie)).toMatchObject({ groupby: ['origin'], color_scheme: 'd3Category10' })
  expect(await through(delays, table, bar)).toMatchObject({ groupby: ['origin'], color_scheme: 'd3Category10' })
})

it('CTRL-008: stores settings unknown to the next type under the type that knows them, and restores them with it', async () => {
  const course = { ...delays, viz_type: line, rolling_type: 'mean', rolling_periods: 7 }
  const asPie = await through(course, pie)
  expect(Object.keys(asPie)).not.toContain('rolling_type')
  expect(asPie.parquetry).toMatchObject({ kept: { [line]: { rolling_type: 'mean', rolling_periods: 7 } } })
  expect(await through(asPie, total, line)).toMatchObject(course)
})

it('restores the value selected last, not the one stored first', async () => {
  const asPie = await through(delays, table, pie)
  const again = await through({ ...asPie, color_scheme: 'lapis' }, table, area)
  expect(again.color_scheme).toBe('lapis')
  expect((await through({ ...asPie, groupby: ['carrier'] }, total, area)).groupby).toEqual(['carrier'])
})

it('regression: restores a category axis after a chart that accepts only time on its axis', async () => {
  const bars = { viz_type: bar, x_axis: 'origin', metrics: ['count'], groupby: ['carrier'] }
  expect(await through(bars, bigNumber)).toMatchObject({ x_axis: 'date' })
  expect(await through(bars, bigNumber, bar)).toMatchObject(bars)
  expect(await through(bars, bigNumber, pie, bar)).toMatchObject(bars)
  expect(await through(bars, bigNumber, pie)).toMatchObject({ groupby: ['origin', 'carrier'] })
  expect(await through(bars, table, pie)).toMatchObject({ groupby: ['origin', 'carrier'] })
  expect(await through(bars, table, pie, bar)).toMatchObject(bars)
})

it('regression: restores a time among the columns of a table after a chart that accepts none', async () => {
  const rows = { viz_type: table, groupby: ['date', 'origin'], metrics: ['count'] }
  expect(await through(rows, pie)).toMatchObject({ groupby: ['origin'] })
  expect(await through(rows, pie, table)).toMatchObject(rows)
  expect(await through(rows, pie, total, table)).toMatchObject(rows)
  const other = { ...(await through(rows, pie)), groupby: ['carrier'] }
  expect((await through(other, total, table)).groupby).toEqual(['carrier'])
})

it('a form stored by an earlier release prefers the settings of the selected type', async () => {
  const kept = { pie: { donut: true, color_scheme: 'lapis' }, [line]: { area: true } }
  const back = await through({ viz_type: table, metrics: ['count'], parquetry: { title: 'Rows', kept } }, pie)
  expect(back).toMatchObject({ donut: true, color_scheme: 'lapis', parquetry: { title: 'Rows' } })
  expect(back.parquetry).toMatchObject({ kept: { [line]: { area: true } } })
})

it('dimensions of other charts become rows of a pivot table, including times, and vice versa', async () => {
  const rows = await through({ viz_type: table, groupby: ['date', 'origin'], metrics: ['count'] }, 'pivot_table_v2')
  expect(rows).toMatchObject({ groupbyRows: ['date', 'origin'], metrics: ['count'] })
  expect(rows).not.toHaveProperty('groupby')
  const crossed = { ...rows, groupbyColumns: ['carrier'], groupbyRows: ['origin'] }
  expect(await through(crossed, 'table')).toMatchObject({ groupby: ['origin'] })
  expect(await through(crossed, 'table', 'pivot_table_v2')).toMatchObject(crossed)
})

it('regression: carries dimensions over to a chart that names them `columns`, and back', async () => {
  const parts = { viz_type: pie, groupby: ['origin', 'carrier'], metric: 'count' }
  const rings = await through(parts, 'sunburst_v2')
  expect(rings).toMatchObject({ columns: ['origin', 'carrier'], metric: 'count' })
  expect(await through(parts, 'sunburst_v2', pie)).toMatchObject(parts)
  expect(await through({ ...rings, columns: ['carrier'] }, pie)).toMatchObject({ groupby: ['carrier'] })
  expect(await through(delays, 'sunburst_v2', area)).toMatchObject(delays)
})

it('regression: a list that becomes a time series has the grain of its span, and a sufficient row limit', async () => {
  const parts = { viz_type: pie, groupby: ['origin'], metric: 'count', row_limit: 10 }
  const years = { from: Date.UTC(1990, 0), to: Date.UTC(2020, 0) }
  const facts = { ...dataset, time_grain_sqla: ['P1D', 'P1M', 'P1Y'].map((grain) => [grain, grain] as const) }
  const become = async (form: ChartForm, type: string) =>
    carryOver(form, await loadChart(String(form.viz_type)), (await loadChart(type))!, facts, years)
  const course = await become(parts, line)
  expect(course).toMatchObject({ x_axis: 'date', time_grain_sqla: 'P1Y', row_limit: 10_000 })
  expect(await become(parts, bar)).toMatchObject({ x_axis: 'origin', row_limit: 10 })
  const instants = { ...course, time_grain_sqla: null }
  expect(await become(await become(instants, pie), line)).toMatchObject({ x_axis: 'date', time_grain_sqla: null })
})

it('regression: charts of a single dimension use the first one, and all of them are restored later', async () => {
  const two = { ...delays, viz_type: pie, metric: 'count', groupby: ['origin', 'carrier'] }
  expect(await through(two, 'word_cloud')).toMatchObject({ series: 'origin', metric: 'count' })
  expect(await through(two, 'para')).toMatchObject({ series: 'origin' })
  expect(await through(two, 'bubble_v2')).toMatchObject({ entity: 'origin' })
  expect(await through(delays, 'heatmap_v2')).toMatchObject({ x_axis: 'date', groupby: 'origin' })
  expect((await through(two, 'word_cloud', 'para', pie)).groupby).toEqual(['origin', 'carrier'])
  const other = { ...(await through(two, 'word_cloud')), series: 'carrier' }
  expect((await through(other, pie)).groupby).toEqual(['carrier'])
})
