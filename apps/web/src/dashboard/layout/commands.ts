import {
  headerId,
  layoutGrid,
  layoutNode,
  subtree,
  type LayoutMeta,
  type LayoutNode,
  type LayoutNodes,
} from '@parquetry/model'
import {
  checkDrop,
  hasOwnWidth,
  isResizable,
  minWidth,
  needsRow,
  freeColumns,
  widthOf,
  type NewNode,
  type DropTarget,
} from './rules.ts'

/**
 * Commands on the tree of a layout. Each returns the next tree, or the same object if nothing changes, so that there is no undo
 * step; moves that `check` refuses change nothing.
 */

/** Moves a node with its descendants. An emptied row is removed (DASH-028); the index refers to the tree before the move. */
export function move(nodes: LayoutNodes, id: string, dropTarget: DropTarget): LayoutNodes {
  const node = layoutNode(nodes, id)
  const source = layoutNode(nodes, node?.parents.at(-1) ?? '')
  const target = layoutNode(nodes, dropTarget.parent)
  if (!node || !source || !target || checkDrop(nodes, id, dropTarget)) return nodes
  const isAlone = source.type === 'ROW' && source.children.length === 1
  if (isAlone && needsRow(node.type, target.type) && source.parents.at(-1) === target.id)
    return move(nodes, source.id, dropTarget)
  const anchor = target.children.slice(dropTarget.index).find((child) => child !== id)
  const detached = withChildren(nodes, source.id, (children) => children.filter((child) => child !== id))
  const landed = attachNode(detached, node, target, anchor)
  return sameChildren(nodes, landed, target.id) && source.id === target.id
    ? nodes
    : withParents(pruneEmptyRow(landed, source.id))
}

/** Adds a new node; if it is too wide, it gets the remaining width. Tabs get a first tab (DASH-027). */
export function add(nodes: LayoutNodes, item: NewNode, dropTarget: DropTarget): LayoutNodes {
  const target = layoutNode(nodes, dropTarget.parent)
  if (!target || layoutNode(nodes, item.id)) return nodes
  const fitted = fitWidth(nodes, item, dropTarget)
  if (checkDrop(nodes, fitted, dropTarget)) return nodes
  const node: LayoutNode = { ...fitted, children: [], parents: [] }
  const anchor = target.children[dropTarget.index]
  const landed = attachNode({ ...nodes, [node.id]: node }, node, target, anchor)
  return withParents(node.type === 'TABS' ? withFirstTab(landed, node.id) : landed)
}

/** Limits the width of a new node to the available columns. */
export function fitWidth(nodes: LayoutNodes, item: NewNode, dropTarget: DropTarget): NewNode {
  if (item.meta.width === undefined) return item
  const free = freeColumns(nodes, dropTarget.parent)
  return free >= 1 && item.meta.width > free ? { ...item, meta: { ...item.meta, width: free } } : item
}

/** Removes a node with its descendants, and the row that this empties (DASH-028). The root and its grid stay. */
export function remove(nodes: LayoutNodes, id: string): LayoutNodes {
  const parent = layoutNode(nodes, layoutNode(nodes, id)?.parents.at(-1) ?? '')
  if (!parent || parent.type === 'ROOT') return nodes
  const removedIds = new Set(subtree(nodes, id))
  const remaining = Object.fromEntries(Object.entries(nodes).filter(([each]) => !removedIds.has(each)))
  return withParents(
    pruneEmptyRow(
      withChildren(remaining, parent.id, (children) => children.filter((child) => child !== id)),
      parent.id,
    ),
  )
}

/** Resizes a node within the limits of its content and surroundings; width in columns, height in units. */
export function resize(nodes: LayoutNodes, id: string, size: { width?: number; height?: number }): LayoutNodes {
  const node = layoutNode(nodes, id)
  if (!node || !isResizable(node)) return nodes
  const meta = { ...node.meta }
  if (size.width !== undefined && hasOwnWidth(nodes, id)) {
    const maxWidth = freeColumns(nodes, node.parents.at(-1) ?? '', id)
    meta.width = clamp(Math.round(size.width), minWidth(nodes, id) ?? 1, Math.max(maxWidth, widthOf(node)))
  }
  if (size.height !== undefined && node.type !== 'COLUMN') {
    meta.height = clamp(Math.round(size.height), layoutGrid.minUnits, layoutGrid.maxUnits)
  }
  return setMeta(nodes, id, meta)
}

