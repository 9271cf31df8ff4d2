import { checkCases } from '@parquetry/model/testing/random'
import {
  chartNameInLayout,
  chartNameOverrides,
  layoutNode,
  readLayout,
  rootId,
  subtree,
  writeLayout,
  type LayoutNodes,
} from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { chartNode, placeMissingCharts } from './arrange.ts'
import { add, move, remove, renameChart, resize, setMeta } from './commands.ts'
import { findLayoutFaults, randomLayout } from './random-layout.ts'
import { checkDrop, heightOf, freeColumns, widthOf, type DropTarget } from './rules.ts'
import { findGridPosition, moveByStep, type Direction } from './step.ts'

/** Builds a grid from rows of charts, each written as name and width, such as `['a4', 'b4']`. */
function grid(...rows: string[][]): LayoutNodes {
  const stored: Record<string, unknown> = { ROOT_ID: { type: 'ROOT', children: ['GRID_ID'] } }
  stored.GRID_ID = { type: 'GRID', children: rows.map((_, i) => `ROW-${i + 1}`) }
  for (const [i, row] of rows.entries()) {
    stored[`ROW-${i + 1}`] = { type: 'ROW', children: row.map((each) => each.replace(/\d+$/, '')) }
    for (const each of row) {
      const [, name = '', width] = /^(.*?)(\d+)$/.exec(each) ?? []
      stored[name] = {
        type: 'CHART',
        children: [],
        meta: { chartId: name.codePointAt(0), width: Number(width), height: 50 },
      }
    }
  }
  return readLayout(stored).nodes
}

/** Writes the tree back as rows of names. */
const rows = (nodes: LayoutNodes) =>
  (layoutNode(nodes, 'GRID_ID')?.children ?? []).map((id) => {
    const node = layoutNode(nodes, id)
    return node?.type === 'ROW' ? node.children.join(' ') : id
  })

