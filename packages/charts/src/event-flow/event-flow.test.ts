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

chartSuite(chart, 'event-flow')

type Row = [who: string | null, what: string | null, minute: number | null]
const buildFrames = (rows: Row[]) => {
  const values = (index: number) => rows.map((row) => row[index] as string)
  const times = rows.map(([, , minute]) => (minute === null ? null : minute * 60_000))
  return toFrames({
    events: [
      { name: 'at', kind: 'time', values: times },
      { name: 'what', values: values(1) },
      { name: 'who', values: values(0) },
    ],
  })
}
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 640,
  height: 400,
}
const families = await loadFamilies(['steps'])
const baseForm = { viz_type: 'event_flow', x_axis: 'at', entity: 'who', all_columns_x: 'what' }
const drawn = (given: Row[] | ReturnType<typeof toFrames>, more: object = {}, looks: object = {}) => {
  const answer = Array.isArray(given) ? buildFrames(given) : given
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, { ...around, ...looks }, families)
}
interface Shape {
  type: string
  shape: { x: number; y: number; width: number; height: number }
}
const drawBars = (...given: Parameters<typeof drawn>) =>
  renderMarkShapes<Shape>(drawn(...given).option, around).flatMap(
    (shapes) => shapes.filter(({ type }) => type === 'rect').at(-1)?.shape ?? [],
  )
/** Announcement of each step: its path and the number of entities that reach it. */
const announcePaths = (...given: Parameters<typeof drawn>) => {
  const resolved = drawn(...given)
  const markTexts: string[] = []
  for (let index = 0; resolved.has({ series: 0, at: index }); index++)
    markTexts.push(resolved.markText({ series: 0, at: index }).replace(/^(.*?), who: (\d+).*$/, '$1 $2'))
  return markTexts
}
const noteText = (...given: Parameters<typeof drawn>) => (drawn(...given).option.title as { text: string }).text

const orders: Row[] = [
  ['ann', 'visit', 0],
  ['ann', 'search', 2],
  ['ann', 'buy', 10],
  ['bob', 'visit', 0],
  ['bob', 'search', 4],
  ['cid', 'visit', 5],
  ['dan', 'search', 1],
]

it('queries raw events at their exact times, entity by entity', () => {
  const question = (more: object) => namedQueries(chart, { ...baseForm, ...more }).events
  expect(question({ all_columns: ['page', 'what'], time_grain_sqla: 'P1D', order_by_entity: true })).toMatchObject({
    columns: [{ label: 'at', columnType: 'BASE_AXIS' }, 'what', 'who', 'page'],
    orderby: [['who', true]],
    row_limit: 10_000,
  })
  expect(question({ time_grain_sqla: 'P1D' })).not.toHaveProperty('metrics')
  expect(JSON.stringify(question({ time_grain_sqla: 'P1D' }))).not.toContain('P1D')
  for (const unsorted of [{}, { order_by_entity: false }]) expect(question(unsorted)?.orderby).toEqual([])
  const old = { x_axis: null, granularity_sqla: 'at', all_columns_x: ['what'] }
  expect(question(old)).toMatchObject({ columns: ['what', 'who'], is_timeseries: true, granularity: 'at' })
})

it('merges paths with the same beginning, in time order, most common first', () => {
  const ways = ['visit 3', 'visit → search 2', 'visit → search → buy 1', 'search 1']
  expect(announcePaths(orders)).toEqual(ways)
  expect(announcePaths(orders.toReversed())).toEqual(ways)
})

it('bar heights are proportional to the entities, and each bar is beside its previous step', () => {
  const [visit, search, buy, other] = drawBars(orders)
  expect(visit!.height / other!.height).toBeCloseTo(3)
  expect(search!.height / visit!.height).toBeCloseTo(2 / 3)
  expect(search!.x).toBeGreaterThan(visit!.x)
  expect(search!.y).toBeCloseTo(visit!.y)
  expect(buy!.x - search!.x).toBeCloseTo(search!.x - visit!.x)
  expect(other!.x).toBe(visit!.x)
})

it('announces the count and share of a step, how many end there, and the mean time to it', () => {
  const markTextAt = (index: number) => drawn(orders).markText({ series: 0, at: index })
  expect(markTextAt(0)).toBe('visit, who: 3, Share of all: 75%, End here: 1')
  expect(markTextAt(1)).toBe(
    'visit → search, who: 2, Share of all: 50%, Share of previous step: 66.7%, End here: 1, Mean time since first step: 3m',
  )
  expect(drawn(orders).describe('Event Flow')).toBe(
    'Event Flow of 4 sequences by who, up to 3 steps long. Most common first step: visit (3).',
  )
})

it('omits rare paths, and reports it', () => {
  expect(announcePaths(orders, { min_leaf_node_event_count: 2 })).toEqual(['visit 3', 'visit → search 2'])
  expect(noteText(orders, { min_leaf_node_event_count: 2 })).toBe('2 entities follow rare paths that are not shown.')
  const markText = drawn(orders, { min_leaf_node_event_count: 2 }).markText({ series: 0, at: 1 })
  expect(markText).toContain('End here: 1, Continue (not shown): 1')
})

it('skips an event hidden by the legend, and joins the events around it', () => {
  const hidden = new Set(['search'])
  expect(drawn(orders).legend.map(({ name }) => name)).toEqual(['visit', 'search', 'buy'])
  expect(announcePaths(orders, {}, { hidden })).toEqual(['visit 3', 'visit → buy 1'])
  const more: Row[] = [...orders, ['eve', 'visit', 0], ['eve', 'buy', 3]]
  expect(announcePaths(more, {}, { hidden })).toEqual(['visit 4', 'visit → buy 2'])
  expect(drawn(orders, { show_legend: false }).legend).toEqual([])
})

it('navigates by keyboard along paths', () => {
  const resolved = drawn(orders)
  const first = resolved.navigate(null, 'next')!
  const further = resolved.navigate(first, 'next')!
  expect(resolved.markText(further)).toMatch(/^visit → search,/)
  expect(resolved.navigate(further, 'previous')).toEqual(first)
  expect(resolved.markText(resolved.navigate(first, 'down')!)).toMatch(/^search,/)
})

it('omits events without an entity, and draws events without a name and a time', () => {
  const odd: Row[] = [...orders, [null, 'visit', 1], ['dan', null, null]]
  expect(noteText(odd)).toBe('1 event has no entity and is not shown.')
  expect(announcePaths(odd)).toContain('search → ∅ 1')
})

it('limits steps to a readable number, and reports the rest', () => {
  const long = Array.from({ length: 500 }, (_, index): Row => ['ann', `step ${index}`, index])
  expect(announcePaths(long)).toHaveLength(40)
  expect(noteText(long)).toBe('1 entity continues past the last step shown.')
})

it.each(Object.entries(buildHostileFrames('what', 'who')))('draws %s', async (name, { rows }) => {
  expect(drawn({ events: rows }).isEmpty).toBe(rows.rows === 0 || name === 'only nulls')
  const { svg } = await drawChart('event_flow', { events: rows }, baseForm, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
