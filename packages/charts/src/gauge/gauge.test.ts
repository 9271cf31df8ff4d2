import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { finiteAt } from '../shared/items.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { findOverlaps, readDrawnTexts } from '../testing/drawn-texts.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'
import { computeGaugeRange } from './axis-range.ts'

chartSuite(chart, 'gauge')

const several = toFrames({
  pointers: [
    { name: 'kind', values: ['a', null] },
    { name: 'n', values: [40, 10] },
  ],
})
const one = toFrames({ pointers: [{ name: 'n', values: [25] }] })
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const families = await loadFamilies(['gauge'])
interface Gauge {
  animation: boolean
  startAngle: number
  endAngle: number
  splitNumber: number
  axisLine: { roundCap: boolean; lineStyle: { width: number; color: [number, string][] } }
  axisLabel: { fontSize: number; formatter: (part: number) => string }
  axisTick: { show: boolean }
  splitLine: { show: boolean }
  progress: { show: boolean; overlap: boolean; width: number }
  data: {
    name: string
    value: number
    itemStyle: { opacity: number }
    pointer: { show: boolean }
    title: { show: boolean }
    detail: { show: boolean; formatter: () => string }
  }[]
}
const baseForm = { viz_type: 'gauge_chart', metric: 'n' }
const byKind = { groupby: ['kind'] }
const drawn = (more: object = {}, looks: object = {}, answer = one) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, { ...around, ...looks }, families)
}
const gauge = (...given: Parameters<typeof drawn>) => (drawn(...given).option.series as Gauge[])[0]!

it('queries the ten largest pointers, or one without a dimension', () => {
  const question = (more: object) => chart.queries(applyDefaults(chart.form, { ...baseForm, ...more }), {}).pointers
  const sorted = { sort_by_metric: true }
  expect(question(sorted)).toEqual({ columns: [], metrics: ['n'], orderby: [['n', false]], row_limit: 10 })
  for (const unsorted of [{}, { sort_by_metric: false }])
    expect(question({ ...byKind, ...unsorted })).toMatchObject({ columns: ['kind'], orderby: [] })
})

it('ranges from zero to about twice the largest value, or between the configured bounds', () => {
  expect(computeGaugeRange([344, 2], {})).toEqual({ min: 0, max: 800 })
  expect(computeGaugeRange([-40, 5], {})).toEqual({ min: -80, max: 10 })
  expect(computeGaugeRange([5], { min: 2, max: 6 })).toEqual({ min: 2, max: 6 })
  expect(computeGaugeRange([0, null], {})).toEqual({ min: 0, max: 1 })
  expect(computeGaugeRange([5], { min: 20 })).toEqual({ min: 20, max: 21 })
  expect(computeGaugeRange([5], { max: -3 })).toEqual({ min: -4, max: -3 })
  expect(Number.isFinite(computeGaugeRange([Number.MAX_VALUE], {}).max)).toBe(true)
  expect(gauge({ max_val: 100 }).data[0]?.value).toBe(0.25)
  expect(gauge({ min_val: 30, max_val: 40 }).data[0]?.value).toBe(0)
})

it('formats the value with the configured format and template', () => {
  const { data, axisLabel } = gauge({ max_val: 100, number_format: '.1f', value_formatter: '{value} km/h' })
  expect(data[0]?.detail.formatter()).toBe('25.0 km/h')
  expect([0, 0.1, 1].map(axisLabel.formatter)).toEqual(['0.0', '10.0', '100.0'])
  expect(gauge({ font_size: 30 }).axisLabel.fontSize).toBeGreaterThan(gauge().axisLabel.fontSize)
})

it('axis labels never overlap', () => {
  const written = (more: object, looks: object = {}) => {
    const { formatter } = gauge({ max_val: 1000, ...more }, looks).axisLabel
    return Array.from({ length: 11 }, (_, index) => formatter(index / 10)).filter(Boolean).length
  }
  expect(written({})).toBe(11)
  expect(written({ number_format: ',.4f' }, { width: 160, height: 160 })).toBeLessThan(6)
})

