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

chartSuite(chart, 'event-flow')

type Row = [who: string | null, what: string | null, minute: number | null]
const answerOf = (rows: Row[]) => {
  const values = (at: number) => rows.map((row) => row[at] as string)
  const times = rows.map(([, , minute]) => (minute === null ? null : minute * 60_000))
  return framesOf({
    events: [
      { name: 'at', kind: 'time', values: times },
      { name: 'what', values: values(1) },
      { name: 'who', values: values(0) },
    ],
  })
}
const around = { theme: themes.light, locale: 'en', timeZone: 'UTC', say: plainSay, width: 640, height: 400 }
const families = await loadFamilies(['steps'])
const asked = { viz_type: 'event_flow', x_axis: 'at', entity: 'who', all_columns_x: 'what' }
const drawn = (given: Row[] | ReturnType<typeof framesOf>, more: object = {}, looks: object = {}) => {
  const answer = Array.isArray(given) ? answerOf(given) : given
  const form = settle(chart.form, { ...asked, ...more })
  return resolve(chart.spec(answer, form, lookOf(form)), answer, { ...around, ...looks }, families)
}
interface Shape {
  type: string
  shape: { x: number; y: number; width: number; height: number }
}
const barsOf = (...given: Parameters<typeof drawn>) =>
  shapesIn<Shape>(drawn(...given).option, around).flatMap(
    (shapes) => shapes.filter(({ type }) => type === 'rect').at(-1)?.shape ?? [],
  )
/** What is read out at each step: the way to it and how many come there. */
const waysOf = (...given: Parameters<typeof drawn>) => {
  const resolved = drawn(...given)
  const said: string[] = []
  for (let at = 0; resolved.has({ series: 0, at }); at++)
    said.push(resolved.said({ series: 0, at }).replace(/^(.*?), who: (\d+).*$/, '$1 $2'))
  return said
}
const noteOf = (...given: Parameters<typeof drawn>) => (drawn(...given).option.title as { text: string }).text

const orders: Row[] = [
  ['ann', 'visit', 0],
  ['ann', 'search', 2],
  ['ann', 'buy', 10],
  ['bob', 'visit', 0],
  ['bob', 'search', 4],
  ['cid', 'visit', 5],
  ['dan', 'search', 1],
]

it('asks for events as they are, at their own times, entity by entity', () => {
  const question = (more: object) => namedQueries(chart, { ...asked, ...more }).events
  expect(question({ all_columns: ['page', 'what'], time_grain_sqla: 'P1D' })).toMatchObject({
    columns: [{ label: 'at', columnType: 'BASE_AXIS' }, 'what', 'who', 'page'],
    orderby: [['who', true]],
    row_limit: 10_000,
  })
  expect(question({ time_grain_sqla: 'P1D' })).not.toHaveProperty('metrics')
  expect(JSON.stringify(question({ time_grain_sqla: 'P1D' }))).not.toContain('P1D')
  expect(question({ order_by_entity: false })?.orderby).toEqual([])
  const old = { x_axis: null, granularity_sqla: 'at', all_columns_x: ['what'] }
  expect(question(old)).toMatchObject({ columns: ['what', 'who'], is_timeseries: true, granularity: 'at' })
})

it('ways that begin alike are one, in the order of times, the ones most go first', () => {
  const ways = ['visit 3', 'visit → search 2', 'visit → search → buy 1', 'search 1']
  expect(waysOf(orders)).toEqual(ways)
  expect(waysOf(orders.toReversed())).toEqual(ways)
})

it('bars are as high as many come to them, each beside the step before it', () => {
  const [visit, search, buy, other] = barsOf(orders)
  expect(visit!.height / other!.height).toBeCloseTo(3)
  expect(search!.height / visit!.height).toBeCloseTo(2 / 3)
  expect(search!.x).toBeGreaterThan(visit!.x)
  expect(search!.y).toBeCloseTo(visit!.y)
  expect(buy!.x - search!.x).toBeCloseTo(search!.x - visit!.x)
  expect(other!.x).toBe(visit!.x)
})

it('tells how many come, their part, how many stop, and how long it takes', () => {
  const said = (at: number) => drawn(orders).said({ series: 0, at })
  expect(said(0)).toBe('visit, who: 3, Share of all: 75%, End here: 1')
  expect(said(1)).toBe(
    'visit → search, who: 2, Share of all: 50%, Share of previous step: 66.7%, End here: 1, Mean time since first step: 3m',
  )
  expect(drawn(orders).describe('Event Flow')).toBe(
    'Event Flow of 4 sequences by who, up to 3 steps long. Most common first step: visit (3).',
  )
})

it('leaves out ways that few go, and says so', () => {
  expect(waysOf(orders, { min_leaf_node_event_count: 2 })).toEqual(['visit 3', 'visit → search 2'])
  expect(noteOf(orders, { min_leaf_node_event_count: 2 })).toBe('2 entities follow rare paths that are not shown.')
  const said = drawn(orders, { min_leaf_node_event_count: 2 }).said({ series: 0, at: 1 })
  expect(said).toContain('End here: 1, Continue (not shown): 1')
})

it('an event that the legend hides is skipped: what came after it comes after what was before', () => {
  const hidden = new Set(['search'])
  expect(drawn(orders).legend.map(({ name }) => name)).toEqual(['visit', 'search', 'buy'])
  expect(waysOf(orders, {}, { hidden })).toEqual(['visit 3', 'visit → buy 1'])
  const more: Row[] = [...orders, ['eve', 'visit', 0], ['eve', 'buy', 3]]
  expect(waysOf(more, {}, { hidden })).toEqual(['visit 4', 'visit → buy 2'])
  expect(drawn(orders, { show_legend: false }).legend).toEqual([])
})

it('is walked along the ways', () => {
  const resolved = drawn(orders)
  const first = resolved.walk(null, 'next')!
  const further = resolved.walk(first, 'next')!
  expect(resolved.said(further)).toMatch(/^visit → search,/)
  expect(resolved.walk(further, 'previous')).toEqual(first)
  expect(resolved.said(resolved.walk(first, 'down')!)).toMatch(/^search,/)
})

it('events of nobody are left out, events without a name and a time are events', () => {
  const odd: Row[] = [...orders, [null, 'visit', 1], ['dan', null, null]]
  expect(noteOf(odd)).toBe('1 event has no entity and is not shown.')
  expect(waysOf(odd)).toContain('search → ∅ 1')
})

it('only so many steps are drawn as can be read, and the rest is said', () => {
  const long = Array.from({ length: 500 }, (_, at): Row => ['ann', `step ${at}`, at])
  expect(waysOf(long)).toHaveLength(40)
  expect(noteOf(long)).toBe('1 entity continues past the last step shown.')
})

it.each(Object.entries(hostile('what', 'who')))('draws %s', async (name, { rows }) => {
  expect(drawn({ events: rows }).isEmpty).toBe(rows.rows === 0 || name === 'only nulls')
  const { svg } = await drawChart('event_flow', { events: rows }, asked, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
