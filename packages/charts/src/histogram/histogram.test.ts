import { buildFrame, postProcess } from '@parquetry/frame'
import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import { chooseBinFormat } from './bins.ts'
import chart from './chart.ts'

chartSuite(chart, 'histogram')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const families = await loadFamilies(['histogram'])
const baseForm = { viz_type: 'histogram_v2', column: 'v' }
/** Result of the chart's own query for these rows. */
function answer(form: object, rows: Record<string, unknown[]>) {
  const [query] = Object.values(namedQueries(chart, { ...baseForm, ...form }))
  return {
    bins: postProcess(
      buildFrame(rows),
      (query?.post_processing ?? []).flatMap((step) => step ?? []),
    ).frame,
  }
}
const numbers = { v: [0, 1, 2, 3, 4, 5, 6, 7, null] }
interface Option {
  xAxis: {
    axisPointer: { show?: false }
    axisLabel: { customValues: number[]; formatter: (index: number) => string }
  }[]
  yAxis: { minInterval?: number; axisLabel: { formatter: (value: number) => string } }
  series: {
    name: string
    data: number[]
    barCategoryGap: string | number
    itemStyle: { opacity: number }
    label?: object
  }[]
}
function drawn(form: object = {}, rows: Record<string, unknown[]> = numbers, looks: object = {}) {
  const settled = applyDefaults(chart.form, { ...baseForm, ...form })
  const frames = answer(form, rows)
  const resolved = resolveSpec(
    chart.spec(frames, settled, buildSpecContext(settled)),
    frames,
    { ...around, ...looks },
    families,
  )
  return { resolved, option: resolved.option as unknown as Option }
}
const announceBin = (form: object, index: number, rows?: Record<string, unknown[]>) =>
  drawn(form, rows).resolved.markText({ series: 0, at: index })

it('queries raw rows, which the server counts', () => {
  const form = { ...baseForm, groupby: ['g'], metric: 'count', bins: '8', row_limit: 100, normalize: true }
  const [query] = Object.values(namedQueries(chart, form))
  expect(query).toMatchObject({ columns: ['g', 'v'], metrics: null, row_limit: 100 })
  expect(query?.post_processing).toEqual([
    { operation: 'histogram', options: { column: 'v', groupby: ['g'], bins: 8, cumulative: false, normalize: true } },
  ])
})

it('counts each row once, in bins of equal width from the lowest to the highest number', () => {
  const { option } = drawn({ bins: 5 })
  expect(option.series[0]?.data).toEqual([2, 1, 2, 1, 2])
  const { customValues, formatter } = option.xAxis[1]!.axisLabel
  expect(customValues.map(formatter)).toEqual(['0', '1.4', '2.8', '4.2', '5.6', '7'])
  expect(option.xAxis.map(({ axisPointer }) => axisPointer.show)).toEqual([undefined, false])
})

it('shows exact bounds of bins although the column names are truncated to whole numbers', () => {
  expect(answer({ bins: 5 }, numbers).bins.columns.map(({ name }) => name)).toContain('2 - 4')
  expect(announceBin({ bins: 5 }, 2)).toBe('2.8 – 4.2, Rows: 2')
  expect(announceBin({ bins: 5, x_axis_format: '.2f' }, 2)).toBe('2.80 – 4.20, Rows: 2')
  const frames = toFrames({ bins: [{ name: '-5 - 10', values: [4] }] })
  const settled = applyDefaults(chart.form, baseForm)
  const bare = resolveSpec(chart.spec(frames, settled, buildSpecContext(settled)), frames, around, families)
  expect(bare.markText({ series: 0, at: 0 }), 'an answer that tells no ends').toBe('-5 – 10, Rows: 4')
})

it.each([
  [[0, 50, 100], ',.0~f'],
  [[0, 0.125, 0.25], ',.3~f'],
  [[1_000_000, 1_000_100, 1_000_200], '.6~s'],
  [[0, 1e9, 2e9], 'SMART_NUMBER'],
  [[1e9, 1e9 + 1e6, 1e9 + 2e6], ',.0~f'],
  [[0, 1e-7, 2e-7], '.2~s'],
  [[5, 5.00000001, 5.00000002], 'ALL_DIGITS'],
])('formats the bounds %j with as few digits as distinguish them', (ends, format) => {
  const counts = toFrames({ bins: [{ name: 'n', values: [1] }] }).bins!.columns[0]!
  expect(chooseBinFormat(ends.slice(1).map((high, index) => ({ low: ends[index]!, high, counts })))).toBe(format)
})

it('the axis has whole numbers for counts, but not for shares', () => {
  expect(drawn().option.yAxis.minInterval).toBe(1)
  expect(drawn({ normalize: true }).option.yAxis.minInterval).toBe(undefined)
})

it('shows shares of all rows, which add up to the whole', () => {
  const parts = { bins: 5, normalize: true }
  expect(announceBin(parts, 0)).toBe('0 – 1.4, Share of rows: 25%')
  expect(announceBin({ ...parts, cumulative: true }, 4)).toBe('5.6 – 7, Share of rows: 100%')
  expect(drawn(parts).option.yAxis.axisLabel.formatter(0.25)).toBe('25%')
  expect(announceBin({ ...parts, y_axis_format: '.3f' }, 0)).toContain('0.250')
})

