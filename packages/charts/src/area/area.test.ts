import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { applyDefaults } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { buildSpecContext } from '../spec-context.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { toFrames } from '../testing/frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'area')

it('regression: a form without `stack` is not stacked', () => {
  expect(applyDefaults(chart.form, { viz_type: 'echarts_area' }).stack).not.toBe('Stack')
  expect(applyDefaults(chart.form, { viz_type: 'echarts_area', stack: 'Stack' }).stack).toBe('Stack')
})

it('regression: shows the total of stacked areas, and their parts on demand', async () => {
  const frames = toFrames({
    series: [
      { name: 'at', kind: 'time', values: [0, 86_400_000] },
      { name: 'a', parts: ['a'], values: [123, 10] },
      { name: 'b', parts: ['b'], values: [111, null] },
    ],
  })
  const textsOf = async (more: object) => {
    const form = { x_axis: 'at', metrics: ['n'], groupby: ['k'], stack: 'Stack', show_value: true, ...more }
    const { svg } = await drawChart('echarts_area', frames, form)
    return [...svg.matchAll(/>(\d{2,3})<\/text>/g)].map(([, text]) => text)
  }
  const totals = await textsOf({ only_total: true })
  expect(totals).toContain('234')
  expect(totals).not.toContain('123')
  for (const parts of [{}, { only_total: false }])
    expect(await textsOf(parts)).toEqual(expect.arrayContaining(['123', '111']))
  const large = await textsOf({ only_total: false, percentage_threshold: 50 })
  expect(large).toContain('123')
  expect(large).not.toContain('111')
})

it('centers a stream on zero, also when the legend hides a band', async () => {
  const frames = toFrames({
    series: [
      { name: 'at', kind: 'time', values: [0, 86_400_000] },
      { name: 'a', parts: ['a'], values: [10, 4] },
      { name: 'b', parts: ['b'], values: [20, null] },
    ],
  })
  const families = await loadFamilies(['line'])
  const form = applyDefaults(chart.form, { x_axis: 'at', metrics: ['n'], groupby: ['k'], stack: 'Stream' })
  const spec = chart.spec(frames, form, buildSpecContext(form))
  const around = {
    theme: themes.light,
    locale: 'en',
    timeZone: 'UTC',
    translate: englishTranslator,
    width: 600,
    height: 300,
  }
  const drawn = (hidden: string[]) => {
    const { option } = resolveSpec(spec, frames, { ...around, hidden: new Set(hidden) }, families)
    const series = option.series as { data: [number, number][]; stackOrder: string; stackStrategy: string }[]
    expect(
      series.every(({ stackOrder, stackStrategy }) => stackOrder === 'seriesDesc' && stackStrategy === 'all'),
    ).toBe(true)
    const sums = (of: typeof series) => [0, 1].map((index) => of.reduce((sum, { data }) => sum + data[index]![1], 0))
    return [sums(series.slice(0, series.length / 2)), sums(series.slice(series.length / 2))]
  }
  expect(drawn([])).toEqual([
    [30, 4],
    [-15, -2],
  ])
  expect(drawn(['b'])).toEqual([
    [10, 4],
    [-5, -2],
  ])
})

it('regression: a band of zeros does not cover the edge of the band below', async () => {
  const frames = toFrames({
    series: [
      { name: 'at', kind: 'time', values: [0, 86_400_000] },
      { name: 'a', parts: ['a'], values: [10, 4] },
      { name: 'b', parts: ['b'], values: [0, 0] },
    ],
  })
  const form = applyDefaults(chart.form, { x_axis: 'at', metrics: ['n'], groupby: ['k'], stack: 'Stack' })
  const around = {
    theme: themes.light,
    locale: 'en',
    timeZone: 'UTC',
    translate: englishTranslator,
    width: 600,
    height: 300,
  }
  const families = await loadFamilies(['line'])
  const { option } = resolveSpec(chart.spec(frames, form, buildSpecContext(form)), frames, around, families)
  const [lower, upper] = option.series as [{ z: number }, { z: number }]
  expect(lower.z).toBeGreaterThan(upper.z)
})
