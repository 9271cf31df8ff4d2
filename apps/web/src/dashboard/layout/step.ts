import { layoutNode, type LayoutNode, type LayoutNodes } from '@parquetry/model'
import { move } from './commands.ts'
import { checkDrop, heightOf, isResizable, widthOf, type DropTarget } from './rules.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Moves a picked-up node by one keyboard step; returns the same tree if there is no space that way. */
export function moveByStep(nodes: LayoutNodes, id: string, direction: Direction): LayoutNodes {
  for (const target of listStepTargets(nodes, id, direction)) {
    const next = checkDrop(nodes, id, target) ? nodes : move(nodes, id, target)
    if (next !== nodes) return next
  }
  return nodes
}

/** Possible targets of a step, best first. */
function listStepTargets(nodes: LayoutNodes, id: string, direction: Direction): DropTarget[] {
  const node = layoutNode(nodes, id)
  const parent = layoutNode(nodes, node?.parents.at(-1) ?? '')
  if (!node || !parent || parent.type === 'ROOT') return []
  const isBack = direction === 'left' || direction === 'up'
  const isAcross = direction === 'left' || direction === 'right'
  if (parent.type === 'ROW') {
    return isAcross ? acrossRow(nodes, node, parent, isBack) : alongRows(nodes, node, parent, isBack)
  }
  if (parent.type === 'TABS') {
    const sibling = next(parent, node.id, isBack)
    return isAcross && sibling ? [sibling] : []
  }
  if (isAcross) return parent.type === 'COLUMN' ? outOfColumn(nodes, parent, isBack) : []
  return alongSiblings(nodes, node, parent, isBack)
}

const next = (parent: LayoutNode, id: string, isBack: boolean): DropTarget | undefined => {
  const at = parent.children.indexOf(id)
  const index = isBack ? at - 1 : at + 2
  return index < 0 || index > parent.children.length ? undefined : { parent: parent.id, index }
}

function acrossRow(nodes: LayoutNodes, node: LayoutNode, row: LayoutNode, isBack: boolean): DropTarget[] {
  const sibling = next(row, node.id, isBack)
  if (sibling) return [sibling]
  const column = layoutNode(nodes, row.parents.at(-1) ?? '')
  return column?.type === 'COLUMN' ? outOfColumn(nodes, column, isBack) : []
}

/** Target beside the column, in the row that contains it. */
function outOfColumn(nodes: LayoutNodes, column: LayoutNode, isBack: boolean): DropTarget[] {
  const row = layoutNode(nodes, column.parents.at(-1) ?? '')
  return row ? [{ parent: row.id, index: row.children.indexOf(column.id) + (isBack ? 0 : 1) }] : []
}

/**
 * Targets the row above or below if the node fits, otherwise a new row between. A node alone in its row skips a full neighbor,
 * since a row between would be the same row again.
 */
function alongRows(nodes: LayoutNodes, node: LayoutNode, row: LayoutNode, isBack: boolean): DropTarget[] {
  const container = layoutNode(nodes, row.parents.at(-1) ?? '')
  if (!container) return []
  const index = container.children.indexOf(row.id)
  const neighbor = layoutNode(nodes, container.children[isBack ? index - 1 : index + 1] ?? '')
  const own = { parent: container.id, index: isBack ? index : index + 1 }
  const past = { parent: container.id, index: isBack ? index - 1 : index + 2 }
  const isAlone = row.children.length === 1
  const into =
    neighbor?.type === 'ROW'
      ? [{ parent: neighbor.id, index: Math.min(row.children.indexOf(node.id), neighbor.children.length) }]
      : []
  if (neighbor) return [...into, isAlone ? past : own]
  return isAlone ? outwards(nodes, container, isBack) : [own, ...outwards(nodes, container, isBack)]
}

function alongSiblings(nodes: LayoutNodes, node: LayoutNode, parent: LayoutNode, isBack: boolean): DropTarget[] {
  const sibling = next(parent, node.id, isBack)
  return sibling ? [sibling] : outwards(nodes, parent, isBack)
}

/** Target beyond the edge of a column: above or below the row that contains it. */
function outwards(nodes: LayoutNodes, column: LayoutNode, isBack: boolean): DropTarget[] {
  if (column.type !== 'COLUMN') return []
  const row = layoutNode(nodes, column.parents.at(-1) ?? '')
  const container = layoutNode(nodes, row?.parents.at(-1) ?? '')
  if (!row || !container) return []
  return [{ parent: container.id, index: container.children.indexOf(row.id) + (isBack ? 0 : 1) }]
}

export interface GridPosition {
  /** 1-based, among the children of the enclosing grid, tab or column. */
  row: number
  /** First column that it covers, 1-based. */
  column: number
  /** In columns, and the height in units; null if it has none. */
  width: number | null
  height: number | null
}

/** Position of a node, as announced after a step. */
export function findGridPosition(nodes: LayoutNodes, id: string): GridPosition | undefined {
  const node = layoutNode(nodes, id)
  const parent = layoutNode(nodes, node?.parents.at(-1) ?? '')
  if (!node || !parent) return undefined
  const row = parent.type === 'ROW' ? parent : node
  const container = layoutNode(nodes, row.parents.at(-1) ?? '')
  const before = parent.type === 'ROW' ? parent.children.slice(0, parent.children.indexOf(id)) : []
  const columns = before.flatMap((each) => layoutNode(nodes, each) ?? []).reduce((sum, each) => sum + widthOf(each), 0)
  return {
    row: (container?.children.indexOf(row.id) ?? 0) + 1,
    column: columns + 1,
    width: isResizable(node) ? widthOf(node) : null,
    height: isResizable(node) && node.type !== 'COLUMN' ? heightOf(node) : null,
  }
}
