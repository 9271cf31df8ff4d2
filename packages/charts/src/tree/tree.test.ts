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

chartSuite(chart, 'tree')

type Row = [id: string | number | null, parent: string | number | null, name?: string, n?: number]
const buildFrames = (rows: Row[]) =>
  toFrames({
    nodes: ['id', 'parent', 'name', 'n'].map((name, i) => ({ name, values: rows.map((row) => row[i] ?? null) })),
  })
const staff: Row[] = [
  [1, null, 'Ada', 9],
  [2, 1, 'Ben', 5],
  [3, 1, 'Cleo', 3],
  [4, 2, 'Dan', 2],
]
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const families = await loadFamilies(['tree'])
const baseForm = { viz_type: 'tree_chart', id: 'id', parent: 'parent', name: 'name' }
const drawn = (rows: Row[] | ReturnType<typeof toFrames>, more: object = {}) => {
  const answer = Array.isArray(rows) ? buildFrames(rows) : rows
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, around, families)
}
interface Drawn {
  name: string
  children?: Drawn[]
}
const drawSeries = (...given: Parameters<typeof drawn>) =>
  (drawn(...given).option.series as Record<string, unknown>[])[0]!
/** Names with their children in brackets. */
const outline = (...given: Parameters<typeof drawn>): string => {
  const written = (nodes: readonly Drawn[]): string =>
    nodes.map(({ name, children = [] }) => (children.length > 0 ? `${name}(${written(children)})` : name)).join(' ')
  return written(drawSeries(...given).data as Drawn[])
}
const noteText = (...given: Parameters<typeof drawn>) => (drawn(...given).option.title as { text: string }).text

it('places each node below its parent in the order of the rows', () => {
  expect(outline(staff)).toBe('Ada(Ben(Dan) Cleo)')
  expect(outline(staff.toReversed())).toBe('Ada(Cleo Ben(Dan))')
  expect(outline(staff, { name: null })).toBe('1(2(4) 3)')
  expect(outline([[1, ''], ...staff.slice(1)])).toBe('∅(Ben(Dan) Cleo)')
  expect(noteText(staff)).toBe('')
})

it('queries each column once in a stable order', () => {
  const question = (more: object) => namedQueries(chart, { ...baseForm, ...more }).nodes
  expect(question({ metric: 'n' })).toMatchObject({
    columns: ['id', 'parent', 'name'],
    metrics: ['n'],
    orderby: [
      ['id', true],
      ['parent', true],
    ],
    row_limit: 10_000,
  })
  expect(question({ name: 'id' })).toMatchObject({ columns: ['id', 'parent'], metrics: [] })
})

it('shows the nodes below the selected root', () => {
  expect(outline(staff, { root_node_id: '2' })).toBe('Ben(Dan)')
  expect(noteText(staff, { root_node_id: '2' })).toBe('')
  expect(outline(staff, { root_node_id: 'x' })).toBe('Ada(Ben(Dan) Cleo)')
  expect(noteText(staff, { root_node_id: 'x' })).toBe('Node x was not found. All nodes are shown.')
})

