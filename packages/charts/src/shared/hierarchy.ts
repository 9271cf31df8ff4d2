import { cellAt, type Cell, type Column, type Frame } from '@parquetry/frame'
import { finiteAt } from './items.ts'

/** A part and its children. */
export interface HierarchyNode {
  name: string
  /** For a divided part, the sum of its children, or null if they do not add up. */
  value: number | null
  /** Drawn size of a divided part whose children do not add up. */
  combinedSize?: number
  color?: string
  key: Record<string, Cell>
  children?: HierarchyNode[]
}

/**
 * Returns the rows of a response as a tree: one level per column, parts in the order of their first rows.
 * @param nameOf formats a cell of a column
 * @param adds   true when the values of parts add up to the value of the whole
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
      // Different values may have the same name, such as times of one day.
      path += `${JSON.stringify([typeof cell, String(cell)])},`
      const isLeaf = depth === columns.length - 1
      const found = known.get(path)
      const node: HierarchyNode = found ?? { name, value: null, key, ...(!isLeaf && { children: [] }) }
      if (!found) {
        known.set(path, node)
        level.push(node)
      }
      if (!adds && !isLeaf) node.combinedSize = (node.combinedSize ?? 0) + Math.max(0, value ?? 0)
      else if (value !== null) node.value = (node.value ?? 0) + value
      level = node.children ?? []
    }
  }
  return root
}
