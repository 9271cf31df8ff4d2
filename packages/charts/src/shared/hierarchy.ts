import { cellAt, type Cell, type Column, type Frame } from '@parquetry/frame'
import { finiteAt } from './items.ts'

/** A part and what it is divided into. */
export interface HierarchyNode {
  name: string
  /** Of a part that is divided, the sum of its parts, or null where they do not add up. */
  value: number | null
  /** How large what is divided is drawn where its parts do not add up. */
  together?: number
  color?: string
  key: Record<string, Cell>
  children?: HierarchyNode[]
}

/**
 * The rows of an answer as a tree: one level per column, parts in the order of their first rows.
 * @param nameOf writes a cell of a column
 * @param adds   whether numbers of parts, added up, are that of the whole
 */
export function buildHierarchy(
  frame: Frame,
  columns: readonly Column[],
  values: Column,
  nameOf: (column: Column, cell: Cell) => string,
  adds = true,
): HierarchyNode[] {
  const root: HierarchyNode[] = []
  const known = new Map<string, HierarchyNode>()
  for (let row = 0; row < frame.rows; row++) {
    const value = finiteAt(values, row)
    let [level, path, key]: [HierarchyNode[], string, Record<string, Cell>] = [root, '', {}]
    for (const [depth, column] of columns.entries()) {
      const cell = cellAt(column, row)
      const name = nameOf(column, cell)
      key = { ...key, [column.name]: cell }
      path += `${JSON.stringify(name)},`
      const isLeaf = depth === columns.length - 1
      const found = known.get(path)
      const node: HierarchyNode = found ?? { name, value: null, key, ...(!isLeaf && { children: [] }) }
      if (!found) {
        known.set(path, node)
        level.push(node)
      }
      if (!adds && !isLeaf) node.together = (node.together ?? 0) + Math.max(0, value ?? 0)
      else if (value !== null) node.value = (node.value ?? 0) + value
      level = node.children ?? []
    }
  }
  return root
}
