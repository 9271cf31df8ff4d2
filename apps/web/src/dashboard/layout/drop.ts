import { layoutNode, subtree, type LayoutNode, type LayoutNodes } from '@parquetry/model'
import { fitWidth } from './commands.ts'
import { checkDrop, isResizable, type NewNode, type DropTarget, type Refusal } from './rules.ts'

/** Box in px of the window. */
export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** Node under the pointer. A tab is hit by its label (`isLabel`) or by its content. */
export interface Hit {
  id: string
  box: Rect
  isLabel?: boolean
}

export interface ResolvedDrop {
  target: DropTarget
  /** Where the item would land: a thin box along the target edge. */
  line: Rect
  refusal?: Refusal
  /** The tab whose label is under the pointer; holding the pointer there opens it. */
  openTab?: string
}

export interface Pointer {
  x: number
  y: number
  isRtl: boolean
}

const lineWidth = 3

/**
 * Resolves a drop at this point. The innermost node that can contain the item decides; if it has no space, it refuses.
 * @param path   nodes under the pointer, innermost first
 * @param boxOf  returns the box of a node's child, for gaps between children
 */
export function resolveDrop(
  nodes: LayoutNodes,
  item: string | NewNode,
  path: readonly Hit[],
  pointer: Pointer,
  boxOf: (id: string) => Rect | undefined,
): ResolvedDrop | undefined {
  const own = new Set(typeof item === 'string' ? subtree(nodes, item) : [])
  for (const hit of path) {
    if (own.has(hit.id)) return undefined
    const node = layoutNode(nodes, hit.id)
    for (const drop of node ? listCandidates(nodes, node, hit, pointer, boxOf) : []) {
      const fitted = typeof item === 'string' ? item : fitWidth(nodes, item, drop.target)
      const refusal = checkDrop(nodes, fitted, drop.target)
      if (refusal !== 'wrong-place') return refusal ? { ...drop, refusal } : drop
    }
  }
  return undefined
}

/** Possible drops at a point in a node, nearest first. */
function listCandidates(
  nodes: LayoutNodes,
  node: LayoutNode,
  hit: Hit,
  pointer: Pointer,
  boxOf: (id: string) => Rect | undefined,
): ResolvedDrop[] {
  const parent = layoutNode(nodes, node.parents.at(-1) ?? '')
  if (node.type === 'TAB' && hit.isLabel) {
    const into = { target: { parent: node.id, index: node.children.length }, line: hit.box, openTab: node.id }
    return parent ? [into, besideLabel(node, parent, hit.box, pointer)] : [into]
  }
  const beside = parent ? listDropsBeside(nodes, node, parent, hit.box, pointer, boxOf) : []
  return isContainer(node) ? [...listDropsInside(nodes, node, hit.box, pointer, boxOf), ...beside] : beside
}

const isContainer = ({ type }: LayoutNode) => ['GRID', 'TAB', 'ROW', 'COLUMN'].includes(type)

/** Drops a tab before or after another one; all other items go into the tab. */
function besideLabel(tab: LayoutNode, tabs: LayoutNode, box: Rect, pointer: Pointer): ResolvedDrop {
  const isRight = pointer.x > box.x + box.width / 2
  const line = { x: isRight ? box.x + box.width : box.x, y: box.y, width: lineWidth, height: box.height }
  return beforeOrAfter(tabs, tabs.children.indexOf(tab.id), isRight !== pointer.isRtl, line)
}

/** Drops before or after a node among its siblings; the outer fifths of a chart mean above and below its row. */
function listDropsBeside(
  nodes: LayoutNodes,
  node: LayoutNode,
  parent: LayoutNode,
  box: Rect,
  pointer: Pointer,
  boxOf: (id: string) => Rect | undefined,
): ResolvedDrop[] {
  const index = parent.children.indexOf(node.id)
  const down = (pointer.y - box.y) / box.height
  if (parent.type !== 'ROW') return [beforeOrAfter(parent, index, down > 0.5, horizontal(box, down > 0.5))]
  const isAfter = pointer.x > box.x + box.width / 2 !== pointer.isRtl
  const isRight = pointer.x > box.x + box.width / 2
  const along = beforeOrAfter(parent, index, isAfter, vertical(box, isRight))
  const container = layoutNode(nodes, parent.parents.at(-1) ?? '')
  if (!isResizable(node) || !container || (down >= 0.2 && down <= 0.8)) return [along]
  const row = container.children.indexOf(parent.id)
  const rowBox = boxOf(parent.id) ?? box
  return [beforeOrAfter(container, row, down > 0.5, horizontal(rowBox, down > 0.5)), along]
}

/** Drops between the children of a container, by the position of the pointer relative to their centers. */
function listDropsInside(
  nodes: LayoutNodes,
  node: LayoutNode,
  box: Rect,
  pointer: Pointer,
  boxOf: (id: string) => Rect | undefined,
): ResolvedDrop[] {
  const isRow = node.type === 'ROW'
  const isBefore = (child: Rect) => {
    if (!isRow) return child.y + child.height / 2 < pointer.y
    const middle = child.x + child.width / 2
    return pointer.isRtl ? middle > pointer.x : middle < pointer.x
  }
  const boxes = node.children.filter((id) => layoutNode(nodes, id)).map((id) => boxOf(id))
  const index = boxes.filter((child) => child && isBefore(child)).length
  const [next, last] = [boxes[index], boxes[index - 1]]
  const dropTarget = { parent: node.id, index }
  if (isRow) {
    const line = next
      ? vertical(next, pointer.isRtl)
      : last
        ? vertical(last, !pointer.isRtl)
        : vertical(box, pointer.isRtl)
    return [{ target: dropTarget, line }]
  }
  const edge = next ? horizontal(next, false) : last ? horizontal(last, true) : horizontal(box, false)
  return [{ target: dropTarget, line: edge }]
}

const beforeOrAfter = (parent: LayoutNode, index: number, isAfter: boolean, line: Rect): ResolvedDrop => ({
  target: { parent: parent.id, index: isAfter ? index + 1 : index },
  line,
})

/** Distance in px from a box to its line, which is in the middle of the gutter. */
const gap = 8
const vertical = (box: Rect, isRight: boolean): Rect => ({
  x: (isRight ? box.x + box.width + gap : box.x - gap) - lineWidth / 2,
  y: box.y,
  width: lineWidth,
  height: box.height,
})
const horizontal = (box: Rect, isBelow: boolean): Rect => ({
  x: box.x,
  y: (isBelow ? box.y + box.height + gap : box.y - gap) - lineWidth / 2,
  width: box.width,
  height: lineWidth,
})
