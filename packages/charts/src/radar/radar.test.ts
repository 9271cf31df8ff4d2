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
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'radar')

const frames = toFrames({
  shapes: [
    { name: 'kind', values: ['a', null] },
    { name: 'speed', values: [10, 5] },
    { name: 'price', values: [-4, 4] },
    { name: 'room', values: [3, null] },
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
const families = await loadFamilies(['radar'])
interface Drawn {
  name: string
  value: (number | '-')[]
  lineStyle: { opacity: number }
  label: { show: boolean; position: string; formatter: (params: { dimensionIndex?: number }) => string }
}
const baseForm = { viz_type: 'radar', groupby: ['kind'], metrics: ['speed', 'price', 'room'] }
const drawn = (more: object = {}, looks: object = {}, answer = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, { ...around, ...looks }, families)
}
const shapes = (...given: Parameters<typeof drawn>) => (drawn(...given).option.series as { data: Drawn[] }[])[0]!.data

it('sorts the query by the sort metric, or by the first metric', () => {
  const question = (more: object) => chart.queries(applyDefaults(chart.form, { ...baseForm, ...more }), {}).shapes
  expect(question({})).toEqual({
    columns: ['kind'],
    metrics: ['speed', 'price', 'room'],
    orderby: [['speed', false]],
    row_limit: 10,
  })
  expect(question({ timeseries_limit_metric: 'weight' })?.orderby).toEqual([['weight', false]])
  expect(question({ metrics: [] })?.orderby).toEqual([])
})

it('each axis ranges from zero or its minimum to its maximum, or between the bounds of the form', () => {
  expect(shapes().map(({ value }) => value)).toEqual([
    [1, 0, 1],
    [0.5, 1, '-'],
  ])
  const column_config = {
    speed: { radarMetricMaxValue: 20 },
    price: { radarMetricMinValue: -12, radarMetricMaxValue: 4 },
  }
  expect(shapes({ column_config }).map(({ value }) => value)).toEqual([
    [0.5, 0.5, 1],
    [0.25, 1, '-'],
  ])
  expect(shapes({ column_config: { speed: { radarMetricMaxValue: 5 } } })[0]?.value[0]).toBe(1)
})

it('labels points with their own values in the format of each metric', () => {
  const labels = (more: object) =>
    [0, 1, 2].map((dimensionIndex) => shapes(more)[0]?.label.formatter({ dimensionIndex }))
  expect(labels({})).toEqual(['10', '−4', '3'])
  expect(labels({ label_type: 'key_value', number_format: '.1f' })).toEqual(['a: 10.0', 'a: -4.0', 'a: 3.0'])
  expect(shapes({ show_labels: false })[0]?.label.show).toBe(false)
  expect(shapes({ label_position: 'insideTopLeft' })[0]?.label.position).toBe('insideTopLeft')
})

it('arrow keys move between axes and shapes', () => {
  const resolved = drawn()
  let place = resolved.navigate(null, 'next')
  const markTexts = (['next', 'down', 'next', 'next', 'up', 'first', 'previous', 'last'] as const).map((move) => {
    place = resolved.navigate(place, move) ?? place
    return place && resolved.markText(place)
  })
  expect(markTexts).toEqual([
    'a, price: -4',
    '∅, price: 4',
    '∅, room: ∅',
    '∅, room: ∅',
    'a, room: 3',
    'a, speed: 10',
    'a, speed: 10',
    'a, room: 3',
  ])
})

it('a click on a shape filters by it and fades the others; the tooltip lists all of its values', () => {
  const resolved = drawn()
  const place = resolved.fromTarget({ seriesIndex: 0, dataIndex: 1 })
  expect(place && resolved.mark(place, baseForm)).toMatchObject({
    filters: [{ col: 'kind', op: 'IS NULL' }],
    row: { kind: null, speed: 5, price: 4, room: null },
  })
  expect(place && resolved.toTarget(place)).toEqual({ seriesIndex: 0, dataIndex: 1 })
  const faded = shapes({}, { selected: { kind: 'a' } }).map(({ lineStyle }) => lineStyle.opacity)
  expect(faded).toEqual([1, 0.25])
  const { formatter } = resolved.option.tooltip as { formatter: (params: object) => string }
  expect(formatter({ seriesIndex: 0, dataIndex: 0 })).toMatch(/speed.*10.*price.*-4.*room.*3/)
})

it('describes the number of shapes and the leading one', () => {
  expect(drawn().describe('Radar Chart')).toBe('Radar Chart of speed, price, room with 2 shapes. Highest speed: a, 10.')
  const one = drawn({ groupby: [] })
  expect(one.describe('Radar Chart')).toBe('Radar Chart of speed, price, room. speed: 10.')
  expect(one.legend).toEqual([])
})

it('a shape that is hidden in the legend is removed; the axes keep their ranges', () => {
  const left = shapes({}, { hidden: new Set(['a']) })
  expect(left.map(({ value }) => value)).toEqual([[0.5, 1, '-']])
})

it.each(Object.entries(buildHostileFrames('kind', 'speed')))('draws %s', async (_, { rows }) => {
  const answer = { shapes: rows }
  const numbers = Array.from({ length: rows.rows }, (__, row) => finiteAt(rows.columns[1]!, row))
  expect(drawn({}, {}, answer).isEmpty).toBe(numbers.every((number) => number === null))
  // ECharts takes seconds for this many marks, and they add nothing to the test
  if (rows.rows > 1000) return
  const { svg } = await drawChart('radar', answer, { ...baseForm, label_type: 'key_value' }, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