describe('rows that do not form a tree', () => {
  it.each<[string, Row[], string, string]>([
    [
      'a circle without a top',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
      ],
      'a(c(b))',
      '1 link forms a cycle and is not shown.',
    ],
    [
      'a node that is its own parent',
      [
        ['a', 'a'],
        ['b', 'a'],
      ],
      'a(b)',
      '1 link forms a cycle and is not shown.',
    ],
    [
      'a circle beside a tree, and a tail of it',
      [
        ['a', null],
        ['b', 'c'],
        ['c', 'b'],
        ['d', 'c'],
      ],
      '(a b(c(d)))',
      '1 link forms a cycle and is not shown.',
    ],
    [
      'several tops',
      [
        ['a', null],
        ['b', null],
      ],
      '(a b)',
      '',
    ],
    [
      'a parent that is not there, beside a top',
      [
        ['a', null],
        ['b', 'x'],
      ],
      '(a b)',
      '1 node is at the top level because its parent is not in the data.',
    ],
    [
      'a parent that is not there, of the only top',
      [
        ['b', 'x'],
        ['c', 'b'],
      ],
      'b(c)',
      '',
    ],
    [
      'an id twice',
      [
        ['a', null],
        ['b', 'a'],
        ['b', 'b'],
      ],
      'a(b)',
      '1 row has a duplicate ID and is not shown.',
    ],
    [
      'no id',
      [
        ['a', null],
        [null, 'a'],
      ],
      'a',
      '1 row has no ID and is not shown.',
    ],
  ])('%s', (_, rows, expected, note) => {
    expect(outline(rows, { name: null })).toBe(expected)
    expect(noteText(rows, { name: null })).toBe(note)
    expect(drawn(rows, { name: null }).describe('Tree Chart')).toMatch(note === '' ? /\.$/ : new RegExp(`${note}$`))
  })

  it('a cycle is cut at its first row wherever it is entered, or at the selected root', () => {
    const tail: Row[] = [
      ['d', 'c'],
      ['b', 'c'],
      ['c', 'b'],
    ]
    expect(outline(tail, { name: null })).toBe('b(c(d))')
    expect(outline(tail, { name: null, root_node_id: 'c' })).toBe('c(d b)')
    expect(noteText(tail, { name: null, root_node_id: 'c' })).toBe('')
  })

  it('a chain of many thousands is cut at the deepest drawable level with a note', async () => {
    const chain = Array.from({ length: 20_000 }, (_, index): Row => [index, index === 0 ? null : index - 1])
    expect(noteText(chain, { name: null })).toBe('19,900 nodes are nested too deeply and are not shown.')
    const { svg } = await drawChart('tree_chart', buildFrames(chain), { ...baseForm, name: null })
    expect(svg).toContain('100 nodes on 100 levels')
  })

  it('a cycle of many thousands is cut once', () => {
    const circle = Array.from({ length: 20_000 }, (_, index): Row => [index, (index + 1) % 20_000])
    expect(noteText(circle, { name: null })).toMatch(/^1 link forms a cycle/)
  })
})

it('expands as many levels as fit', () => {
  const wide = Array.from({ length: 585 }, (_, index): Row => [index, index === 0 ? null : Math.floor((index - 1) / 8)])
  expect(drawSeries(wide, { name: null }).initialTreeDepth).toBe(1)
  expect(drawSeries(staff).initialTreeDepth).toBe(-1)
})

it('describes the path to a node and its value, or the number of nodes below it', () => {
  const place = (series: number, index: number) => ({ series, at: index })
  expect(drawn(staff, { metric: 'n' }).markText(place(0, 2))).toBe('Ada / Ben, Dan: 2')
  expect(drawn(staff).markText(place(0, 0))).toBe('Ada: 3 nodes below')
  expect(drawn(staff).describe('Tree Chart')).toBe('Tree Chart with 4 nodes on 3 levels. Top level: Ada.')
})

it('finds the node under the pointer, with one top node and with several', () => {
  const one = drawn(staff)
  expect(one.fromTarget({ seriesIndex: 0, dataIndex: 1 })).toEqual({ series: 0, at: 0 })
  const two = drawn([
    ['a', null],
    ['b', null],
  ])
  expect(two.fromTarget({ seriesIndex: 0, dataIndex: 1 })).toBe(null)
  expect(two.toTarget({ series: 0, at: 1 })).toEqual({ seriesIndex: 0, dataIndex: 3 })
})

it('arrow keys move between siblings, down and up', () => {
  const resolved = drawn(staff)
  const first = resolved.navigate(null, 'next')
  const below = first && resolved.navigate(first, 'down')
  const beside = below && resolved.navigate(below, 'next')
  expect([first, below, beside].map((place) => place && resolved.markText(place).split(':')[0])).toEqual([
    'Ada',
    'Ada, Ben',
    'Ada, Cleo',
  ])
})

it.each(Object.entries(buildHostileFrames('id', 'n')))('draws %s', async (name, { rows }) => {
  const form = { ...baseForm, parent: 'id', name: null, metric: 'n' }
  expect(drawn({ nodes: rows }, form).isEmpty).toBe(rows.rows === 0 || name === 'only nulls')
  const { svg } = await drawChart('tree_chart', { nodes: rows }, form, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
