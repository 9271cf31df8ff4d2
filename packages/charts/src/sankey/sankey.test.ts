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
import { renderMarkShapes } from '../testing/mark-shapes.ts'
import chart from './chart.ts'

chartSuite(chart, 'sankey')

type Row = [source: string | null, target: string | null, value: number | null]
const buildFrames = (rows: Row[]) =>
  toFrames({
    links: ['from', 'to', 'n'].map((name, index) => ({ name, values: rows.map((row) => row[index] as string) })),
  })
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 640,
  height: 400,
}
const families = await loadFamilies(['sankey'])
const baseForm = { viz_type: 'sankey_v2', source: 'from', target: 'to', metric: 'n' }
const drawn = (given: Row[] | ReturnType<typeof toFrames>, looks: Partial<typeof around> = {}) => {
  const answer = Array.isArray(given) ? buildFrames(given) : given
  const form = applyDefaults(chart.form, baseForm)
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, { ...around, ...looks }, families)
}
interface Shape {
  type: string
  x: number
  y: number
  shape: { x: number; y: number; width: number; height: number; x1: number; x2: number; y1: number; y2: number }
  style: { text?: string; lineWidth: number }
}
const drawShapes = (given: Row[], looks: Partial<typeof around> = {}) =>
  renderMarkShapes<Shape>(drawn(given, looks).option, { ...around, ...looks })
/** Names by column, from left to right and top to bottom, when all fit. */
const namesByColumn = (given: Row[]) => {
  const bars = drawShapes(given).flatMap(([bar, label]) =>
    bar?.type === 'rect' ? [{ ...bar.shape, name: label?.style.text ?? '?' }] : [],
  )
  const lefts = [...new Set(bars.map(({ x }) => x))].toSorted((a, b) => a - b)
  return lefts.map((left) =>
    bars
      .filter(({ x }) => x === left)
      .toSorted((a, b) => a.y - b.y)
      .map(({ name }) => name)
      .join(' '),
  )
}
const noteText = (given: Row[]) => (drawn(given).option.title as { text: string }).text

const energy: Row[] = [
  ['Coal', 'Power', 30],
  ['Gas', 'Power', 20],
  ['Gas', 'Heat', 10],
  ['Power', 'Homes', 50],
  ['Heat', 'Homes', 10],
]

it('queries links, the largest first if the form says so', () => {
  expect(namedQueries(chart, { ...baseForm, sort_by_metric: true }).links).toMatchObject({
    columns: ['from', 'to'],
    metrics: ['n'],
    orderby: [['n', false]],
    row_limit: 10_000,
  })
  for (const unsorted of [{}, { sort_by_metric: false }])
    expect(namedQueries(chart, { ...baseForm, ...unsorted }).links?.orderby).toEqual([])
})

it('converts the legacy sankey, whose dimensions are source and target', () => {
  const old = { viz_type: 'sankey', groupby: ['from', 'to'], metric: 'n', color_scheme: 'd3Category10' }
  const read = chart.replaces?.sankey?.(old)
  expect(read).toMatchObject({ viz_type: 'sankey_v2', source: 'from', target: 'to', metric: 'n', form_data_bak: old })
  expect(namedQueries(chart, read ?? {}).links?.columns).toEqual(['from', 'to'])
})

it('places nodes by their distance from the sources, and final nodes in the last column', () => {
  expect(namesByColumn(energy)).toEqual(['Coal Gas', 'Power Heat', 'Homes'])
  expect(namesByColumn([...energy, ['Oil', 'Loss', 5]])[2]).toBe('Homes Loss')
})

it('links are as wide as their values, and rows with the same source and target are added up', () => {
  const bands = (given: Row[]) => drawShapes(given).flatMap(([shape]) => (shape?.type === 'bezierCurve' ? [shape] : []))
  const widths = bands([
    ['a', 'b', 1],
    ['a', 'c', 4],
    ['a', 'b', 1],
  ]).map(({ style }) => style.lineWidth)
  expect(widths).toHaveLength(2)
  expect(widths[1]! / widths[0]!).toBeCloseTo(2)
  // from the right side of one bar to the left side of the other
  const [bar] = drawShapes(energy)[0]!
  expect(bands(energy)[0]!.shape.x1).toBeCloseTo(bar!.shape.x + bar!.shape.width)
})

it('links of a node are ordered by their targets so that they do not cross', () => {
  const bands = drawShapes([
    ['a', 'x', 3],
    ['a', 'y', 2],
    ['b', 'x', 1],
    ['b', 'y', 4],
  ]).flatMap(([shape]) => (shape?.type === 'bezierCurve' ? [shape.shape] : []))
  const fromA = bands.slice(0, 2).toSorted((one, other) => one.y2 - other.y2)
  expect(fromA[0]!.y1).toBeLessThan(fromA[1]!.y1)
})

