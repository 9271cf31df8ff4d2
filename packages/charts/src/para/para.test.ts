import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { buildAxisScale } from '../resolve/families/parallel/scales.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'para')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 800,
  height: 400,
}
const families = await loadFamilies(['parallel'])
const baseForm = { viz_type: 'para', series: 'kind', metrics: ['speed', 'price', 'room'] }
const frames = toFrames({
  lines: [
    { name: 'kind', values: ['a', 'b', null] },
    { name: 'speed', values: [10, 20, 15] },
    { name: 'price', values: [-1, 1, null] },
    { name: 'room', values: [3, 3, 3] },
    { name: 'weight', values: [100, null, 300] },
  ],
})
interface Axis {
  id: string
  name: string
  min: number
  max: number
  axisLabel: { customValues: number[]; formatter: (value: number) => string }
}
interface Option {
  parallel: { layout: string; left: number }
  parallelAxis: Axis[]
  graphic?: { children: { style: { text?: string } }[] }[]
  series: [{ data: { name: string; value: number[]; lineStyle: { color: string; opacity: number } }[] }]
}
const drawn = (more: object = {}, looks: object = {}, given = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(given, form, buildSpecContext(form)), given, { ...around, ...looks }, families)
}
const option = (...given: Parameters<typeof drawn>) => drawn(...given).option as unknown as Option
const lines = (...given: Parameters<typeof drawn>) => option(...given).series[0].data
const labels = ({ axisLabel }: Axis) => axisLabel.customValues.map((value) => axisLabel.formatter(value))

describe('query', () => {
  const question = (more: object) => namedQueries(chart, { ...baseForm, ...more }).lines
  it('has all metrics including the color metric, sorted by the sort metric or the first metric', () => {
    expect(question({ secondary_metric: 'weight' })).toMatchObject({
      columns: ['kind'],
      metrics: ['speed', 'price', 'room', 'weight'],
      orderby: [['speed', false]],
      row_limit: 10_000,
    })
    expect(question({ secondary_metric: 'price' })?.metrics).toEqual(['speed', 'price', 'room'])
    expect(question({ timeseries_limit_metric: 'x', order_desc: false })?.orderby).toEqual([['x', true]])
  })

  it('is limited to the number of series, as in older forms', () => {
    expect(question({ limit: '25' })).toMatchObject({ row_limit: 25, series_limit: 0 })
    expect(question({ limit: 25, row_limit: 5 })?.row_limit).toBe(5)
  })
})

describe('the scale of an axis', () => {
  it.each([
    [[12, 41], { min: 10, max: 50, ticks: [10, 20, 30, 40, 50] }],
    [[-0.4, 0.3], { min: -0.4, max: 0.4, ticks: [-0.4, -0.2, 0, 0.2, 0.4] }],
    [[0, 1_234_567], { min: 0, max: 1_500_000, ticks: [0, 500_000, 1_000_000, 1_500_000] }],
    [[7], { min: 3.5, max: 10.5, ticks: [7] }],
    [[0], { min: -1, max: 1, ticks: [0] }],
    [[], { min: 0, max: 1, ticks: [] }],
    [
      [-Number.MAX_VALUE, Number.MAX_VALUE],
      { min: -Number.MAX_VALUE, max: Number.MAX_VALUE, ticks: [-Number.MAX_VALUE, Number.MAX_VALUE] },
    ],
    [[0, Number.MIN_VALUE], { min: 0, max: Number.MIN_VALUE, ticks: [0, Number.MIN_VALUE] }],
  ])('of %j has even steps around its values', (values, scale) => {
    expect(buildAxisScale(values, 4)).toEqual(scale)
  })
})

it('each metric has its own axis, on which its values are placed', () => {
  const { parallelAxis } = option()
  expect(parallelAxis.map(({ id }) => id)).toEqual(['speed', 'price', 'room'])
  expect(parallelAxis.map(labels)).toEqual([['10', '15', '20'], ['∅', '−1', '−0.5', '0', '0.5', '1'], ['3']])
  expect(lines().map(({ value }) => value.slice(0, 2))).toEqual([
    [0, 0],
    [1, 1],
    [0.5, -0.12],
  ])
})

