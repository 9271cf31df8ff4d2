import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'graph')

type Row = [source: string | null, target: string | null, value: number | null, kind?: string]
const buildFrames = (rows: Row[]) =>
  toFrames({
    links: ['from', 'to', 'n', 'kind'].map((name, index) => ({
      name,
      values: rows.map((row) => (row[index] ?? null) as string),
    })),
  })
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 640,
  height: 400,
}
const families = await loadFamilies(['graph'])
const baseForm = { viz_type: 'graph_chart', source: 'from', target: 'to', metric: 'n' }
const drawn = (given: Row[] | ReturnType<typeof toFrames>, more: object = {}, looks: object = {}) => {
  const answer = Array.isArray(given) ? buildFrames(given) : given
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, { ...around, ...looks }, families)
}
interface Drawn {
  left: number
  top: number
  width: number
  height: number
  data: {
    name: string
    x: number
    y: number
    symbolSize: number
    label?: { show: boolean }
    itemStyle: { color: string; opacity?: number }
  }[]
  links: { source: number; target: number; lineStyle: { width: number; opacity?: number } }[]
}
const drawSeries = (...given: Parameters<typeof drawn>) => (drawn(...given).option.series as Drawn[])[0]!
const nodePositions = (...given: Parameters<typeof drawn>) =>
  drawSeries(...given).data.map(({ name, x, y }) => [name, x, y])

const routes: Row[] = [
  ['a', 'b', 9, 'east'],
  ['b', 'c', 3, 'west'],
  ['c', 'a', 1, 'west'],
  ['c', 'd', 1, 'west'],
]

it('queries both ends of links and their categories, each column once', () => {
  expect(namedQueries(chart, baseForm).links).toMatchObject({
    columns: ['from', 'to'],
    metrics: ['n'],
    row_limit: 10_000,
  })
  const whole = { ...baseForm, source_category: 'kind', target_category: 'to' }
  expect(namedQueries(chart, whole).links?.columns).toEqual(['from', 'to', 'kind'])
})

describe('the layout', () => {
  it.each(['force', 'circular'])('%s gives the same positions each time, within the chart', (layout) => {
    const places = nodePositions(routes, { layout })
    expect(nodePositions(routes, { layout })).toEqual(places)
    expect(nodePositions(routes, { layout }, { theme: themes.dark })).toEqual(places)
    for (const [, x, y] of places as [string, number, number][]) {
      expect(x).toBeGreaterThan(0)
      expect(x).toBeLessThan(around.width)
      expect(y).toBeGreaterThan(0)
      expect(y).toBeLessThan(around.height)
    }
    const { left, top, width, height, data } = drawSeries(routes, { layout })
    // ECharts stretches the positions to the box of the series, so it must match them
    expect(left).toBeCloseTo(Math.min(...data.map(({ x }) => x)))
    expect(left + width).toBeCloseTo(Math.max(...data.map(({ x }) => x)))
    expect(top).toBeCloseTo(Math.min(...data.map(({ y }) => y)))
    expect(top + height).toBeCloseTo(Math.max(...data.map(({ y }) => y)))
  })

  it('places linked nodes closer than others', () => {
    const chain = Array.from({ length: 12 }, (_, index): Row => [`${index}`, `${index + 1}`, 1])
    const places = nodePositions(chain) as [string, number, number][]
    const distance = (a: number, b: number) => Math.hypot(places[a]![1] - places[b]![1], places[a]![2] - places[b]![2])
    expect(distance(0, 1)).toBeLessThan(distance(0, 12) / 3)
  })

  it('draws a single node, and nodes on one line', () => {
    expect(drawSeries([['a', 'a', 1]])).toMatchObject({ width: 2, height: 2, data: [{ name: 'a' }] })
    expect(drawSeries([['a', 'b', 1]], { layout: 'circular' }).data).toHaveLength(2)
  })

  it('nodes stay in place when the legend hides some', () => {
    const more = { source_category: 'kind' }
    const all = nodePositions(routes, more)
    const left = nodePositions(routes, more, { hidden: new Set(['east']) })
    expect(left).toEqual(all.filter(([name]) => name !== 'a'))
    const none = drawSeries(routes.slice(0, 1), more, { hidden: new Set(['east', 'west']) })
    expect(none).toMatchObject({ width: 2, height: expect.any(Number) as number })
  })
})

it('the larger the value, the larger the node and the wider the link', () => {
  const { data, links } = drawSeries(routes, { baseNodeSize: 20, baseEdgeWidth: 3 })
  expect(data.map(({ symbolSize }) => Math.round(symbolSize))).toEqual([35, 40, 21, 10])
  expect(links.map(({ lineStyle }) => lineStyle.width)).toEqual([6, 2.625, 1.5, 1.5])
})

it('labels nodes that reach the threshold', () => {
  const shown = (from: number) =>
    drawSeries(routes, { showSymbolThreshold: from }).data.map(({ label }) => label?.show ?? false)
  expect(shown(0)).toEqual([true, true, true, true])
  expect(shown(5)).toEqual([true, true, true, false])
})

