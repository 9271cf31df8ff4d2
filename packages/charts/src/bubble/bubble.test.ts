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
import chart from './chart.ts'

chartSuite(chart, 'bubble')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 400,
}
const families = await loadFamilies(['bubble'])
const baseForm = { viz_type: 'bubble_v2', entity: 'city', series: 'land', x: 'rent', y: 'income', size: 'people' }
const question = (form: object) => Object.values(namedQueries(chart, { ...baseForm, ...form }))[0]

const frames = toFrames({
  bubbles: [
    { name: 'city', values: ['Ulm', 'Graz', 'Bonn', null, 'Linz'] },
    { name: 'land', values: ['de', 'at', 'de', 'de', 'at'] },
    { name: 'rent', values: [10, 0, -5, 20, null] },
    { name: 'income', values: [30, 40, 50, 60, 70] },
    { name: 'people', values: [1, 16, 4, -3, 9] },
  ],
})
interface Option {
  series: {
    name: string
    data: { value: number[]; symbolSize: number; itemStyle: { color: string; borderColor: string; opacity: number } }[]
  }[]
  xAxis: Record<string, unknown> & { axisLabel: { rotate?: number; formatter: (value: number) => string } }
  yAxis: Record<string, unknown>
  grid: { bottom: number }
  title?: { text: string }
}
function drawn(form: object = {}, looks: object = {}, answer = frames) {
  const settled = applyDefaults(chart.form, { ...baseForm, ...form })
  const resolved = resolveSpec(
    chart.spec(answer, settled, buildSpecContext(settled)),
    answer,
    { ...around, ...looks },
    families,
  )
  return { resolved, option: resolved.option as unknown as Option }
}
const sizes = (form: object, looks?: object) =>
  Object.fromEntries(
    drawn(form, looks).option.series.flatMap(({ data }) => data.map(({ value, symbolSize }) => [value[1], symbolSize])),
  )

it('queries one row per entity with three metrics, largest first or in the configured order', () => {
  expect(question({ row_limit: 5 })).toMatchObject({
    columns: ['city', 'land'],
    metrics: ['rent', 'income', 'people'],
    orderby: [['people', false]],
    row_limit: 5,
  })
  expect(question({ orderby: 'rent' })?.orderby).toEqual([['rent', false]])
  expect(question({ orderby: 'rent', order_desc: false })?.orderby).toEqual([['rent', true]])
  expect(question({ orderby: [['rent', true]], size: 'rent' })).toMatchObject({
    metrics: ['rent', 'income'],
    orderby: [['rent', false]],
  })
  expect(question({ series: null })?.columns).toEqual(['city'])
  expect(question({ series: 'city' })?.columns).toEqual(['city'])
})

describe('the size of a bubble', () => {
  it('is its area: four times the value is twice as wide', () => {
    expect(sizes({ max_bubble_size: 20 })).toMatchObject({ 40: 40, 50: 20, 30: 10 })
    expect(sizes({ max_bubble_size: '12' })[40]).toBe(24)
  })
  it('stays relative to all bubbles when the legend hides a series', () => {
    expect(sizes({ max_bubble_size: 20 }, { hidden: new Set(['at']) })).toEqual({ 50: 20, 30: 10, 60: 8 })
  })
  it('has a minimum, and is limited in small charts', () => {
    expect(sizes({ max_bubble_size: 100 }, { height: 100 })[40]).toBe(30)
    expect(sizes({ max_bubble_size: 1 })[30]).toBe(4)
  })
  it('is that of a ring for values of zero or less', () => {
    const [de] = drawn().option.series
    const ring = de?.data.at(-1)
    expect(ring?.value).toEqual([20, 60])
    expect(ring?.itemStyle).toMatchObject({ color: themes.light.surface })
    expect(ring?.itemStyle.borderColor).not.toBe(themes.light.surface)
    expect(ring?.symbolSize).toBe(8)
  })
})