const withColumn = () =>
  readLayout({
    ROOT_ID: { type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { type: 'GRID', children: ['ROW-1'] },
    'ROW-1': { type: 'ROW', children: ['a', 'COLUMN-1'] },
    a: { type: 'CHART', children: [], meta: { chartId: 1, width: 4, height: 50 } },
    'COLUMN-1': { type: 'COLUMN', children: ['b', 'ROW-2'], meta: { width: 6 } },
    b: { type: 'CHART', children: [], meta: { chartId: 2, width: 4, height: 20 } },
    'ROW-2': { type: 'ROW', children: ['c', 'd'] },
    c: { type: 'CHART', children: [], meta: { chartId: 3, width: 2, height: 20 } },
    d: { type: 'CHART', children: [], meta: { chartId: 4, width: 3, height: 20 } },
  }).nodes

describe('move', () => {
  it('moves within a row; the index refers to the order before the move', () => {
    const nodes = grid(['a3', 'b3', 'c3'])
    expect(rows(move(nodes, 'a', { parent: 'ROW-1', index: 2 }))).toEqual(['b a c'])
    expect(rows(move(nodes, 'c', { parent: 'ROW-1', index: 0 }))).toEqual(['c a b'])
  })

  it('DASH-024: wraps a chart dropped into the grid in its own row', () => {
    const nodes = move(grid(['a3', 'b3'], ['c3']), 'a', { parent: 'GRID_ID', index: 1 })
    expect(rows(nodes)).toEqual(['b', 'a', 'c'])
  })

  it('DASH-025, DASH-026: wraps text and columns as well', () => {
    for (const type of ['MARKDOWN', 'COLUMN']) {
      const nodes = add(grid(['a3']), { id: `${type}-x`, type, meta: { width: 4 } }, { parent: 'GRID_ID', index: 0 })
      expect(layoutNode(nodes, `${type}-x`)?.parents).toEqual(['ROOT_ID', 'GRID_ID', 'ROW-x'])
    }
  })

  it('DASH-027: adds a first tab to new tabs', () => {
    const nodes = add(grid(['a3']), { id: 'TABS-x', type: 'TABS', meta: {} }, { parent: 'GRID_ID', index: 0 })
    expect(layoutNode(nodes, 'TABS-x')?.children).toEqual(['TAB-x'])
    expect(layoutNode(nodes, 'TAB-x')?.type).toBe('TAB')
  })

  it('DASH-028: removes the row that a move empties, and lands at the target even if that row was above it', () => {
    const nodes = move(grid(['a3'], ['b3'], ['c3']), 'a', { parent: 'GRID_ID', index: 3 })
    expect(rows(nodes)).toEqual(['b', 'c', 'a'])
    expect(rows(move(grid(['a3'], ['b3'], ['c3']), 'a', { parent: 'GRID_ID', index: 2 }))).toEqual(['b', 'a', 'c'])
  })

  it('changes nothing when a lone chart is dropped beside its own row', () => {
    const nodes = grid(['a3'], ['b3'])
    expect(move(nodes, 'a', { parent: 'GRID_ID', index: 0 })).toBe(nodes)
    expect(move(nodes, 'a', { parent: 'GRID_ID', index: 1 })).toBe(nodes)
    expect(move(nodes, 'a', { parent: 'ROW-1', index: 1 })).toBe(nodes)
  })

  it('DASH-030: refuses a row without enough space, and accepts one with it', () => {
    const nodes = grid(['a4'], ['b4', 'c4', 'd4'], ['e8'])
    expect(checkDrop(nodes, 'a', { parent: 'ROW-2', index: 1 })).toBe('no-room')
    expect(move(nodes, 'a', { parent: 'ROW-2', index: 1 })).toBe(nodes)
    expect(rows(move(nodes, 'a', { parent: 'ROW-3', index: 1 }))).toEqual(['b c d', 'e a'])
  })

  it('DASH-031: refuses a top-level tab among nested tabs', () => {
    const { nodes } = readLayout({
      ROOT_ID: { type: 'ROOT', children: ['TABS-1'] },
      'TABS-1': { type: 'TABS', children: ['TAB-1', 'TAB-2'] },
      'TAB-1': { type: 'TAB', children: [] },
      'TAB-2': { type: 'TAB', children: ['TABS-2'] },
      'TABS-2': { type: 'TABS', children: ['TAB-3', 'TAB-4'] },
      'TAB-3': { type: 'TAB', children: [] },
      'TAB-4': { type: 'TAB', children: [] },
    })
    expect(checkDrop(nodes, 'TAB-1', { parent: 'TABS-2', index: 0 })).toBe('top-tab-into-nested')
    expect(checkDrop(nodes, 'TAB-3', { parent: 'TABS-1', index: 0 })).toBeUndefined()
    expect(checkDrop(nodes, 'TAB-2', { parent: 'TABS-2', index: 0 })).toBe('wrong-place')
    const left = move(nodes, 'TAB-4', { parent: 'TABS-1', index: 0 })
    expect(checkDrop(left, 'TAB-3', { parent: 'TABS-1', index: 0 }), 'the only tab of its block').toBe('wrong-place')
  })

  it('refuses to move a node into itself or a column into a column', () => {
    const nodes = withColumn()
    expect(checkDrop(nodes, 'COLUMN-1', { parent: 'ROW-2', index: 0 })).toBe('wrong-place')
    const two = add(nodes, { id: 'COLUMN-2', type: 'COLUMN', meta: { width: 2 } }, { parent: 'GRID_ID', index: 0 })
    expect(checkDrop(two, 'COLUMN-2', { parent: 'ROW-2', index: 0 })).toBe('wrong-place')
    expect(checkDrop(two, 'a', { parent: 'no such', index: 0 })).toBe('wrong-place')
  })

  it('lets a chart fill a column, and requires a row to fit the column with its total width', () => {
    const nodes = withColumn()
    expect(layoutNode(move(nodes, 'a', { parent: 'COLUMN-1', index: 0 }), 'COLUMN-1')?.children).toEqual([
      'a',
      'b',
      'ROW-2',
    ])
    const wide = add(
      nodes,
      { id: 'CHART-w', type: 'CHART', meta: { chartId: 9, width: 8 } },
      { parent: 'GRID_ID', index: 0 },
    )
    expect(checkDrop(wide, 'ROW-w', { parent: 'COLUMN-1', index: 0 })).toBe('no-room')
  })
})

describe('add, remove, resize', () => {
  it('limits a new chart to the remaining width, and refuses it in a full row', () => {
    const chart = chartNode({ id: 7, slice_name: 'Seven' }, 'n')
    expect(widthOf(layoutNode(add(grid(['a9']), chart, { parent: 'ROW-1', index: 1 }), 'CHART-n')!)).toBe(3)
    expect(checkDrop(grid(['a12']), chart, { parent: 'ROW-1', index: 1 })).toBe('no-room')
  })

  it('DASH-091: makes a new chart 4 columns wide and 50 units high', () => {
    const node = layoutNode(
      add(grid(['a4']), chartNode({ id: 7, slice_name: 's' }, 'n'), { parent: 'GRID_ID', index: 0 }),
      'CHART-n',
    )!
    expect([widthOf(node), heightOf(node)]).toEqual([4, 50])
  })

  it('DASH-028: removing the last chart of a row removes the row', () => {
    expect(rows(remove(grid(['a4'], ['b4', 'c4']), 'a'))).toEqual(['b c'])
    expect(rows(remove(grid(['a4'], ['b4', 'c4']), 'b'))).toEqual(['a', 'c'])
  })

  it('never removes the grid', () => {
    const nodes = grid(['a4'])
    expect(remove(nodes, 'GRID_ID')).toBe(nodes)
    expect(remove(nodes, 'ROOT_ID')).toBe(nodes)
  })

  it('DASH-089, DASH-090, DASH-092: limits sizes to the 12 columns, the space in the row, and 5 to 100 units', () => {
    const nodes = grid(['a4', 'b4'])
    const size = (change: { width?: number; height?: number }) => {
      const node = layoutNode(resize(nodes, 'a', change), 'a')!
      return [widthOf(node), heightOf(node)]
    }
    expect(size({ width: 20 })).toEqual([8, 50])
    expect(size({ width: 0, height: 1 })).toEqual([1, 5])
    expect(size({ height: 1000 })).toEqual([4, 100])
    expect(resize(nodes, 'a', { width: 4, height: 50 })).toBe(nodes)
  })

  it('DASH-092: a column is never narrower than the widest row inside', () => {
    const nodes = resize(withColumn(), 'COLUMN-1', { width: 1 })
    expect(widthOf(layoutNode(nodes, 'COLUMN-1')!)).toBe(5)
    expect(freeColumns(nodes, 'ROW-2')).toBe(0)
  })

  it('DASH-029: charts missing from the layout fill rows up to the grid’s width', () => {
    const charts = [1, 2, 3, 4].map((id) => ({ id, slice_name: `c${id}` }))
    const nodes = placeMissingCharts(readLayout(null).nodes, charts)
    expect(rows(nodes)).toEqual(['CHART-auto-1 CHART-auto-2 CHART-auto-3', 'CHART-auto-4'])
    expect(placeMissingCharts(nodes, charts)).toBe(nodes)
  })

  it('changes nothing when a text is set to the same value again', () => {
    const nodes = grid(['a4'])
    const named = setMeta(nodes, 'a', { sliceNameOverride: 'Mine' })
    expect(named.a?.meta).toMatchObject({ chartId: 97, sliceNameOverride: 'Mine' })
    expect(setMeta(named, 'a', { sliceNameOverride: 'Mine' })).toBe(named)
  })

  it('names a chart on this dashboard only, and restores its own name', () => {
    const nodes = grid(['a4', 'b4'])
    const renamed = renameChart(nodes, 'a', 'Mine')
    expect(chartNameOverrides(renamed)).toEqual(new Map([[97, 'Mine']]))
    const restored = renameChart(renamed, 'a', null)
    expect(restored).toEqual(nodes)
    expect(renameChart(restored, 'a', null)).toBe(restored)
    // Other tools store an empty name.
    const empty = setMeta(nodes, 'a', { sliceNameOverride: '', sliceName: 'Own' })
    expect(chartNameOverrides(empty)).toEqual(new Map())
    expect(chartNameInLayout(empty.a!.meta)).toBe('Own')
  })
})

describe('step', () => {
  it('moves along the row and reports the new position', () => {
    const nodes = moveByStep(grid(['a3', 'b4']), 'a', 'right')
    expect(rows(nodes)).toEqual(['b a'])
    expect(findGridPosition(nodes, 'a')).toEqual({ row: 1, column: 5, width: 3, height: 50 })
    expect(moveByStep(nodes, 'a', 'right')).toBe(nodes)
  })

  it('moves into the row above if it fits, otherwise between the rows', () => {
    expect(rows(moveByStep(grid(['a4'], ['b4', 'c4']), 'b', 'up'))).toEqual(['b a', 'c'])
    expect(rows(moveByStep(grid(['a12'], ['b4', 'c4']), 'b', 'up'))).toEqual(['a', 'b', 'c'])
  })

  it('moves a lone chart past a full row instead of creating the same row again', () => {
    expect(rows(moveByStep(grid(['a12'], ['b4']), 'b', 'up'))).toEqual(['b', 'a'])
    expect(rows(moveByStep(grid(['b4'], ['a12']), 'b', 'down'))).toEqual(['a', 'b'])
    const top = grid(['b4'], ['a12'])
    expect(moveByStep(top, 'b', 'up')).toBe(top)
  })

  it('leaves a column at its sides and at its edges', () => {
    const nodes = withColumn()
    expect(layoutNode(moveByStep(nodes, 'c', 'left'), 'ROW-1')?.children).toEqual(['a', 'c', 'COLUMN-1'])
    expect(rows(moveByStep(nodes, 'b', 'up'))).toEqual(['b', 'a COLUMN-1'])
  })
})

describe('any layout', () => {
  const directions: Direction[] = ['left', 'right', 'up', 'down']
  const pick = <T>(list: readonly T[], index: number) => list[index % list.length]!

  it('DASH-007, DASH-090: every command preserves a valid tree and unknown keys', () =>
    checkCases(200, ({ int: chance }, seed) => {
      let nodes = randomLayout(chance)
      expect(findLayoutFaults(nodes)).toEqual([])
      for (let i = 0; i < 20; i++) {
        const ids = subtree(nodes, rootId).filter((id) => id !== rootId)
        const id = pick(ids, chance(ids.length))
        const place: DropTarget = { parent: pick(ids, chance(ids.length)), index: chance(5) }
        const commands = [
          () => move(nodes, id, place),
          () => move(nodes, id, place),
          () => add(nodes, chartNode({ id: i, slice_name: 'n' }, `${seed}-${i}`), place),
          () => remove(nodes, id),
          () => resize(nodes, id, { width: chance(14), height: chance(120) }),
          () => moveByStep(nodes, id, pick(directions, chance(4))),
        ]
        const before = structuredClone(nodes)
        const next = pick(commands, chance(commands.length))()
        expect(nodes, 'the tree before is left alone').toEqual(before)
        expect(findLayoutFaults(next), `command ${i}`).toEqual([])
        if (next !== nodes) expect(next, 'a change is a change').not.toEqual(before)
        for (const [each, node] of Object.entries(next)) {
          if (before[each]) expect(node.kept).toBe(before[each].kept)
        }
        nodes = next
      }
      const written = writeLayout({ nodes, rest: { mine: 1 } })
      expect(readLayout(JSON.stringify(written)).nodes).toEqual(nodes)
    }))

  it('moves a node into the given parent, before the sibling at the index', () =>
    checkCases(200, ({ int: chance }) => {
      const nodes = randomLayout(chance)
      const ids = subtree(nodes, rootId).filter((id) => id !== rootId)
      const id = pick(ids, chance(ids.length))
      const place = { parent: pick(ids, chance(ids.length)), index: chance(4) }
      if (checkDrop(nodes, id, place)) return
      const target = layoutNode(nodes, place.parent)!
      const next = move(nodes, id, place)
      const anchor = target.children.slice(place.index).find((each) => each !== id && layoutNode(next, each))
      const parents = layoutNode(next, id)!.parents
      const after = layoutNode(next, place.parent)!.children
      const own = [id, ...parents.toReversed()].find((each) => after.includes(each))!
      if (anchor && anchor !== own) expect(after.indexOf(own)).toBe(after.indexOf(anchor) - 1)
      else if (!anchor) expect(own).toBe(after.at(-1))
    }))
})