describe('groups', () => {
  const rows = { g: ['a', 'a', 'b', null], v: [0, 4, 4, 2] }
  const form = { groupby: ['g'], bins: 2 }

  it('have bars side by side in common bins, with a legend', () => {
    const { option, resolved } = drawn(form, rows)
    expect(option.series.map(({ name, data }) => [name, data])).toEqual([
      ['a', [1, 1]],
      ['b', [0, 1]],
      ['∅', [0, 1]],
    ])
    expect(option.series[0]?.barCategoryGap).toBe('12%')
    expect(resolved.legend.map(({ name }) => name)).toEqual(['a', 'b', '∅'])
    expect(drawn({ ...form, show_legend: false }, rows).resolved.legend).toEqual([])
    expect(drawn({ bins: 2 }, rows).resolved.legend).toEqual([])
  })
  it('filter other charts by group, never by bin; bins are for drilling', () => {
    const { resolved } = drawn(form, rows)
    const within = (col: unknown, low: number, op: string, high: number) => [
      { col, op: '>=', val: low },
      { col, op, val: high },
    ]
    const first = resolved.mark({ series: 0, at: 0 }, { ...baseForm, ...form })
    expect(first?.filters).toEqual([{ col: 'g', op: '==', val: 'a' }])
    expect(first?.drill).toEqual([...first!.filters, ...within('v', 0, '<', 2)])
    expect(resolved.mark({ series: 2, at: 1 }, form)?.drill).toEqual([
      { col: 'g', op: 'IS NULL' },
      ...within('v', 2, '<=', 4),
    ])
    const summed = drawn({ ...form, cumulative: true }, rows).resolved.mark({ series: 0, at: 1 }, form)
    expect(summed?.drill.slice(1)).toEqual(within('v', 0, '<=', 4))
    const faded = drawn(form, rows, { selected: { g: 'b' } }).option.series.map(({ itemStyle }) => itemStyle.opacity)
    expect(faded).toEqual([0.25, 1, 0.25])
  })
})

it('thins labels that do not fit evenly, and hides values that do not fit over narrow bars', () => {
  const many = { v: Array.from({ length: 101 }, (_, index) => index) }
  const { customValues } = drawn({ bins: 50 }, many).option.xAxis[1]!.axisLabel
  const gaps = new Set(customValues.slice(1).map((end, index) => Math.round(end - customValues[index]!)))
  expect([customValues[0], gaps.size]).toEqual([0, 1])
  expect(customValues.length).toBeLessThan(20)
  const label = (bins: number) => drawn({ bins, show_value: true }, many).option.series[0]?.label
  expect([label(5), label(100)]).toEqual([expect.objectContaining({ show: true }), undefined])
})

it('describes the counted column and its range', () => {
  expect(drawn({ bins: 1 }).resolved.describe('Histogram')).toBe(
    'Histogram of v from 0 to 7 in 1 bin. Highest: 8 (0 – 7).',
  )
  expect(drawn({ groupby: ['g'], bins: 2 }, { g: ['a', 'b'], v: [1, 2] }).resolved.describe('Histogram')).toContain(
    '(1 – 1.5, a)',
  )
})

it('converts the legacy histogram with the first of its columns', async () => {
  const opened = await loadStoredForm({
    viz_type: 'histogram',
    all_columns_x: ['age', 'height'],
    link_length: '20',
    normalized: true,
    x_axis_label: 'Age',
    y_axis_label: 'People',
  })
  expect(opened?.chart.viz_type).toBe('histogram_v2')
  expect(opened?.form).toMatchObject({
    column: 'age',
    groupby: [],
    bins: 20,
    normalize: true,
    x_axis_title: 'Age',
    y_axis_title: 'People',
  })
  const bare = await loadStoredForm({ viz_type: 'histogram', all_columns_x: 'age', link_length: 'auto' })
  expect(bare?.form).toMatchObject({ column: 'age', bins: 5, normalize: false })
})

it.each(Object.entries(buildHostileFrames('g', '0 - 5')))('draws %s', async (_, { rows }) => {
  // ECharts needs seconds for this many series, which test nothing new
  if (rows.rows > 1000) return
  const { svg } = await drawChart('histogram_v2', { bins: rows }, { ...baseForm, groupby: ['g'], show_value: true })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})

it.each([
  ['no rows', []],
  ['nulls alone', [null, null]],
  ['one number', [7]],
  ['huge and tiny numbers', [Number.MIN_VALUE, 1e300]],
  ['negative numbers', [-5, -1, -3]],
])('draws %s', async (_, v) => {
  const { svg } = await drawChart('histogram_v2', answer({}, { v }), baseForm)
  expect(svg).not.toMatch(/NaN|Infinity/)
  expect(drawn({}, { v }).resolved.isEmpty).toBe(!v.some((value) => value !== null))
})
