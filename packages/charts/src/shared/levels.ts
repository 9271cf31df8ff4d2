import { cellAt, type Cell, type Column, type Frame } from '@parquetry/frame'
import { finiteAt } from './items.ts'

/** A part and what it is divided into. */
export interface Node {
  name: string
  /** Of a part that is divided, the sum of its parts. */
  value: number | null
  color?: string
  key: Record<string, Cell>
  children?: Node[]
}

/**
 * The rows of an answer as a tree: one level per column, parts in the order of their first rows.
 * @param nameOf writes a cell of a column
 */
export function treeOf(
  frame: Frame,
  columns: readonly Column[],
  values: Column,
  nameOf: (column: Column, cell: Cell) => string,
): Node[] {
  const root: Node[] = []
  const known = new Map<string, Node>()
  for (let row = 0; row < frame.rows; row++) {
    const value = finiteAt(values, row)
    let [level, path, key]: [Node[], string, Record<string, Cell>] = [root, '', {}]
    for (const [depth, column] of columns.entries()) {
      const cell = cellAt(column, row)
      const name = nameOf(column, cell)
      key = { ...key, [column.name]: cell }
      path += `${JSON.stringify(name)},`
      const isLeaf = depth === columns.length - 1
      const found = known.get(path)
      const node: Node = found ?? { name, value: null, key, ...(!isLeaf && { children: [] }) }
      if (!found) {
        known.set(path, node)
        level.push(node)
      }
      if (value !== null) node.value = (node.value ?? 0) + value
      level = node.children ?? []
    }
  }
  return root
}
