import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { lookOf } from '../look.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { settle } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolve } from '../resolve/resolve.ts'
import { themes } from '../resolve/theme.ts'
import { plainSay } from '../resolve/words.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { framesOf } from '../testing/frames.ts'
import { hostile } from '../testing/hostile.ts'
import { shapesIn } from '../testing/shapes-in.ts'
import chart from './chart.ts'

chartSuite(chart, 'chord')

type Row = [source: string | null, target: string | null, value: number | null]
const answerOf = (rows: Row[]) =>
  framesOf({ links: ['from', 'to', 'n'].map((name, at) => ({ name, values: rows.map((row) => row[at] as string) })) })
const around = { theme: themes.light, locale: 'en', timeZone: 'UTC', say: plainSay, width: 640, height: 400 }
const families = await loadFamilies(['chord'])
const asked = { viz_type: 'chord', groupby: 'from', columns: 'to', metric: 'n' }
const drawn = (given: Row[] | ReturnType<typeof framesOf>) => {
  const answer = Array.isArray(given) ? answerOf(given) : given
  const form = settle(chart.form, asked)
  return resolve(chart.spec(answer, form, lookOf(form)), answer, around, families)
}
interface Shape {
  type: string
  x: number
  y: number
  shape: { startAngle: number; endAngle: number; pathData: string }
  style: { text?: string }
}
const shapesOf = (given: Row[]) => shapesIn<Shape>(drawn(given).option, around)
/** Of each node its part of the ring. */
const partsOf = (given: Row[]) => {
  const turns = shapesOf(given).flatMap(([shape]) =>
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

it('asks for links, by size when it shall', () => {
  expect(namedQueries(chart, asked).links).toMatchObject({ columns: ['from', 'to'], metrics: ['n'], orderby: [] })
  expect(namedQueries(chart, { ...asked, sort_by_metric: true }).links?.orderby).toEqual([['n', false]])
  expect(namedQueries(chart, { ...asked, groupby: ['from'], columns: ['to'] }).links?.columns).toEqual(['from', 'to'])
})

it('gives each node as much of the ring as comes in and goes out', () => {
  expect(partsOf(trade)).toEqual([4 / 16, 8 / 16, 4 / 16].map((part) => expect.closeTo(part) as number))
})

it('draws each way between two, one way there and one back, and to itself', () => {
  const ribbons = (given: Row[]) => shapesOf(given).filter(([shape]) => shape?.type === 'path')
  expect(ribbons(trade)).toHaveLength(3)
  expect(ribbons([...trade, ['a', 'a', 2]])).toHaveLength(4)
})

it('what is below zero or no number has no width, and is said', () => {
  const resolved = drawn([...trade, ['d', 'a', -2], ['a', 'c', null]])
  const said = '1 negative value cannot be shown as an area. 1 link without a value is not shown. d has no links left.'
  expect((resolved.option.title as { text: string }).text).toBe(said)
  expect(resolved.describe('Chord Diagram')).toBe(
    `Chord Diagram of n with 3 nodes and 3 links. Largest: b → c, 4. ${said}`,
  )
})

it('is walked around the ring and along links, and tells both ends of a link', () => {
  const resolved = drawn(trade)
  const first = resolved.walk(null, 'next')!
  expect(resolved.said(first)).toBe('a, Incoming: 1, Outgoing: 3')
  const link = resolved.walk(first, 'next')!
  expect(resolved.said(link)).toBe('a → b, n: 3, Share of a: 100%, Share of b: 100%')
  expect(resolved.said(resolved.walk(link, 'next')!)).toBe('b, Incoming: 3, Outgoing: 5')
  expect(resolved.said(resolved.walk(first, 'down')!)).toBe('b, Incoming: 3, Outgoing: 5')
  expect(resolved.placeOf({ seriesIndex: 0, dataIndex: 99 })).toBe(null)
})

it('names around the ring stand apart, however many there are', () => {
  const many = Array.from({ length: 400 }, (_, at): Row => [`from ${at}`, `to ${at}`, 1 + (at % 9)])
  const labels = shapesOf(many).flatMap(([, label]) => (label ? [label] : []))
  expect(labels.length).toBeGreaterThan(20)
  const isLeft = ({ x }: Shape) => x < around.width / 2
  for (const [at, one] of labels.entries())
    for (const other of labels.slice(at + 1))
      expect(isLeft(one) === isLeft(other) && Math.abs(one.y - other.y) < 14).toBe(false)
})

it.each(Object.entries(hostile('from', 'n')))('draws %s', async (_, { rows, isEmpty }) => {
  const [to] = framesOf({ x: [{ name: 'to', values: Array.from({ length: rows.rows }, () => 'all') }] }).x!.columns
  const links = { ...rows, columns: [...rows.columns, to!] }
  expect(drawn({ links }).isEmpty).toBe(isEmpty)
  const { svg } = await drawChart('chord', { links }, asked, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