it('shows and hides parts as configured', () => {
  const plain = gauge()
  expect([plain.axisTick.show, plain.splitLine.show, plain.progress.show, plain.data[0]?.pointer.show]).toEqual([
    false,
    false,
    true,
    true,
  ])
  const other = gauge({ show_axis_tick: true, show_split_line: true, show_progress: false, show_pointer: false })
  expect([other.axisTick.show, other.splitLine.show, other.progress.show, other.data[0]?.pointer.show]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(gauge({ start_angle: 180, end_angle: 0, split_number: 4, round_cap: true })).toMatchObject({
    startAngle: 180,
    endAngle: 0,
    splitNumber: 4,
    axisLine: { roundCap: true },
  })
  const moves = (more: object) => gauge(more, { animate: true }).animation
  expect([moves({}), moves({ animation: false }), gauge().animation]).toEqual([true, false, false])
})

it('places rings side by side if they must not overlap', () => {
  const [together, apart] = [gauge(byKind, {}, several), gauge({ ...byKind, overlap: false }, {}, several)]
  expect(together.axisLine.lineStyle.width).toBe(together.progress.width)
  expect(apart.axisLine.lineStyle.width).toBe(2 * apart.progress.width)
})

it('bands have the scheme colors of their indices; values that are not numbers are skipped', () => {
  const bands = (more: object) =>
    gauge({ max_val: 100, color_scheme: 'd3Category10', ...more }).axisLine.lineStyle.color
  expect(bands({ intervals: '20, 50,x,', interval_color_indices: '4,1' })).toEqual([
    [0.2, '#d62728'],
    [0.5, '#1f77b4'],
    [1, themes.light.grid],
  ])
  expect(bands({ intervals: '50,20' })[0]).toEqual([0.2, '#1f77b4'])
  expect(bands({ intervals: '50', interval_color_indices: '-3' })[0]?.[0]).toBe(0.5)
  expect(bands({})).toEqual([[1, themes.light.grid]])
})

it('names, filters and fades several pointers; one without a dimension has the name of its metric', () => {
  const resolved = drawn(byKind, {}, several)
  expect(resolved.mark({ series: 0, at: 1 }, byKind)?.filters).toEqual([{ col: 'kind', op: 'IS NULL' }])
  expect(gauge(byKind, { selected: { kind: 'a' } }, several).data.map(({ itemStyle }) => itemStyle.opacity)).toEqual([
    1, 0.25,
  ])
  expect(gauge(byKind, {}, several).data.map(({ detail }) => detail.formatter())).toEqual([
    '{dot|}\u00a0\u00a0a: 40',
    '{dot|}\u00a0\u00a0∅: 10',
  ])
  const single = drawn()
  expect(single.legend).toEqual([])
  expect(single.mark({ series: 0, at: 0 }, {})).toBe(null)
  expect(single.markText({ series: 0, at: 0 })).toBe('n: 25')
})

it('describes its bounds', () => {
  expect(drawn({ max_val: 100 }).describe('Gauge Chart')).toBe('Gauge Chart. n: 25, between 0 and 100.')
  expect(drawn(byKind, {}, several).describe('Gauge Chart')).toBe(
    'Gauge Chart of n with 2 parts. Largest: a, 40. Smallest: ∅, 10.',
  )
})

it.each(Object.entries(buildHostileFrames('kind', 'n')))('draws %s', async (_, { rows }) => {
  const answer = { pointers: rows }
  const numbers = Array.from({ length: rows.rows }, (__, row) => finiteAt(rows.columns[1]!, row))
  const resolved = drawn(byKind, {}, answer)
  expect(resolved.isEmpty).toBe(numbers.every((number) => number === null))
  expect(JSON.stringify(resolved.option)).not.toMatch(/"value":null/)
  // ECharts needs seconds for this many marks, which test nothing new
  if (rows.rows > 1000) return
  const { svg } = await drawChart('gauge_chart', answer, { ...baseForm, ...byKind, intervals: '1,2' }, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})

it.each([
  [420, 260],
  [260, 200],
  [200, 160],
  [160, 110],
  [120, 80],
])(
  'regression: the texts of a gauge of %i x %i px do not cover each other, and show its values',
  async (width, height) => {
    for (const names of [['alpha'], ['alpha', 'beta'], ['alpha', 'beta', 'gamma rays and more']]) {
      const values = names.map((_, index) => 1_234_567 * (index + 1))
      const frames = toFrames({
        pointers: [
          { name: 'kind', values: names },
          { name: 'n', values },
        ],
      })
      const { svg } = await drawChart('gauge_chart', frames, { ...baseForm, ...byKind }, { width, height })
      const texts = readDrawnTexts(svg)
      expect(findOverlaps(texts)).toEqual([])
      expect(texts.map(({ text }) => text).join(' ')).toContain('1.23M')
    }
  },
)
