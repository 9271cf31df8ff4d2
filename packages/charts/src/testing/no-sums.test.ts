import type { QueryMetric } from '@parquetry/model'
import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { loadStoredForm } from '../registry.ts'
import { applyDefaults } from '../read-form.ts'
import { listKinds, loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { toFrames } from './frames.ts'

// Combined values of several marks are correct for sums and must not be shown for averages.
const metric = (aggregate: string): QueryMetric => ({
  expressionType: 'SIMPLE',
  column: { column_name: 'n' },
  aggregate,
  label: 'n',
})
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 400,
}
const columns = [
  { name: 'area', values: ['north', 'north', 'south', 'south'] },
  { name: 'city', values: ['Kiel', 'Bremen', 'Ulm', 'Bonn'] },
  { name: 'n', values: [40, 30, 20, 10] },
]
const answers = toFrames({ slices: columns, parts: columns, steps: columns, changes: columns })

async function drawn(viz_type: string, form: object, frames = answers) {
  const opened = await loadStoredForm({ viz_type, ...form })
  if (!opened) throw new Error(viz_type)
  const settled = applyDefaults(opened.chart.form, opened.form)
  const spec = opened.chart.spec(frames, settled, buildSpecContext(settled))
  return resolveSpec(spec, frames, around, await loadFamilies(listKinds(spec)))
}
const drawTexts = async (viz_type: string, form: object, frames = answers) => {
  const { svg } = await drawChart(viz_type, frames, { viz_type, ...form })
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text as string)
}
/** Returns the announcements of the marks in order. */
async function readMarkTexts(viz_type: string, form: object, frames = answers) {
  const resolved = await drawn(viz_type, form, frames)
  const texts: string[] = []
  for (let index = 0; resolved.has({ series: 0, at: index }); index++)
    texts.push(resolved.markText({ series: 0, at: index }))
  return texts
}

it('regression: others of a pie are not a sum of averages', async () => {
  const form = { groupby: ['city'], max_slices: 2, label_type: 'key_value_percent', show_total: true, donut: true }
  expect(await readMarkTexts('pie', { ...form, metric: metric('SUM') })).toContain('Others (2): 30, 30%')
  expect(await readMarkTexts('pie', { ...form, metric: metric('AVG') })).toEqual([
    'Kiel: 40',
    'Bremen: 30',
    'Others (2): not additive',
  ])
  const sums = await drawTexts('pie', { ...form, metric: metric('SUM') })
  expect(sums).toEqual(expect.arrayContaining(['Others (2): 30 (30%)', 'Total', '100']))
  const averages = await drawTexts('pie', { ...form, metric: metric('AVG') })
  expect(averages).toEqual(expect.arrayContaining(['Kiel: 40 (40%)', 'Others (2): 30%', 'Total', 'not additive']))
  expect(averages).not.toContain('100')
})

it('regression: draws the total of a pie if enabled', async () => {
  const form = { groupby: ['city'], metric: metric('SUM'), show_total: true }
  expect(await drawTexts('pie', form)).toContain('Total: 100')
  expect((await drawTexts('pie', { ...form, show_total: false })).join(' ')).not.toContain('Total')
})

it.each([
  ['treemap_v2', { groupby: ['area', 'city'], label_type: 'key_value' }],
  ['sunburst_v2', { columns: ['area', 'city'], label_type: 'key_value', show_total: true }],
])('regression: parts of averages do not show sums in %s', async (viz_type, form) => {
  const sums = await readMarkTexts(viz_type, { ...form, metric: metric('SUM') })
  expect(sums.slice(0, 2)).toEqual(['north: 70, 70%', 'north, Kiel: 40, 40%'])
  const averages = await readMarkTexts(viz_type, { ...form, metric: metric('AVG') })
  expect(averages.slice(0, 2)).toEqual(['north: not additive', 'north, Kiel: 40'])
  expect((await drawTexts(viz_type, { ...form, metric: metric('SUM') })).join(' ')).toMatch(/north\W+70/)
  const texts = (await drawTexts(viz_type, { ...form, metric: metric('AVG') })).join(' ')
  expect(texts).toContain('north')
  expect(texts).not.toMatch(/\b(70|100)\b/)
})

it('regression: a partition shows no sums of averages, in its parts or in the others', async () => {
  const form = { groupby: ['area', 'city'], partition_threshold: 0 }
  const averages = { ...form, metrics: [metric('AVG')] }
  expect((await readMarkTexts('partition', { ...form, metrics: [metric('SUM')] })).slice(0, 2)).toEqual([
    'n: 100',
    'north: 70, 70%',
  ])
  expect((await readMarkTexts('partition', averages)).slice(0, 3)).toEqual([
    'n: not additive',
    'north: not additive',
    'Kiel: 40',
  ])
  expect((await drawTexts('partition', averages)).filter((text) => /\d/.test(text))).toEqual(['40', '30', '20', '10'])
  const others = { groupby: ['city'], partition_limit: 2, partition_threshold: 0 }
  expect(await readMarkTexts('partition', { ...others, metrics: [metric('AVG')] })).toContain('2 others: not additive')
  expect(await readMarkTexts('partition', { ...others, metrics: [metric('COUNT')] })).toContain('2 others: 30, 30%')
})

it('regression: a funnel shows no percentages of a sum of averages', async () => {
  const form = { groupby: ['city'], percent_calculation_type: 'total' }
  expect((await readMarkTexts('funnel', { ...form, metric: metric('SUM') }))[0]).toBe('Kiel: 40, 40%')
  expect((await readMarkTexts('funnel', { ...form, metric: metric('MAX') }))[0]).toBe('Kiel: 40')
})

it('a waterfall, which consists of sums, states what they are sums of', async () => {
  const form = { x_axis: 'city' }
  const note = /Totals are sums of the values shown, because n is not additive\./
  expect((await drawTexts('waterfall', { ...form, metric: metric('AVG') })).join(' ')).toMatch(note)
  expect((await drawTexts('waterfall', { ...form, metric: metric('SUM') })).join(' ')).not.toMatch(note)
  const { describe } = await drawn('waterfall', { ...form, metric: metric('AVG') })
  expect(describe('Waterfall')).toMatch(note)
})

it('regression: stacked averages have no totals in tooltips or on bars', async () => {
  const frames = toFrames({
    series: [
      { name: 'kind', values: ['a', 'b'] },
      { name: 'x', values: [11, 13] },
      { name: 'y', values: [20, 30] },
    ],
  })
  const form = (aggregate: string) => ({
    x_axis: 'kind',
    metrics: [metric(aggregate)],
    groupby: ['city'],
    stack: 'Stack',
    show_value: true,
    only_total: true,
  })
  const tip = async (aggregate: string) =>
    (
      (await drawn('echarts_timeseries_bar', form(aggregate), frames)).option.tooltip as {
        formatter(params: object[]): string
      }
    ).formatter([{ seriesIndex: 0, dataIndex: 0 }])
  expect(await tip('SUM')).toMatch(/Total.*31/s)
  expect(await tip('AVG')).not.toMatch(/Total|%/)
  expect(await drawTexts('echarts_timeseries_bar', form('SUM'), frames)).toEqual(expect.arrayContaining(['31', '43']))
  const averages = await drawTexts('echarts_timeseries_bar', form('AVG'), frames)
  expect(averages).toEqual(expect.arrayContaining(['11', '13']))
  expect(averages).not.toContain('31')
})
