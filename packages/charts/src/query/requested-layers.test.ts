import { expect, it } from 'vitest'
import { loadChart } from '../registry.ts'
import { buildQueryContext } from './build-query-context.ts'
import { withFilters } from './extra-form-data.ts'

const layer = {
  name: 'Power',
  annotationType: 'TIME_SERIES',
  sourceType: 'line',
  value: 7,
  show: true,
  showMarkers: true,
  color: '#ff0000',
  width: 3,
  overrides: { time_range: null, time_grain_sqla: null, time_shift: '1 year' },
}
const form = (...annotation_layers: unknown[]) => ({
  viz_type: 'echarts_timeseries_line',
  datasource: '1__table',
  x_axis: 'day',
  metrics: ['count'],
  time_grain_sqla: 'P1M',
  annotation_layers,
})
const requestLayers = async (stored: object, viz_type = 'echarts_timeseries_line') =>
  buildQueryContext((await loadChart(viz_type))!, { ...stored, viz_type }).queries[0]?.annotation_layers

it('includes only what the server must read, so that a change of appearance does not change the query', async () => {
  const before = await requestLayers(form(layer))
  expect(before).toMatchObject([{ name: 'Power', annotationType: 'TIME_SERIES', sourceType: 'line', value: 7 }])
  expect(
    await requestLayers(form({ ...layer, color: '#00ff00', style: 'dotted', showMarkers: false, showLabel: true })),
  ).toEqual(before)
})

it('excludes formulas, hidden layers and invalid entries', async () => {
  const formula = { name: 'F', annotationType: 'FORMULA', value: 'x' }
  expect(await requestLayers(form(formula, { ...layer, show: false }, null, 'x', { name: 'a' }))).toEqual([])
})

it('reads layers that are stored as JSON text', async () => {
  expect(await requestLayers({ ...form(), annotation_layers: JSON.stringify([layer]) })).toHaveLength(1)
})

it('a chart without annotation layers requests none', async () => {
  expect(await requestLayers({ ...form(layer), groupby: ['a'], metric: 'count' }, 'pie')).toEqual([])
})

it('an override without a value uses the current value of the chart', async () => {
  const overrides = async (stored: object) => ((await requestLayers(stored)) as (typeof layer)[])[0]?.overrides
  const filter = (subject: string, comparator: string) => ({
    expressionType: 'SIMPLE',
    clause: 'WHERE',
    operator: 'TEMPORAL_RANGE',
    subject,
    comparator,
  })
  const own = { ...form(layer), adhoc_filters: [filter('other', 'Last day'), filter('day', 'Last year')] }
  expect(await overrides(own)).toEqual({ time_range: 'Last year', time_grain_sqla: 'P1M', time_shift: '1 year' })
  expect(await overrides({ ...own, time_range: 'Last month' })).toMatchObject({ time_range: 'Last month' })
  const extra = { time_range: 'Last week', time_grain_sqla: 'P1D' }
  expect(await overrides(withFilters(own, [extra]))).toMatchObject(extra)
  const old = { ...layer, overrides: { since: null, until: null } }
  expect(await overrides(withFilters(form(old), [extra]))).toMatchObject({ time_range: 'Last week' })
  const fixed = { ...layer, overrides: { time_range: '2020 : 2021' } }
  expect(await overrides(withFilters(form(fixed), [extra]))).toEqual({ time_range: '2020 : 2021' })
})
