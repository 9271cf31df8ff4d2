import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'funnel')

const frames = toFrames({
  steps: [
    { name: 'step', values: ['visit', 'basket', 'order', null] },
    { name: 'n', values: [200, 100, 25, 0] },
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
const families = await loadFamilies(['funnel'])
interface Drawn {
  name: string
  value: number
  itemStyle: { opacity: number }
  label: { show: boolean; position: string; width: number; formatter: () => string }
}
const baseForm = { viz_type: 'funnel', groupby: ['step'], metric: 'n' }
const drawn = (more: object = {}, looks: object = {}, answer = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, { ...around, ...looks }, families)
}
const drawSteps = (...given: Parameters<typeof drawn>) =>
  (drawn(...given).option.series as { data: Drawn[] }[])[0]!.data
const announceSteps = (more: object = {}) => [0, 1, 2, 3].map((index) => drawn(more).markText({ series: 0, at: index }))

it('queries the ten largest steps, or steps in database order', () => {
  const question = (more: object) => chart.queries(applyDefaults(chart.form, { ...baseForm, ...more }), {}).steps
  const sorted = { sort_by_metric: true }
  expect(question(sorted)).toEqual({ columns: ['step'], metrics: ['n'], orderby: [['n', false]], row_limit: 10 })
  for (const unsorted of [{}, { sort_by_metric: false }])
    expect(question({ ...unsorted, row_limit: 4 })).toMatchObject({ orderby: [], row_limit: 4 })
})

it('calculates percentages of the first step, the previous one, or the total', () => {
  expect(announceSteps()).toEqual(['visit: 200, 100%', 'basket: 100, 50%', 'order: 25, 12.5%', '∅: 0, 0%'])
  expect(announceSteps({ percent_calculation_type: 'prev_step' })[2]).toBe('order: 25, 25%')
  expect(announceSteps({ percent_calculation_type: 'total' })[0]).toBe('visit: 200, 61.5%')
})

it('shows the configured contents in labels and tooltips, by name or by the index of newer releases', () => {
  const labels = (label_type: unknown) => drawSteps({ label_type })[1]?.label.formatter()
  expect(['key', 'value', 'percent', 'key_value', 'key_value_percent', 'value_percent'].map(labels)).toEqual([
    'basket',
    '100',
    '50%',
    'basket: 100',
    'basket: 100 (50%)',
    '100 (50%)',
  ])
  expect([0, 1, 2, 3, 5, 6].map(labels)).toEqual([
    'basket',
    '100',
    '50%',
    'basket: 100',
    'basket: 100 (50%)',
    '100 (50%)',
  ])
  expect(announceSteps({ tooltip_label_type: 'key_value' })[1]).toBe('basket: 100')
  expect(announceSteps({ tooltip_label_type: 4 })[1]).toBe('basket: 50%')
})

it('labels are inside wide steps, beside narrow ones, and hidden if they do not fit', () => {
  expect(drawSteps().map(({ label }) => [label.show, label.position])).toEqual([
    [true, 'inside'],
    [true, 'inside'],
    [true, 'right'],
    [true, 'right'],
  ])
  expect(drawSteps({}, { height: 40 }).some(({ label }) => label.show)).toBe(false)
  expect(drawSteps({ show_labels: false }).some(({ label }) => label.show)).toBe(false)
})

it('filters by a step, fades the others, and supports keyboard navigation between steps', () => {
  const resolved = drawn()
  expect(resolved.mark({ series: 0, at: 3 }, baseForm)?.filters).toEqual([{ col: 'step', op: 'IS NULL' }])
  expect(resolved.mark({ series: 0, at: 1 }, baseForm)).toMatchObject({
    filters: [{ col: 'step', op: '==', val: 'basket' }],
    row: { step: 'basket', n: 100 },
  })
  const faded = drawSteps({}, { selected: { step: 'basket' } }).map(({ itemStyle }) => itemStyle.opacity)
  expect(faded).toEqual([0.25, 1, 0.25, 0.25])
  expect(resolved.navigate({ series: 0, at: 0 }, 'next')).toEqual({ series: 0, at: 1 })
  expect(resolved.describe('Funnel Chart')).toBe('Funnel Chart of n with 4 parts. Largest: visit, 200. Smallest: ∅, 0.')
})

it('removes a step hidden by the legend; the others keep their percentages', () => {
  const resolved = drawn({}, { hidden: new Set(['visit']) })
  expect(resolved.legend.map(({ name, isHidden }) => [name, isHidden])[0]).toEqual(['visit', true])
  expect(resolved.markText({ series: 0, at: 0 })).toBe('basket: 100, 50%')
})

it.each(Object.entries(buildHostileFrames('step', 'n')))('draws %s', async (_, { rows, isEmpty }) => {
  expect(drawn({}, {}, { steps: rows }).isEmpty).toBe(isEmpty)
  const form = { ...baseForm, label_type: 'key_value_percent', show_legend: false }
  // ECharts needs seconds for this many marks, which test nothing new
  if (rows.rows > 1000) return
  const { svg } = await drawChart('funnel', { steps: rows }, form, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
