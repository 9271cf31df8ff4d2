import { layoutNode, readLayout, type LayoutNodes } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { resolveDrop, type Rect } from './drop.ts'

const chart = (chartId: number, width: number) => ({
  type: 'CHART',
  children: [],
  meta: { chartId, width, height: 50 },
})

const { nodes } = readLayout({
  ROOT_ID: { type: 'ROOT', children: ['TABS-1'] },
  'TABS-1': { type: 'TABS', children: ['TAB-1', 'TAB-2'] },
  'TAB-1': { type: 'TAB', children: ['ROW-1', 'HEADER-1', 'ROW-2'] },
  'TAB-2': { type: 'TAB', children: [] },
  'ROW-1': { type: 'ROW', children: ['a', 'COLUMN-1'] },
  'HEADER-1': { type: 'HEADER', children: [], meta: { text: 'h' } },
  'ROW-2': { type: 'ROW', children: ['c', 'd'] },
  'COLUMN-1': { type: 'COLUMN', children: ['b'], meta: { width: 4 } },
  a: chart(1, 4),
  b: chart(2, 4),
  c: chart(3, 6),
  d: chart(4, 6),
})

const boxes: Record<string, Rect> = {
  'TABS-1': { x: 0, y: 0, width: 1200, height: 1000 },
  'TAB-1': { x: 0, y: 40, width: 1200, height: 960 },
  'ROW-1': { x: 0, y: 40, width: 1200, height: 400 },
  a: { x: 0, y: 40, width: 400, height: 400 },
  'COLUMN-1': { x: 416, y: 40, width: 400, height: 400 },
  b: { x: 416, y: 40, width: 400, height: 200 },
  'HEADER-1': { x: 0, y: 456, width: 1200, height: 40 },
  'ROW-2': { x: 0, y: 512, width: 1200, height: 400 },
  c: { x: 0, y: 512, width: 592, height: 400 },
  d: { x: 608, y: 512, width: 592, height: 400 },
}

const within = (box: Rect, x: number, y: number) =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height

/** Drops at a point: finds the boxes under it as the page would, deepest node first. */
function drop(
  thing: Parameters<typeof resolveDrop>[1],
  x: number,
  y: number,
  isRtl = false,
  tree: LayoutNodes = nodes,
) {
  const path = Object.entries(boxes)
    .filter(([, box]) => within(box, x, y))
    .map(([id, box]) => ({ id, box }))
    .toSorted((p, q) => layoutNode(tree, q.id)!.parents.length - layoutNode(tree, p.id)!.parents.length)
  return resolveDrop(tree, thing, path, { x, y, isRtl }, (id) => boxes[id])
}

describe('dropAt', () => {
  it('the halves of a chart drop before and after it in the row', () => {
    expect(drop('b', 100, 240)?.target).toEqual({ parent: 'ROW-1', index: 0 })
    expect(drop('b', 300, 240)).toMatchObject({
      target: { parent: 'ROW-1', index: 1 },
      line: { width: 3, height: 400 },
    })
  })

  it('the halves are swapped in a right-to-left page', () => {
    expect(drop('b', 100, 240, true)?.target).toEqual({ parent: 'ROW-1', index: 1 })
  })

  it('DASH-024: the outer fifths of a chart drop into a new row above and below', () => {
    expect(drop('b', 100, 60)?.target).toEqual({ parent: 'TAB-1', index: 0 })
    expect(drop('b', 100, 430)).toMatchObject({
      target: { parent: 'TAB-1', index: 1 },
      line: { x: 0, width: 1200, height: 3 },
    })
  })

  it('DASH-030: refuses a full row, with the line where the item would have landed', () => {
    expect(drop('a', 500, 700)).toMatchObject({ refusal: 'no-room', target: { parent: 'ROW-2', index: 1 } })
  })

  it('a column accepts a chart above, between and below its own', () => {
    expect(drop('a', 500, 60)?.target).toEqual({ parent: 'COLUMN-1', index: 0 })
    expect(drop('a', 500, 400)?.target).toEqual({ parent: 'COLUMN-1', index: 1 })
  })

  it('free space in a row drops at its end', () => {
    expect(drop('c', 1000, 200)).toMatchObject({ target: { parent: 'ROW-1', index: 2 }, refusal: 'no-room' })
    expect(drop('b', 1000, 200)?.target).toEqual({ parent: 'ROW-1', index: 2 })
  })

  it('a row drops above or below other rows, whatever it is held over', () => {
    expect(drop('ROW-2', 300, 100)?.target).toEqual({ parent: 'TAB-1', index: 0 })
    expect(drop('ROW-1', 300, 800)?.target).toEqual({ parent: 'TAB-1', index: 3 })
  })

  it('the gap between rows and the space below drop into their container', () => {
    expect(drop('b', 300, 505)?.target).toEqual({ parent: 'TAB-1', index: 2 })
    expect(drop('b', 300, 990)?.target).toEqual({ parent: 'TAB-1', index: 3 })
  })

  it('an item cannot be dropped on itself', () => {
    expect(drop('a', 100, 100)).toBeUndefined()
    expect(drop('COLUMN-1', 500, 100)).toBeUndefined()
  })

  it('a new chart shrinks to the remaining width', () => {
    const thing = { id: 'CHART-n', type: 'CHART', meta: { chartId: 9, width: 8 } }
    expect(drop(thing, 1000, 200)).toMatchObject({ target: { parent: 'ROW-1', index: 2 } })
    expect(drop(thing, 1000, 200)?.refusal).toBeUndefined()
  })

  it('a tab drops before or after the label of another one, and an only tab cannot leave its block', () => {
    const label = { id: 'TAB-2', box: { x: 100, y: 0, width: 80, height: 40 }, isLabel: true }
    const at = (x: number, isRtl = false, tree = nodes) =>
      resolveDrop(tree, 'TAB-1', [label], { x, y: 20, isRtl }, () => undefined)?.target
    expect([at(110), at(170), at(170, true)]).toEqual([
      { parent: 'TABS-1', index: 1 },
      { parent: 'TABS-1', index: 2 },
      { parent: 'TABS-1', index: 1 },
    ])
    const nested = readLayout({
      ROOT_ID: { type: 'ROOT', children: ['GRID_ID'] },
      GRID_ID: { type: 'GRID', children: ['TABS-1', 'TABS-2'] },
      'TABS-1': { type: 'TABS', children: ['TAB-1'] },
      'TAB-1': { type: 'TAB', children: [] },
      'TABS-2': { type: 'TABS', children: ['TAB-2'] },
      'TAB-2': { type: 'TAB', children: [] },
    }).nodes
    expect(at(110, false, nested)).toBeUndefined()
  })

  it('the label of a tab opens the tab and drops at its end', () => {
    const label = { id: 'TAB-2', box: { x: 100, y: 0, width: 80, height: 40 }, isLabel: true }
    expect(resolveDrop(nodes, 'a', [label], { x: 120, y: 20, isRtl: false }, () => undefined)).toMatchObject({
      openTab: 'TAB-2',
      target: { parent: 'TAB-2', index: 0 },
    })
  })
})
