import { cellAt, isNull, type Cell, type Column, type Frame } from '@parquetry/frame'
import { finiteAt } from '../shared/items.ts'

export interface ForestNode {
  name: string
  value: number | null
  /** Index of the parent node; null at the top. */
  parent: number | null
}

/** Number of each kind of fault in the hierarchy, shown in the chart. */
export interface TreeFaults {
  /** Omitted links that form a cycle. */
  circles: number
  /** Nodes added to the top because their parent is not among the rows. */
  orphans: number
  /** Omitted rows with the id of another row. */
  repeated: number
  /** Omitted rows without an id. */
  nameless: number
  /** Omitted nodes below the deepest drawn level. */
  deep: number
  /** The requested root, if it does not exist. */
  root?: string
}

/** Deeper levels are unreadable, and the drawing code is recursive. */
export const maxTreeDepth = 100

interface Columns {
  id: Column
  parent: Column
  name?: Column | undefined
  metric?: Column | undefined
}

/**
 * Returns the rows of a response as trees: each node before its children, siblings in the order of their rows. For any input, it
 * returns a tree with each node once and counts of what was omitted.
 * @param root id of the only node at the top; all nodes without a parent if absent or unknown
 * @param nameOf formats a cell of a column
 */
export function buildForest(
  { rows }: Frame,
  { id, parent, name = id, metric }: Columns,
  { root, nameOf }: { root: string | null; nameOf: (column: Column, cell: Cell) => string },
): { nodes: ForestNode[]; faults: Partial<TreeFaults> } {
  const faults: TreeFaults = { circles: 0, orphans: 0, repeated: 0, nameless: 0, deep: 0 }
  const own: number[] = []
  const placeOf = new Map<string, number>()
  for (let row = 0; row < rows; row++) {
    const key = String(cellAt(id, row))
    if (isNull(id, row)) faults.nameless += 1
    else if (placeOf.has(key)) faults.repeated += 1
    else placeOf.set(key, own.push(row) - 1)
  }
  const rootIndex = root === null ? undefined : placeOf.get(root)
  if (root !== null && rootIndex === undefined) faults.root = root

  const isOrphan: boolean[] = []
  const above = own.map((row, index) => {
    const key = isNull(parent, row) ? '' : String(cellAt(parent, row))
    const found = placeOf.get(key)
    isOrphan[index] = key !== '' && found === undefined
    return index === rootIndex ? null : (found ?? null)
  })
  for (const at of findCycles(above)) {
    above[at] = null
    faults.circles += 1
  }
  const below = own.map((): number[] => [])
  for (const [at, up] of above.entries()) if (up !== null) below[up]?.push(at)
  const tops = rootIndex === undefined ? own.flatMap((_, index) => (above[index] === null ? [index] : [])) : [rootIndex]
  if (tops.length > 1) faults.orphans = tops.filter((index) => isOrphan[index]).length

  const nodes: ForestNode[] = []
  const waiting = tops.map((index) => ({ at: index, parent: null as number | null, level: 1 })).toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, parent: up, level } = next
    if (level > maxTreeDepth) faults.deep += 1
    const row = own[at] as number
    const node: ForestNode = {
      name: nameOf(name, cellAt(name, row)),
      value: metric ? finiteAt(metric, row) : null,
      parent: up,
    }
    const place = level > maxTreeDepth ? up : nodes.push(node) - 1
    for (const child of (below[at] ?? []).toReversed()) waiting.push({ at: child, parent: place, level: level + 1 })
  }
  return { nodes, faults: Object.fromEntries(Object.entries(faults).filter(([, found]) => found)) }
}

/** Returns one node of each cycle: the first of its rows. */
function findCycles(above: readonly (number | null)[]): number[] {
  const seenFrom: (number | undefined)[] = above.map(() => undefined)
  const found: number[] = []
  for (const start of above.keys()) {
    let at: number | null = start
    while (at !== null && seenFrom[at] === undefined) {
      seenFrom[at] = start
      at = above[at] ?? null
    }
    if (at === null || seenFrom[at] !== start) continue
    let first = at
    for (let next = above[at] ?? at; next !== at; next = above[next] ?? at) first = Math.min(first, next)
    found.push(first)
  }
  return found
}
