import { expect, it } from 'vitest'
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

chartSuite(chart, 'chord')

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
const families = await loadFamilies(['chord'])
const baseForm = { viz_type: 'chord', groupby: 'from', columns: 'to', metric: 'n' }
const drawn = (given: Row[] | ReturnType<typeof toFrames>) => {
  const answer = Array.isArray(given) ? buildFrames(given) : given
  const form = applyDefaults(chart.form, baseForm)
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, around, families)
}
interface Shape {
  type: string
  x: number
  y: number
  shape: { startAngle: number; endAngle: number; pathData: string }
  style: { text?: string }
}
const drawShapes = (given: Row[]) => renderMarkShapes<Shape>(drawn(given).option, around)
/** Share of the ring of each node. */
const ringShares = (given: Row[]) => {
  const turns = drawShapes(given).flatMap(([shape]) =>
    shape?.type === 'sector' ? [shape.shape.endAngle - shape.shape.startAngle] : [],
  )
  const whole = turns.reduce((sum, turn) => sum + turn, 0)
  return turns.map((turn) => turn / whole)
}

const trade: Row[] = [
  ['a', 'b', 3],
  ['b', 'a', 1],
  ['b', 'c', 4],
]

it('queries links, sorted by size if configured', () => {
  expect(namedQueries(chart, baseForm).links).toMatchObject({ columns: ['from', 'to'], metrics: ['n'], orderby: [] })
  expect(namedQueries(chart, { ...baseForm, sort_by_metric: true }).links?.orderby).toEqual([['n', false]])
  expect(namedQueries(chart, { ...baseForm, groupby: ['from'], columns: ['to'] }).links?.columns).toEqual([
    'from',
    'to',
  ])
})

it('sizes each node by its incoming and outgoing values', () => {
  expect(ringShares(trade)).toEqual([4 / 16, 8 / 16, 4 / 16].map((part) => expect.closeTo(part) as number))
})

it('draws each direction between two nodes, and self-links', () => {
  const ribbons = (given: Row[]) => drawShapes(given).filter(([shape]) => shape?.type === 'path')
  expect(ribbons(trade)).toHaveLength(3)
  expect(ribbons([...trade, ['a', 'a', 2]])).toHaveLength(4)
})

it('gives negative and missing values no width, and reports them', () => {
  const resolved = drawn([...trade, ['d', 'a', -2], ['a', 'c', null]])
  const expectedNotes =
    '1 negative value cannot be shown as an area. 1 link without a value is not shown. d has no links left.'
  expect((resolved.option.title as { text: string }).text).toBe(expectedNotes)
  expect(resolved.describe('Chord Diagram')).toBe(
    `Chord Diagram of n with 3 nodes and 3 links. Largest: b → c, 4. ${expectedNotes}`,
  )
})

it('navigates by keyboard around the ring and along links, and announces both ends of a link', () => {
  const resolved = drawn(trade)
  const first = resolved.navigate(null, 'next')!
  expect(resolved.markText(first)).toBe('a, Incoming: 1, Outgoing: 3')
  const link = resolved.navigate(first, 'next')!
  expect(resolved.markText(link)).toBe('a → b, n: 3, Share of a: 100%, Share of b: 100%')
  expect(resolved.markText(resolved.navigate(link, 'next')!)).toBe('b, Incoming: 3, Outgoing: 5')
  expect(resolved.markText(resolved.navigate(first, 'down')!)).toBe('b, Incoming: 3, Outgoing: 5')
  expect(resolved.fromTarget({ seriesIndex: 0, dataIndex: 99 })).toBe(null)
})

it('labels around the ring do not overlap, however many there are', () => {
  const many = Array.from({ length: 400 }, (_, index): Row => [`from ${index}`, `to ${index}`, 1 + (index % 9)])
  const labels = drawShapes(many).flatMap(([, label]) => (label ? [label] : []))
  expect(labels.length).toBeGreaterThan(20)
  const isLeft = ({ x }: Shape) => x < around.width / 2
  for (const [at, one] of labels.entries())
    for (const other of labels.slice(at + 1))
      expect(isLeft(one) === isLeft(other) && Math.abs(one.y - other.y) < 14).toBe(false)
})

it.each(Object.entries(buildHostileFrames('from', 'n')))('draws %s', async (_, { rows, isEmpty }) => {
  const [to] = toFrames({ x: [{ name: 'to', values: Array.from({ length: rows.rows }, () => 'all') }] }).x!.columns
  const links = { ...rows, columns: [...rows.columns, to!] }
  expect(drawn({ links }).isEmpty).toBe(isEmpty)
  const { svg } = await drawChart('chord', { links }, baseForm, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
