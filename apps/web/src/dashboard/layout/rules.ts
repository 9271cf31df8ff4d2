import { layoutGrid, layoutNode, subtree, type LayoutMeta, type LayoutNode, type LayoutNodes } from '@parquetry/model'

/** Target position of a node; `index` counts the children of `parent` before the change. */
export interface DropTarget {
  parent: string
  index: number
}

export type Refusal = 'no-room' | 'top-tab-into-nested' | 'wrong-place'

/** Allowed children by type of the parent. Leaves and columns that land in a grid or tab get their own row. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ROOT: ['GRID', 'TABS'],
  GRID: ['ROW', 'HEADER', 'DIVIDER', 'TABS', 'DYNAMIC'],
  TAB: ['ROW', 'HEADER', 'DIVIDER', 'TABS', 'DYNAMIC'],
  TABS: ['TAB'],
  ROW: ['CHART', 'MARKDOWN', 'COLUMN', 'DYNAMIC'],
  COLUMN: ['CHART', 'MARKDOWN', 'HEADER', 'DIVIDER', 'ROW', 'TABS', 'DYNAMIC'],
}

const wrapped = new Set(['CHART', 'MARKDOWN', 'COLUMN'])
const defaultWidth = 4
export const defaultHeightUnits = 50

export const isResizable = (node: LayoutNode): boolean => wrapped.has(node.type)

/** True if landing there wraps the node in a row (DASH-024 to DASH-026). */
export const needsRow = (type: string, parentType: string): boolean =>
  wrapped.has(type) && (parentType === 'GRID' || parentType === 'TAB')

export const widthOf = (node: LayoutNode): number => node.meta.width ?? defaultWidth

export const heightOf = (node: LayoutNode): number => node.meta.height ?? defaultHeightUnits

const childrenOf = (nodes: LayoutNodes, id: string): LayoutNode[] =>
  (layoutNode(nodes, id)?.children ?? []).flatMap((child) => layoutNode(nodes, child) ?? [])

const sumWidths = (children: LayoutNode[]) => children.reduce((sum, child) => sum + widthOf(child), 0)

/** Columns available to the content of a node: those of the nearest enclosing column, otherwise all. */
export function innerWidth(nodes: LayoutNodes, id: string): number {
  const node = layoutNode(nodes, id)
  if (!node) return layoutGrid.columns
  const column = [id, ...node.parents.toReversed()].find((each) => layoutNode(nodes, each)?.type === 'COLUMN')
  const found = column === undefined ? undefined : layoutNode(nodes, column)
  return found ? widthOf(found) : layoutGrid.columns
}

/** Free columns of a row for `id`, whose current width there does not count; all columns for other parents. */
export function freeColumns(nodes: LayoutNodes, parent: string, id?: string): number {
  const inner = innerWidth(nodes, parent)
  if (layoutNode(nodes, parent)?.type !== 'ROW') return inner
  return inner - sumWidths(childrenOf(nodes, parent).filter((child) => child.id !== id))
}

/** Minimum width that the content of a node allows; null if it has no width. */
export function minWidth(nodes: LayoutNodes, id: string): number | null {
  const node = layoutNode(nodes, id)
  if (node?.type === 'ROW') return Math.max(1, sumWidths(childrenOf(nodes, id)))
  if (node?.type === 'COLUMN') {
    return Math.max(1, ...childrenOf(nodes, id).flatMap((c) => (c.type === 'ROW' ? (minWidth(nodes, c.id) ?? 1) : [])))
  }
  return node && isResizable(node) ? 1 : null
}

/** True if a node has its own width, as in a row; charts and text in a column fill it. */
export const hasOwnWidth = (nodes: LayoutNodes, id: string): boolean => {
  const node = layoutNode(nodes, id)
  return node !== undefined && isResizable(node) && layoutNode(nodes, node.parents.at(-1) ?? '')?.type === 'ROW'
}

const isTopTabs = (nodes: LayoutNodes, id: string) => layoutNode(nodes, id)?.parents.at(-1) === 'ROOT_ID'

/** A node that is not in the tree yet. */
export interface NewNode {
  id: string
  type: string
  meta: LayoutMeta
}

/** Reason why an item may not land there; undefined if it may. `thing` is a node's id or a new node. */
export function checkDrop(nodes: LayoutNodes, item: string | NewNode, { parent }: DropTarget): Refusal | undefined {
  const target = layoutNode(nodes, parent)
  const node = typeof item === 'string' ? layoutNode(nodes, item) : { ...item, children: [], parents: [] }
  if (!target || !node || subtree(nodes, node.id).includes(parent)) return 'wrong-place'
  if (node.type === 'TAB' && target.type === 'TABS' && isTopTabs(nodes, node.parents.at(-1) ?? '')) {
    if (!isTopTabs(nodes, parent)) return 'top-tab-into-nested'
  }
  // A tabs block without tabs would be unreachable.
  const source = layoutNode(nodes, node.parents.at(-1) ?? '')
  if (source?.type === 'TABS' && source.id !== parent && source.children.length === 1) return 'wrong-place'
  const fits = allowed[target.type]?.includes(node.type) || needsRow(node.type, target.type)
  if (!fits || hasColumnAround(nodes, node, target)) return 'wrong-place'
  return widthNeeded(nodes, node, target) > freeColumns(nodes, parent, node.id) ? 'no-room' : undefined
}

/** A column inside a column is rendered if a document contains it, but cannot be created here. */
const hasColumnAround = (nodes: LayoutNodes, node: LayoutNode, target: LayoutNode) =>
  subtree(nodes, node.id).some((id) => layoutNode(nodes, id)?.type === 'COLUMN') &&
  node.parents.at(-1) !== target.id &&
  [...target.parents, target.id].some((id) => layoutNode(nodes, id)?.type === 'COLUMN')

function widthNeeded(nodes: LayoutNodes, node: LayoutNode, target: LayoutNode): number {
  if (node.type === 'ROW') return minWidth(nodes, node.id) ?? 0
  return isResizable(node) && target.type !== 'COLUMN' ? widthOf(node) : 0
}
