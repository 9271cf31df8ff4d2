import { expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { carryOver } from '../explore/carry-over.ts'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { englishTranslator } from '../resolve/text.ts'
import { themes } from '../resolve/theme.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'pie')

const frames = toFrames({
  slices: [
    { name: 'kind', values: ['a', 'b', 'c', null] },
    { name: 'n', values: [60, 36, 3, 1] },
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
const families = await loadFamilies(['pie'])
const slices = (more: object) => {
  const form = applyDefaults(chart.form, { viz_type: 'pie', groupby: ['kind'], metric: 'n', ...more })
  const { option } = resolveSpec(chart.spec(frames, form, buildSpecContext(form)), frames, around, families)
  const [series] = option.series as { data: { name: string; value: number; label: { formatter: string } }[] }[]
  return series?.data ?? []
}

it('groups slices below the threshold unless there is only one', () => {
  expect(slices({ threshold_for_other: 5 }).map(({ name, value }) => [name, value])).toEqual([
    ['a', 60],
    ['b', 36],
    ['Others (2)', 4],
  ])
  expect(slices({ threshold_for_other: 2 }).map(({ name }) => name)).toEqual(['a', 'b', 'c', '∅'])
})

it('regression: keeps all slices when the form sets no maximum', () => {
  const names = Array.from({ length: 20 }, (_, index) => `kind ${index}`)
  const many = toFrames({
    slices: [
      { name: 'kind', values: names },
      { name: 'n', values: names.map((_, index) => 1000 - 50 * index) },
    ],
  })
  const form = applyDefaults(chart.form, { viz_type: 'pie', groupby: ['kind'], metric: 'n' })
  const [series] = chart.spec(many, form, buildSpecContext(form)).series as { data: { name: string }[] }[]
  expect(series?.data.map(({ name }) => name)).toEqual(names)
})

it('regression: groups the smallest slices of a new pie with forty slices and leaves a stored pie unchanged', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ kind: `kind ${index}`, n: 40 + ((7 * index) % 40) }))
  const many = toFrames({
    slices: [
      { name: 'kind', values: rows.map(({ kind }) => kind) },
      { name: 'n', values: rows.map(({ n }) => n) },
    ],
  })
  const drawn = (given: ChartForm) => {
    const form = applyDefaults(chart.form, given)
    const [series] = chart.spec(many, form, buildSpecContext(form)).series as {
      data: { name: string; value: number }[]
    }[]
    return series?.data ?? []
  }
  const bars = { viz_type: 'echarts_timeseries_bar', x_axis: 'kind', metrics: ['n'], groupby: [] }
  const slicesOfNew = drawn(carryOver(bars, undefined, chart))
  expect(
    slicesOfNew
      .slice(0, 8)
      .map(({ value }) => value)
      .toSorted((a, b) => a - b),
  ).toEqual([72, 73, 74, 75, 76, 77, 78, 79])
  expect(slicesOfNew.slice(8)).toMatchObject([{ name: 'Others (32)' }])
  expect(drawn({ viz_type: 'pie', groupby: ['kind'], metric: 'n' })).toHaveLength(40)
})

it('regression: numeric slice names have no thousands separators, such as 100000', () => {
  const byId = toFrames({
    slices: [
      { name: 'id', values: [100_000] },
      { name: 'n', values: [1] },
    ],
  })
  const form = applyDefaults(chart.form, { viz_type: 'pie', groupby: ['id'], metric: 'n' })
  const [series] = chart.spec(byId, form, buildSpecContext(form)).series as { data: { name: string }[] }[]
  expect(series?.data[0]?.name).toBe('100000')
})

it('fills a template with the name, value and share of a slice', () => {
  const [first] = slices({ label_type: 'template', label_template: '{name}: {value} of 100 ({percent})' })
  expect(first?.label.formatter).toBe('a: 60 of 100 (60%)')
})

it('regression: a form without a legend setting has a legend, and its query has the contribution column', () => {
  const form = applyDefaults(chart.form, { viz_type: 'pie', groupby: ['kind'], metric: 'n' })
  expect(chart.spec(frames, form, buildSpecContext(form))).toHaveProperty('legend')
  const { slices: query } = chart.queries(form, {})
  expect(query?.post_processing).toEqual([
    { operation: 'contribution', options: { columns: ['n'], rename_columns: ['n__contribution'] } },
  ])
})

it('regression: shrinks a narrow pie so that its labels fit', () => {
  const form = applyDefaults(chart.form, { viz_type: 'pie', groupby: ['kind'], metric: 'n', label_type: 'key_percent' })
  const radiusIn = (width: number, more: object = {}) => {
    const spec = chart.spec(frames, { ...form, ...more }, buildSpecContext(form))
    const { option } = resolveSpec(spec, frames, { ...around, width }, families)
    return [(option.series as [{ radius: unknown }])[0].radius].flat().map((radius) => parseFloat(String(radius)))
  }
  expect(radiusIn(600).at(-1)).toBe(70)
  const narrow = radiusIn(260).at(-1) as number
  expect(narrow).toBeLessThan(70)
  expect(narrow).toBeGreaterThanOrEqual(42)
  expect(radiusIn(260, { show_labels: false }).at(-1)).toBe(70)
})