it('regression of ECharts: a line without a value does not cross the axis where a value would be', () => {
  const { parallelAxis } = option()
  expect(parallelAxis.map(({ min }) => min)).toEqual([-0.12, -0.12, -0.12])
  const without = toFrames({
    lines: [{ name: 'kind', values: ['a'] }, ...baseForm.metrics.map((name) => ({ name, values: [1] }))],
  })
  expect(option({}, {}, without).parallelAxis.map(({ min }) => min)).toEqual([0, 0, 0])
})

it('the first axis shows the names when the form requests it, or when there is only one metric', () => {
  const [names] = option({ include_series: true }).parallelAxis
  expect(names?.id).toBe('kind')
  expect(names && labels(names)).toEqual(['∅', 'b', 'a'])
  expect(lines({ include_series: true }).map(({ value }) => value[0])).toEqual([1, 0.5, 0])
  expect(option({ metrics: ['speed'] }).parallelAxis.map(({ id }) => id)).toEqual(['kind', 'speed'])
})

it('a second metric colors the lines, gray where it is null, and the range of its values is shown', () => {
  const colors = (more: object) => lines(more).map(({ lineStyle }) => lineStyle.color)
  expect(new Set(colors({})).size).toBe(1)
  const [low, none, high] = colors({ secondary_metric: 'weight' })
  expect([low !== high, none]).toEqual([true, themes.light.axis])
  expect(colors({ secondary_metric: 'weight', linear_color_scheme: 'dawn' })[2]).not.toBe(high)
  const legendTexts = option({ secondary_metric: 'weight' }).graphic?.[0]?.children.flatMap(
    ({ style }) => style.text ?? [],
  )
  expect(legendTexts).toEqual(['weight', '100', '300'])
  expect(option().graphic).toBe(undefined)
  expect(drawn({ secondary_metric: 'weight' }).describe('Lines')).toBe(
    'Lines of speed, price, room with 3 shapes. Highest speed: b, 20.',
  )
})

it('axes are stacked vertically when they do not fit side by side', () => {
  expect(option().parallel.layout).toBe('horizontal')
  expect(option({}, { width: 240 }).parallel.layout).toBe('vertical')
  const small = option({ secondary_metric: 'weight' }, { width: 240, height: 80 })
  expect(small.parallel.layout).toBe('horizontal')
  expect([small.parallelAxis[0]?.axisLabel.customValues, small.graphic]).toEqual([[], undefined])
})

it('arrow keys move between axes and lines; a click selects the line', () => {
  const resolved = drawn({ secondary_metric: 'weight' })
  let place = resolved.navigate(null, 'next')
  const markTexts = (['next', 'down', 'down', 'next'] as const).map((move) => {
    place = resolved.navigate(place, move) ?? place
    return place && resolved.markText(place)
  })
  expect(markTexts).toEqual(['a, price: -1', 'b, price: 1', '∅, price: ∅', '∅, room: 3'])
  const hit = resolved.fromTarget({ seriesIndex: 0, dataIndex: 1 })
  expect(hit && resolved.mark(hit, baseForm)).toMatchObject({
    filters: [{ col: 'kind', op: '==', val: 'b' }],
    row: { kind: 'b', speed: 20, price: 1, room: 3 },
  })
  const tooltip = resolved.option.tooltip as { formatter: (params: object) => string }
  expect(tooltip.formatter({ seriesIndex: 0, dataIndex: 0 })).toMatch(
    />a<.*speed.*10.*price.*-1.*room.*3.*weight.*100/s,
  )
  const faded = lines({}, { selected: { kind: 'b' } }).map(({ lineStyle }) => lineStyle.opacity)
  expect(faded[0]).toBeLessThan(faded[1] ?? 0)
})

it.each(Object.entries(buildHostileFrames('kind', 'speed')))('draws %s', async (name, { rows }) => {
  const isNothing = ['no rows', 'only nulls', 'NaN and infinities'].includes(name)
  const form = { ...baseForm, metrics: ['speed'] }
  expect(drawn(form, {}, { lines: rows }).isEmpty).toBe(isNothing)
  // ECharts takes seconds for this many lines, and they add nothing to the test
  if (rows.rows > 1000) return
  const { svg } = await drawChart('para', { lines: rows }, { ...form, secondary_metric: 'speed' }, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
