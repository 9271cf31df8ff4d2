import { layoutNode, readLayout, rootId, subtree, type LayoutNodes } from '@parquetry/model'
import type { Random } from '@parquetry/model/testing/random'
import { innerWidth, isResizable, minWidth, freeColumns, widthOf } from './rules.ts'

type RandomInt = Random['int']

/** A random valid layout, for tests. */
export function randomLayout(chance: RandomInt): LayoutNodes {
  const stored: Record<string, unknown> = {}
  let count = 0
  const addNode = (type: string, meta: object, children: string[] = []) => {
    const id = type === 'GRID' ? 'GRID_ID' : `${type}-${++count}`
    stored[id] = { id, type, children, meta, kept: count }
    return id
  }
  const leaf = (width: number) =>
    chance(4) === 0
      ? addNode('MARKDOWN', { width, height: 20, code: 'x' })
      : addNode('CHART', { width, height: 50, chartId: ++count })
  const row = (columns: number, mayHoldColumn: boolean): string => {
    const children: string[] = []
    for (let left = columns; left > 0 && children.length < 4;) {
      const width = 1 + chance(left)
      children.push(mayHoldColumn && chance(4) === 0 ? column(width) : leaf(width))
      left -= width
    }
    return addNode('ROW', { background: 'BACKGROUND_TRANSPARENT' }, children)
  }
  const column = (width: number): string =>
    addNode(
      'COLUMN',
      { width, unknown: true },
      Array.from({ length: chance(3) }, () => (chance(2) ? leaf(4) : row(width, false))),
    )
  const blocks = () =>
    Array.from({ length: 1 + chance(4) }, () => {
      const kind = chance(6)
      return kind === 0 ? addNode('HEADER', { text: 'h' }) : kind === 1 ? addNode('DIVIDER', {}) : row(12, true)
    })
  const top =
    chance(3) === 0
      ? addNode('TABS', {}, [addNode('TAB', { text: 'a' }, blocks()), addNode('TAB', { text: 'b' }, blocks())])
      : addNode('GRID', {}, blocks())
  stored.ROOT_ID = { id: 'ROOT_ID', type: 'ROOT', children: [top] }
  return readLayout(stored).nodes
}

/** Describes everything that is wrong with a tree; an empty list for a valid one. */
export function findLayoutFaults(nodes: LayoutNodes): string[] {
  const reached = subtree(nodes, rootId)
  const found = Object.keys(nodes)
    .filter((id) => !reached.includes(id) && id !== 'HEADER_ID')
    .map((id) => `${id} is lost`)
  if (new Set(reached).size !== reached.length) found.push('a node stands twice')
  for (const id of reached) {
    const node = layoutNode(nodes, id)
    for (const child of node?.children ?? []) {
      const parents = layoutNode(nodes, child)?.parents.join()
      if (parents !== [...(node?.parents ?? []), id].join()) found.push(`${child} has wrong parents: ${parents}`)
    }
    if (node?.type === 'ROW' && node.children.length === 0) found.push(`${id} is an empty row`)
    if (node?.type === 'ROW' && freeColumns(nodes, id) < 0) found.push(`${id} is wider than ${innerWidth(nodes, id)}`)
    if (node && isResizable(node) && widthOf(node) < (minWidth(nodes, id) ?? 1)) found.push(`${id} is too narrow`)
  }
  return found
}
