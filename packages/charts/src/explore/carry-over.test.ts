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

/** The form after these types were chosen one after the other. */
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

it('regression: an area that was a big number has its dimension again', async () => {
  expect(await through(delays, total, area)).toMatchObject(delays)
})

it('regression: grain, colours, metrics and dimensions come back whatever types were looked at between', async () => {
  const all = await through(delays, line, bar, table, total, pie, bigNumber, area)
  expect(all).toMatchObject(delays)
})

it('regression: what one type did not know goes to the next one that does', async () => {
  expect(await through(delays, total, pie)).toMatchObject({ groupby: ['origin'], color_scheme: 'd3Category10' })
  expect(await through(delays, table, bar)).toMatchObject({ groupby: ['origin'], color_scheme: 'd3Category10' })
})

it('CTRL-008: what the next type does not know is kept under the one that does, and comes back with it', async () => {
  const course = { ...delays, viz_type: line, rolling_type: 'mean', rolling_periods: 7 }
  const asPie = await through(course, pie)
  expect(Object.keys(asPie)).not.toContain('rolling_type')
  expect(asPie.parquetry).toMatchObject({ kept: { [line]: { rolling_type: 'mean', rolling_periods: 7 } } })
  expect(await through(asPie, total, line)).toMatchObject(course)
})

it('the value chosen last comes back, not the one that was kept first', async () => {
  const asPie = await through(delays, table, pie)
  const again = await through({ ...asPie, color_scheme: 'lapis' }, table, area)
  expect(again.color_scheme).toBe('lapis')
  expect((await through({ ...asPie, groupby: ['carrier'] }, total, area)).groupby).toEqual(['carrier'])
})

it('regression: a category on the axis comes back after a chart that takes nothing but time there', async () => {
  const bars = { viz_type: bar, x_axis: 'origin', metrics: ['count'], groupby: ['carrier'] }
  expect(await through(bars, bigNumber)).toMatchObject({ x_axis: 'date' })
  expect(await through(bars, bigNumber, bar)).toMatchObject(bars)
  expect(await through(bars, bigNumber, pie, bar)).toMatchObject(bars)
  expect(await through(bars, bigNumber, pie)).toMatchObject({ groupby: ['origin', 'carrier'] })
  expect(await through(bars, table, pie)).toMatchObject({ groupby: ['origin', 'carrier'] })
  expect(await through(bars, table, pie, bar)).toMatchObject(bars)
})

it('regression: a time among the columns of a table comes back after a chart that takes none', async () => {
  const rows = { viz_type: table, groupby: ['date', 'origin'], metrics: ['count'] }
  expect(await through(rows, pie)).toMatchObject({ groupby: ['origin'] })
  expect(await through(rows, pie, table)).toMatchObject(rows)
  expect(await through(rows, pie, total, table)).toMatchObject(rows)
  const other = { ...(await through(rows, pie)), groupby: ['carrier'] }
  expect((await through(other, total, table)).groupby).toEqual(['carrier'])
})

it('a form that was left by an earlier release comes back under its own type first', async () => {
  const kept = { pie: { donut: true, color_scheme: 'lapis' }, [line]: { area: true } }
  const back = await through({ viz_type: table, metrics: ['count'], parquetry: { title: 'Rows', kept } }, pie)
  expect(back).toMatchObject({ donut: true, color_scheme: 'lapis', parquetry: { title: 'Rows' } })
  expect(back.parquetry).toMatchObject({ kept: { [line]: { area: true } } })
})

it('the dimensions of other charts become rows of a pivot table, times among them, and its rows become theirs', async () => {
  const rows = await through({ viz_type: table, groupby: ['date', 'origin'], metrics: ['count'] }, 'pivot_table_v2')
  expect(rows).toMatchObject({ groupbyRows: ['date', 'origin'], metrics: ['count'] })
  expect(rows).not.toHaveProperty('groupby')
  const crossed = { ...rows, groupbyColumns: ['carrier'], groupbyRows: ['origin'] }
  expect(await through(crossed, 'table')).toMatchObject({ groupby: ['origin'] })
  expect(await through(crossed, 'table', 'pivot_table_v2')).toMatchObject(crossed)
})

it('regression: the dimensions were lost on the way to a chart that calls them columns, and back', async () => {
  const parts = { viz_type: pie, groupby: ['origin', 'carrier'], metric: 'count' }
  const rings = await through(parts, 'sunburst_v2')
  expect(rings).toMatchObject({ columns: ['origin', 'carrier'], metric: 'count' })
  expect(await through(parts, 'sunburst_v2', pie)).toMatchObject(parts)
  expect(await through({ ...rings, columns: ['carrier'] }, pie)).toMatchObject({ groupby: ['carrier'] })
  expect(await through(delays, 'sunburst_v2', area)).toMatchObject(delays)
})

it('regression: a list that becomes a course has the grain of its span, and rows enough for it', async () => {
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

it('regression: charts of a single dimension take the first one over, and give all of them back', async () => {
  const two = { ...delays, viz_type: pie, metric: 'count', groupby: ['origin', 'carrier'] }
  expect(await through(two, 'word_cloud')).toMatchObject({ series: 'origin', metric: 'count' })
  expect(await through(two, 'para')).toMatchObject({ series: 'origin' })
  expect(await through(two, 'bubble_v2')).toMatchObject({ entity: 'origin' })
  expect(await through(delays, 'heatmap_v2')).toMatchObject({ x_axis: 'date', groupby: 'origin' })
  expect((await through(two, 'word_cloud', 'para', pie)).groupby).toEqual(['origin', 'carrier'])
  const other = { ...(await through(two, 'word_cloud')), series: 'carrier' }
  expect((await through(other, pie)).groupby).toEqual(['carrier'])
})
