import type { IconName } from '../icons/paths.ts'

export interface TreeNode<T = unknown> {
  /** Unique in the whole tree. */
  id: string
  label: string
  icon?: IconName
  /** Small words at the right: a type, a number of rows. */
  note?: string
  /** Present when the node can be opened; empty while its children are not loaded. */
  children?: readonly TreeNode<T>[]
  loading?: boolean
  data?: T
}

export interface FlatNode<T> {
  node: TreeNode<T>
  parent: TreeNode<T> | null
  /** 0 at the top. */
  level: number
  position: number
  siblings: number
}

/** The rows of a tree as they stand below each other: children follow their node while it is open. */
export function flattenTree<T>(nodes: readonly TreeNode<T>[], expanded: ReadonlySet<string>): FlatNode<T>[] {
  const rows: FlatNode<T>[] = []
  const walk = (list: readonly TreeNode<T>[], parent: TreeNode<T> | null, level: number): void => {
    for (const [position, node] of list.entries()) {
      rows.push({ node, parent, level, position, siblings: list.length })
      if (node.children && expanded.has(node.id)) walk(node.children, node, level + 1)
    }
  }
  walk(nodes, null, 0)
  return rows
}