/** Merges `change` into a node's meta: text, background, name. */
export function setMeta(nodes: LayoutNodes, id: string, change: LayoutMeta): LayoutNodes {
  const node = layoutNode(nodes, id)
  if (!node || Object.entries(change).every(([key, value]) => node.meta[key] === value)) return nodes
  return { ...nodes, [id]: { ...node, meta: { ...node.meta, ...change } } }
}

/** Names a chart on this dashboard; null restores the chart's own name. */
export function renameChart(nodes: LayoutNodes, id: string, name: string | null): LayoutNodes {
  if (name) return setMeta(nodes, id, { sliceNameOverride: name })
  const node = layoutNode(nodes, id)
  if (node?.meta.sliceNameOverride === undefined) return nodes
  const { sliceNameOverride: _, ...meta } = node.meta
  return { ...nodes, [id]: { ...node, meta } }
}

/** Sets the dashboard's title, which is a separate node beside the tree. */
export function setTitle(nodes: LayoutNodes, text: string): LayoutNodes {
  if (layoutNode(nodes, headerId)) return setMeta(nodes, headerId, { text })
  return { ...nodes, [headerId]: { id: headerId, type: 'HEADER', children: [], parents: [], meta: { text } } }
}

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value))

function attachNode(nodes: LayoutNodes, node: LayoutNode, target: LayoutNode, before: string | undefined): LayoutNodes {
  if (!needsRow(node.type, target.type)) return insert(nodes, target.id, node.id, before)
  const row = wrapInRow(nodes, node.id)
  return insert({ ...nodes, [row.id]: row }, target.id, row.id, before)
}

/** The row's id derives from that of its first child, so that commands need no randomness. */
function wrapInRow(nodes: LayoutNodes, child: string): LayoutNode {
  const stem = `ROW-${child.replace(/^[A-Z]+-/, '')}`
  let id = stem
  for (let n = 2; layoutNode(nodes, id); n++) id = `${stem}-${n}`
  return { id, type: 'ROW', children: [child], parents: [], meta: { background: 'BACKGROUND_TRANSPARENT' } }
}

function withFirstTab(nodes: LayoutNodes, tabs: string): LayoutNodes {
  const id = `TAB-${tabs.replace(/^[A-Z]+-/, '')}`
  const tab: LayoutNode = { id, type: 'TAB', children: [], parents: [], meta: {} }
  return insert({ ...nodes, [id]: tab }, tabs, id, undefined)
}

function insert(nodes: LayoutNodes, parent: string, child: string, before: string | undefined): LayoutNodes {
  return withChildren(nodes, parent, (children) => {
    const index = before === undefined ? -1 : children.indexOf(before)
    return index < 0 ? [...children, child] : children.toSpliced(index, 0, child)
  })
}

function withChildren(nodes: LayoutNodes, id: string, change: (children: string[]) => string[]): LayoutNodes {
  const node = layoutNode(nodes, id)
  return node ? { ...nodes, [id]: { ...node, children: change(node.children) } } : nodes
}

/** Removes the row if it is empty. */
function pruneEmptyRow(nodes: LayoutNodes, id: string): LayoutNodes {
  const row = layoutNode(nodes, id)
  return row?.type === 'ROW' && row.children.length === 0 ? remove(withParents(nodes), id) : nodes
}

const sameChildren = (a: LayoutNodes, b: LayoutNodes, id: string) =>
  layoutNode(a, id)?.children.join('\n') === layoutNode(b, id)?.children.join('\n')

/** Updates `parents` below the root; a node whose parents are unchanged stays the same object. */
function withParents(nodes: LayoutNodes): LayoutNodes {
  const changed: [string, LayoutNode][] = []
  const walk = (id: string, parents: string[]) => {
    const node = layoutNode(nodes, id)
    if (!node) return
    if (node.parents.join('\n') !== parents.join('\n')) changed.push([id, { ...node, parents }])
    for (const child of node.children) walk(child, [...parents, id])
  }
  walk('ROOT_ID', [])
  return changed.length ? { ...nodes, ...Object.fromEntries(changed) } : nodes
}