it('draws the largest bubbles first, so that the others are on top', () => {
  expect(drawn().option.series.map(({ name, data }) => [name, data.map(({ value }) => value[1])])).toEqual([
    ['de', [50, 30, 60]],
    ['at', [40]],
  ])
})

describe('bubbles without a position', () => {
  it('are counted below the chart instead of drawn: without a value, or not above zero on a logarithmic axis', () => {
    const words = ': values are missing, or not above zero on a logarithmic axis.'
    expect(drawn().option.title?.text?.replaceAll('\n', ' ')).toBe(`1 bubble is not shown${words}`)
    expect(drawn({ logXAxis: true }).option.title?.text?.replaceAll('\n', ' ')).toBe(`3 bubbles are not shown${words}`)
    expect(drawn({ logXAxis: true }).option.series.map(({ data }) => data.length)).toEqual([2, 0])
    expect(drawn({ logXAxis: true }).resolved.describe('Bubble Chart')).toContain('3 bubbles are not shown')
    expect(drawn({ logYAxis: true }).option.title?.text).toMatch(/^1 /)
    expect(drawn({ x: 'income' }).option.title).toBe(undefined)
  })
  it('reserve space for the note', () => {
    const bottom = (form: object, width = 400) => drawn(form, { width }).option.grid.bottom
    expect(bottom({}) - bottom({ x: 'income' })).toBeGreaterThanOrEqual(18)
    expect(bottom({}, 200) - bottom({})).toBeGreaterThanOrEqual(14)
  })
})

describe('the axes', () => {
  it('begin at zero unless truncated, then at their bounds', () => {
    expect(drawn().option.xAxis).not.toHaveProperty('scale')
    expect(drawn({ xAxisBounds: [1, 2] }).option.xAxis).not.toHaveProperty('min')
    expect(drawn({ truncateXAxis: true, xAxisBounds: [1, null] }).option.xAxis).toMatchObject({ scale: true, min: 1 })
    expect(drawn({ truncateYAxis: true, y_axis_bounds: [null, 90] }).option.yAxis).toMatchObject({ max: 90 })
    expect(drawn({ truncateXAxis: true, logXAxis: true, xAxisBounds: [0, 9] }).option.xAxis).not.toHaveProperty('min')
  })
  it('leave a margin around the outermost bubbles, but not below zero for non-negative values', () => {
    expect(drawn({ truncateXAxis: true }).option.xAxis.boundaryGap).toEqual(['6%', '6%'])
    expect(drawn({ truncateYAxis: true }).option.yAxis.boundaryGap).toEqual(['6%', '6%'])
    expect(drawn({ y: 'people', truncateYAxis: true, size: 'income' }).option.yAxis.boundaryGap).toEqual(['6%', '6%'])
    expect(drawn({}).option.yAxis.boundaryGap).toEqual([0, '6%'])
    const low = toFrames({
      bubbles: ['city', 'land', 'rent', 'income', 'people'].map((name) => ({ name, values: [1, 100] })),
    })
    expect(drawn({ truncateYAxis: true }, {}, low).option.yAxis.boundaryGap).toEqual([0, '6%'])
    expect(drawn({ logYAxis: true }).option.yAxis).not.toHaveProperty('boundaryGap')
  })
  it('use metric names or configured titles, and their own formats', () => {
    expect([drawn().option.xAxis.name, drawn({ y_axis_label: 'Euro' }).option.yAxis.name]).toEqual(['rent', 'Euro'])
    expect(drawn({ x_axis_label: ' ' }).option.xAxis.name, 'a space is no name').toBe(undefined)
    const { xAxis } = drawn({ xAxisFormat: '.2f', y_axis_format: '.0%', xAxisLabelRotation: 45 }).option
    expect([xAxis.axisLabel.formatter(3), xAxis.axisLabel.rotate]).toEqual(['3.00', 45])
  })
})

it('the tooltip shows all three values', () => {
  const form = { xAxisFormat: '.1f', tooltipSizeFormat: ',.2f' }
  expect(drawn(form).resolved.markText({ series: 0, at: 0 })).toBe('Bonn, de, rent: -5.0, income: 50, people: 4.00')
  expect(drawn({ series: null }).resolved.markText({ series: 0, at: 3 })).toBe('∅, rent: 20, income: 60, people: -3')
})

