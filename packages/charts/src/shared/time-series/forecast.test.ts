import { expect, it } from 'vitest'
import line from '../../line/chart.ts'
import area from '../../area/chart.ts'
import bar from '../../bar/chart.ts'
import type { AnyChart } from '../../define.ts'
import { buildSpecContext } from '../../spec-context.ts'
import { namedQueries } from '../../query/build-query-context.ts'
import { applyDefaults } from '../../read-form.ts'
import { loadFamilies } from '../../resolve/families/load.ts'
import { resolveSpec } from '../../resolve/resolve-spec.ts'
import { themes } from '../../resolve/theme.ts'
import { englishTranslator } from '../../resolve/text.ts'
import { toFrames } from '../../testing/frames.ts'

const baseForm = { x_axis: 'day', time_grain_sqla: 'P1D', metrics: ['n'], forecastEnabled: true }
const days = [0, 1, 2, 3].map((at) => Date.UTC(2026, 0, 1 + at))
const frames = toFrames({
  series: [
    { name: 'day', kind: 'time', values: days },
    { name: 'n', values: [10, 12, null, null] },
    { name: 'n__yhat', values: [10.5, 11.5, 13, 14.25] },
    { name: 'n__yhat_lower', values: [9, 10, 11, 12] },
    { name: 'n__yhat_upper', values: [12, 13, 15, 16.5] },
  ],
})
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const families = await loadFamilies(['line', 'bar', 'forecast'])
const drawn = (chart: AnyChart, more: object = {}, looks: { until?: number; hidden?: Set<string> } = {}) => {
  const form = applyDefaults(chart.form, { viz_type: chart.viz_type, ...baseForm, ...more })
  const { until, ...host } = looks
  return resolveSpec(
    chart.spec(frames, form, buildSpecContext(form, { until })),
    frames,
    { ...around, ...host },
    families,
  )
}
interface Drawn {
  name: string
  id?: string
  stack?: string
  lineStyle: { type?: unknown }
  data: [number, number | null][]
}
const drawSeries = (...given: Parameters<typeof drawn>) => drawn(...given).option.series as Drawn[]
const valuesOf = ({ data }: Drawn) => data.map(([, value]) => value)
const lastStep = (more: object) =>
  namedQueries(line, { viz_type: 'echarts_timeseries_line', ...baseForm, ...more }).series?.post_processing?.at(-1)

it('appends the forecast step, with numbers from the controls even when stored as text', () => {
  expect(lastStep({})).toEqual({
    operation: 'prophet',
    options: {
      time_grain: 'P1D',
      periods: 10,
      confidence_interval: 0.8,
      yearly_seasonality: null,
      weekly_seasonality: null,
      daily_seasonality: null,
      index: 'day',
    },
  })
  const stored = { forecastPeriods: '3', forecastInterval: '0.5', forecastSeasonalityWeekly: true }
  const more = { forecastSeasonalityDaily: false, forecastSeasonalityYearly: '12' }
  expect(lastStep({ ...stored, ...more })?.options).toMatchObject({
    periods: 3,
    confidence_interval: 0.5,
    yearly_seasonality: 12,
    weekly_seasonality: true,
    daily_seasonality: false,
  })
  expect(lastStep({ forecastEnabled: false })).toEqual({ operation: 'flatten' })
})

it('does not forecast shares of a whole', () => {
  const form = { viz_type: 'echarts_area', ...baseForm, stack: 'Expand' }
  expect(namedQueries(bar, form).series?.post_processing?.at(-1)).toEqual({ operation: 'flatten' })
})

it('continues from the last known value as a dashed line in a band, under the same name', () => {
  const [known, next, low, range] = drawSeries(line)
  expect(valuesOf(known!)).toEqual([10, 12, null, null])
  expect(valuesOf(next!)).toEqual([null, 12, 13, 14.25])
  expect(next!.lineStyle.type).toEqual([5, 4])
  expect(valuesOf(low!)).toEqual([null, 12, 11, 12])
  expect(valuesOf(range!)).toEqual([null, 0, 4, 4.5])
  expect([next, low, range].map((each) => each!.name)).toEqual(['n', 'n', 'n'])
  expect(drawn(line, { show_legend: true }).legend.map(({ name }) => name)).toEqual(['n'])
  expect(drawSeries(line, { show_legend: true }, { hidden: new Set(['n']) })).toEqual([])
})