it('colors nodes by category, and lists the categories in the legend', () => {
  expect(drawn(routes).legend).toEqual([])
  const resolved = drawn(routes, { source_category: 'kind' })
  expect(resolved.legend.map(({ name }) => name)).toEqual(['east', 'west'])
  const [east, west] = resolved.legend.map(({ color }) => color)
  const colors = drawSeries(routes, { source_category: 'kind' }).data.map(({ itemStyle }) => itemStyle.color)
  expect(colors.slice(0, 3)).toEqual([east, west, west])
  expect([east, west]).not.toContain(colors[3])
  expect(drawn(routes, { source_category: 'kind', show_legend: false }).legend).toEqual([])
})

it('a node filters by its own column, a link by both ends; the others fade', () => {
  const form = { ...baseForm, source: { sqlExpression: 'upper(x)', label: 'from', expressionType: 'SQL' } }
  const resolved = drawn(routes)
  const mark = (index: number) => resolved.mark({ series: 0, at: index }, form)
  expect(mark(0)).toMatchObject({ filters: [{ col: form.source, op: '==', val: 'a' }], label: 'a', row: { n: 10 } })
  expect(mark(3)).toMatchObject({ filters: [{ col: 'to', op: '==', val: 'd' }] })
  expect(mark(4)?.filters).toEqual([
    { col: form.source, op: '==', val: 'a' },
    { col: 'to', op: '==', val: 'b' },
  ])
  const { data, links } = drawSeries(routes, {}, { selected: { from: 'a', to: 'b' } })
  expect(data.map(({ itemStyle }) => itemStyle.opacity)).toEqual([undefined, undefined, 0.25, 0.25])
  expect(links.map(({ lineStyle }) => lineStyle.opacity)).toEqual([undefined, 0.1, 0.1, 0.1])
  const nothing = drawn([[null, 'b', 1]])
  expect(nothing.mark({ series: 0, at: 0 }, form)?.filters).toEqual([{ col: form.source, op: 'IS NULL' }])
})

it('navigates by keyboard along links, whose tooltips are at their middle', () => {
  const resolved = drawn(routes)
  const link = resolved.navigate({ series: 0, at: 0 }, 'next')!
  expect(resolved.markText(link)).toBe('a → b, n: 9')
  expect(resolved.markText(resolved.navigate(link, 'next')!)).toBe('b, Incoming: 9, Outgoing: 3')
  expect(resolved.navigate({ series: 0, at: 3 }, 'next')).toBe(null)
  const target = resolved.toTarget(link)
  expect(target).toMatchObject({ dataType: 'edge', dataIndex: 0 })
  const [a, b] = drawSeries(routes).data
  const middle = [(a!.x + b!.x) / 2, (a!.y + b!.y) / 2]
  const bent = Math.hypot(target.point![0] - middle[0]!, target.point![1] - middle[1]!)
  expect(bent).toBeLessThan(Math.hypot(a!.x - b!.x, a!.y - b!.y) / 10)
  expect(resolved.fromTarget({ seriesIndex: 0, dataIndex: 0, dataType: 'edge' })).toEqual(link)
  expect(resolved.fromTarget({ seriesIndex: 0, dataIndex: 0, dataType: 'node' })).toEqual({ series: 0, at: 0 })
})

it('reports a self-link, and draws negative values like positive ones', () => {
  const resolved = drawn([...routes, ['a', 'a', 2], ['e', 'a', -9]])
  expect((resolved.option.title as { text: string }).text).toBe('The link from a to itself is not shown.')
  const { links } = (resolved.option.series as Drawn[])[0]!
  expect(links).toHaveLength(5)
  expect(links[4]!.lineStyle.width).toBe(links[0]!.lineStyle.width)
  expect(resolved.describe('Graph Chart')).toBe(
    'Graph Chart of n with 5 nodes and 5 links. Largest: a → b, 9. The link from a to itself is not shown.',
  )
})

it('draws 2,000 nodes and links, none too small to see', () => {
  const many = Array.from({ length: 2000 }, (_, index): Row => [`n${index}`, `n${Math.floor(index / 3)}`, index % 50])
  const { data } = drawSeries(many)
  expect(data).toHaveLength(2000)
  expect(data.every(({ x, y, symbolSize }) => Number.isFinite(x + y) && symbolSize >= 2)).toBe(true)
})

it.each(Object.entries(buildHostileFrames('from', 'n')))('draws %s', async (_, { rows }) => {
  const [to] = toFrames({ x: [{ name: 'to', values: Array.from({ length: rows.rows }, () => 'all') }] }).x!.columns
  const links = { ...rows, columns: [...rows.columns, to!] }
  expect(drawn({ links }).isEmpty).toBe(rows.rows === 0)
  const { svg } = await drawChart('graph_chart', { links }, baseForm, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