describe('rows that cannot be part of a flow', () => {
  it.each<[string, Row[], string]>([
    [
      'a circle: its last link gives way, and the two are named',
      [
        ['a', 'b', 9],
        ['b', 'c', 8],
        ['c', 'a', 2],
      ],
      'The link from c to a creates a cycle and is not shown.',
    ],
    [
      'there and back',
      [
        ['a', 'b', 2],
        ['b', 'a', 9],
        ['x', 'b', 1],
        ['b', 'y', 3],
      ],
      'The link from a to b creates a cycle and is not shown.',
    ],
    ['to itself', [...energy, ['Gas', 'Gas', 3]], 'The link from Gas to itself is not shown.'],
    [
      'below zero, and a name that is lost by it',
      [...energy, ['Wind', 'Power', -4]],
      '1 negative value cannot be shown as an area. Wind has no links left.',
    ],
    ['no number', [...energy, ['Wind', 'Power', null]], '1 link without a value is not shown. Wind has no links left.'],
    ['nothing', energy, ''],
  ])('%s', (_, rows, note) => {
    expect(noteText(rows)).toBe(note)
    expect(drawn(rows).describe('Sankey Chart')).toMatch(note ? new RegExp(`${note}$`) : /\.$/)
    expect(drawn(rows).isEmpty).toBe(false)
  })

  it('null is a valid name', () => {
    expect(namesByColumn([['a', null, 1]])).toEqual(['a', '∅'])
  })

  it('draws a chain and a cycle of many thousands of links', () => {
    const chain = Array.from({ length: 5000 }, (_, index): Row => [`n${index}`, `n${index + 1}`, 1])
    expect(drawn(chain).isEmpty).toBe(false)
    expect(noteText([...chain, ['n5000', 'n0', 1]])).toMatch(/^The link from n\d+ to n\d+ creates a cycle/)
  })
})

it('describes a node with its incoming and outgoing flow, and a link with its share of both', () => {
  const resolved = drawn(energy)
  const markTextAt = (index: number) => resolved.markText({ series: 0, at: index })
  expect([0, 1, 2, 3, 4].map(markTextAt)).toEqual([
    'Coal, Outgoing: 30',
    'Gas, Outgoing: 30',
    'Power, Incoming: 50, Outgoing: 50',
    'Heat, Incoming: 10, Outgoing: 10',
    'Homes, Incoming: 60',
  ])
  expect(markTextAt(6)).toBe('Gas → Power, n: 20, Share of Gas: 66.7%, Share of Power: 40%')
  expect(resolved.describe('Sankey Chart')).toBe(
    'Sankey Chart of n with 5 nodes and 5 links. Largest: Power → Homes, 50.',
  )
})

it('arrow keys follow links, and move up and down within the current end', () => {
  const resolved = drawn(energy)
  const walked = (...moves: ('next' | 'previous' | 'down' | 'up' | 'last')[]) => {
    let place = resolved.navigate(null, 'next')
    for (const move of moves) place = (place && resolved.navigate(place, move)) ?? place
    return place && resolved.markText(place).split(',')[0]
  }
  expect(walked()).toBe('Coal')
  expect(walked('down')).toBe('Gas')
  expect(walked('down', 'next')).toBe('Gas → Power')
  expect(walked('down', 'next', 'down')).toBe('Gas → Heat')
  expect(walked('down', 'next', 'down', 'next')).toBe('Heat')
  expect(walked('next', 'next', 'previous')).toBe('Coal → Power')
  expect(walked('next', 'next', 'previous', 'down')).toBe('Gas → Power')
  expect(walked('next', 'next', 'previous', 'down', 'previous')).toBe('Gas')
  expect(walked('last')).toBe('Homes')
  // both positions of a link refer to the same mark of the chart
  const there = resolved.navigate({ series: 0, at: 0 }, 'next')!
  const back = resolved.navigate({ series: 0, at: 2 }, 'previous')!
  expect(there).not.toEqual(back)
  expect(resolved.toTarget(there)).toEqual(resolved.toTarget(back))
})

it('has the same layout for the same data in every theme', () => {
  const places = (looks = {}) => drawShapes(energy, looks).map(([shape]) => shape?.shape)
  expect(places()).toEqual(places())
  expect(places({ theme: themes.dark })).toEqual(places())
})

it('labels do not overlap and stay in their columns, however many there are', () => {
  const many = Array.from({ length: 2000 }, (_, index): Row => [
    `source ${index % 60}`,
    `target number ${index}`,
    1 + (index % 7),
  ])
  const labels = drawShapes(many).flatMap(([, label]) => (label ? [label] : []))
  expect(labels.length).toBeGreaterThan(20)
  for (const [at, one] of labels.entries())
    for (const other of labels.slice(at + 1)) expect(one.x === other.x && Math.abs(one.y - other.y) < 15).toBe(false)
})

it.each(Object.entries(buildHostileFrames('from', 'n')))('draws %s', async (_, { rows, isEmpty }) => {
  const [to] = toFrames({ x: [{ name: 'to', values: Array.from({ length: rows.rows }, () => 'all') }] }).x!.columns
  const links = { ...rows, columns: [...rows.columns, to!] }
  expect(drawn({ links }).isEmpty).toBe(isEmpty)
  const { svg } = await drawChart('sankey_v2', { links }, baseForm, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