it('is not connected to bars, and has no bands in a stack', () => {
  expect(valuesOf(drawSeries(bar)[1]!)).toEqual([null, null, 13, 14.25])
  const stacked = drawSeries(bar, { stack: 'Stack' })
  expect(stacked.map(({ stack }) => stack)).toEqual(['all', 'forecast'])
})

it('in a stack all series switch to the forecast at the same point, with no area filled beyond it', () => {
  const two = toFrames({
    series: [
      { name: 'day', kind: 'time', values: days },
      { name: 'a', values: [1, 2, null, null] },
      { name: 'a__yhat', values: [1, 2, 3, 4] },
      { name: 'b', values: [5, null, null, null] },
      { name: 'b__yhat', values: [5, 6, 7, 8] },
    ],
  })
  const form = applyDefaults(area.form, { viz_type: 'echarts_area', ...baseForm, metrics: ['a', 'b'], stack: 'Stack' })
  const { option } = resolveSpec(area.spec(two, form, buildSpecContext(form)), two, around, families)
  expect((option.series as Drawn[]).map((each) => [each.name, ...valuesOf(each)])).toEqual([
    ['b', 5, 0, null, null],
    ['a', 1, 2, null, null],
    ['b', null, null, 7, 8],
    ['a', null, 2, 3, 4],
  ])
})

it('shows the approximate value and its range', () => {
  const resolved = drawn(line)
  const last = resolved.navigate(null, 'last')!
  expect(resolved.markText(last)).toBe('Sun, Jan 4, 2026, n: ≈ 14.25 (12 – 16.5)')
  const html = (resolved.option.tooltip as { formatter: (at: object[]) => string }).formatter([
    { seriesIndex: 0, dataIndex: 2 },
  ])
  expect(html).toContain('≈ 13 (11 – 15)')
  expect(html.match(/pq-tip-name/g)).toHaveLength(1)
})

it('arrow keys move from the series to its forecast and back', () => {
  const resolved = drawn(line)
  const known = resolved.navigate(resolved.navigate(null, 'first'), 'next')!
  expect(resolved.markText(known)).toBe('Fri, Jan 2, 2026, n: 12')
  const next = resolved.navigate(known, 'next')!
  expect(resolved.markText(next)).toBe('Sat, Jan 3, 2026, n: ≈ 13 (11 – 15)')
  expect(resolved.toTarget(next)).toMatchObject({ seriesIndex: 1, dataIndex: 2 })
  expect(resolved.navigate(next, 'previous')).toEqual(known)
  expect(resolved.navigate(next, 'down')).toBeNull()
})

it('represents no rows, so it neither filters nor drills', () => {
  const resolved = drawn(line)
  expect(resolved.mark(resolved.navigate(null, 'first')!, baseForm)).not.toBeNull()
  expect(resolved.mark(resolved.navigate(null, 'last')!, baseForm)).toBeNull()
})

it('is described separately from the known values', () => {
  expect(drawn(line).describe('Line Chart')).toBe(
    'Line Chart of n, Thu, Jan 1, 2026 to Fri, Jan 2, 2026. Highest: 12 (Fri, Jan 2, 2026). Lowest: 10 (Thu, Jan 1, 2026). Last: 12. Forecast for Sun, Jan 4, 2026: ≈ 14.25 (12 – 16.5).',
  )
})

it('an incomplete period is the last known one and is forecast as well', () => {
  const until = Date.UTC(2026, 0, 2, 12)
  const resolved = drawn(line, {}, { until })
  const [known, next] = drawSeries(line, {}, { until })
  expect(valuesOf(known!)).toEqual([10, null, 12, null, null])
  expect(valuesOf(next!)).toEqual([10, 11.5, 13, 14.25])
  expect(resolved.markText({ series: 0, at: 1 })).toBe('Fri, Jan 2, 2026 (incomplete), n: 12')
  expect(resolved.toTarget({ series: 0, at: 1 })).toEqual({ seriesIndex: 0, dataIndex: 2 })
  expect([0, 1, 2, 3, 4].map((dataIndex) => resolved.fromTarget({ seriesIndex: 0, dataIndex })?.at)).toEqual([
    0, 1, 1, 2, 3,
  ])
})