it('the legend lists the values of the dimension', () => {
  expect(drawn().resolved.legend.map(({ name }) => name)).toEqual(['de', 'at'])
  expect(drawn({ show_legend: false }).resolved.legend).toEqual([])
  expect(drawn({ series: null }).resolved.legend).toEqual([])
})

it('filters by entity and series, and fades a bubble when another one filters', () => {
  const { resolved } = drawn()
  expect(resolved.mark({ series: 0, at: 2 }, baseForm)).toMatchObject({
    filters: [
      { col: 'city', op: 'IS NULL' },
      { col: 'land', op: '==', val: 'de' },
    ],
    row: { city: null, land: 'de', rent: 20, income: 60, people: -3 },
  })
  const faded = drawn({ opacity: 0.8 }, { selected: { city: 'Bonn' } }).option.series[0]?.data
  expect(faded?.map(({ itemStyle }) => itemStyle.opacity)).toEqual([0.8, 0.2, 0.25])
  expect(resolved.navigate({ series: 0, at: 0 }, 'next')).toEqual({ series: 0, at: 1 })
  expect(resolved.navigate({ series: 0, at: 2 }, 'down')).toEqual({ series: 1, at: 0 })
})

it('describes the highest and the largest bubble', () => {
  expect(drawn({ x: 'income' }).resolved.describe('Bubble Chart')).toBe(
    'Bubble Chart of income by income with 5 bubbles. Highest income: 70 (Linz, at). Largest people: 16 (Graz, at).',
  )
})

it('regression: a logarithmic axis around close values does not extend to whole powers of ten', async () => {
  const textsOf = async (incomes: number[]) => {
    const bubbles = toFrames({
      bubbles: [
        { name: 'city', values: ['Ulm', 'Graz'] },
        { name: 'rent', values: [1, 2] },
        { name: 'income', values: incomes },
        { name: 'people', values: [1, 16] },
      ],
    })
    const form = { ...baseForm, series: null, logYAxis: true, show_legend: false }
    const { svg } = await drawChart('bubble_v2', bubbles, form, { width: 400, height: 300 })
    return [...svg.matchAll(/<text\b[^>]*>([^<]*)</g)].map(([, text]) => text)
  }
  expect(await textsOf([60, 225])).toEqual(expect.arrayContaining(['50', '100', '500']))
  expect(await textsOf([60, 225])).not.toContain('10')
  expect(await textsOf([6, 22_500])).toEqual(expect.arrayContaining(['1', '10', '100', '1k', '10k']))
})

it('converts the legacy bubble chart', async () => {
  const opened = await loadStoredForm({
    ...baseForm,
    viz_type: 'bubble',
    limit: 50,
    x_axis_format: '.1f',
    x_log_scale: true,
    x_ticks_layout: '45°',
    max_bubble_size: '40',
  })
  expect(opened?.chart.viz_type).toBe('bubble_v2')
  expect(opened?.form).toMatchObject({
    row_limit: 50,
    xAxisFormat: '.1f',
    logXAxis: true,
    xAxisLabelRotation: 45,
    truncateYAxis: true,
    max_bubble_size: '40',
  })
})

it.each(Object.entries(buildHostileFrames('city', 'income')))('draws %s', async (_, { rows }) => {
  const [, numbers] = rows.columns
  const columns = [...rows.columns, { ...numbers!, name: 'rent' }, { ...numbers!, name: 'people' }]
  const bubbles = { ...rows, columns }
  const form = { ...baseForm, series: null }
  for (const more of [{}, { logXAxis: true, logYAxis: true }, { truncateXAxis: true, truncateYAxis: true }]) {
    const { svg } = await drawChart('bubble_v2', { bubbles }, { ...form, ...more }, { title: 'x' })
    expect(svg).not.toMatch(/NaN|Infinity|<script/)
  }
})
