import { cellAt, isNull, type Cell, type Column, type Frame } from '@parquetry/frame'
import { finiteAt } from '../shared/items.ts'

export interface ForestNode {
  name: string
  value: number | null
  /** Place of the node above; null at the top. */
  parent: number | null
}

/** What is not as a tree should be, by how often; the picture says it. */
export interface TreeFaults {
  /** Links that lead in a circle: left out. */
  circles: number
  /** Nodes at the top, beside others, whose parent is not among the rows. */
  orphans: number
  /** Rows with an id that another one has: left out. */
  repeated: number
  /** Rows without an id: left out. */
  nameless: number
  /** Nodes below the deepest level that is drawn: left out. */
  deep: number
  /** The root that was asked for and is not there. */
  root?: string
}

/** Deeper ones nobody can read, and what draws them calls itself level by level. */
export const maxTreeDepth = 100

interface Columns {
  id: Column
  parent: Column
  name?: Column | undefined
  metric?: Column | undefined
}

/**
 * The rows of an answer as trees: each node before those below it, brothers in the order of their rows. Whatever the rows say, it ends
 * with a tree of each node once, and with a count of what had to give way.
 * @param root id of the only node at the top; all without a parent where it is left out or not there
 * @param nameOf writes a cell of a column
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
  const asked = root === null ? undefined : placeOf.get(root)
  if (root !== null && asked === undefined) faults.root = root

  const isOrphan: boolean[] = []
  const above = own.map((row, at) => {
    const key = isNull(parent, row) ? '' : String(cellAt(parent, row))
    const found = placeOf.get(key)
    isOrphan[at] = key !== '' && found === undefined
    return at === asked ? null : (found ?? null)
  })
  for (const at of findCycles(above)) {
    above[at] = null
    faults.circles += 1
  }
  const below = own.map((): number[] => [])
  for (const [at, up] of above.entries()) if (up !== null) below[up]?.push(at)
  const tops = asked === undefined ? own.flatMap((_, at) => (above[at] === null ? [at] : [])) : [asked]
  if (tops.length > 1) faults.orphans = tops.filter((at) => isOrphan[at]).length

  const nodes: ForestNode[] = []
  const waiting = tops.map((at) => ({ at, parent: null as number | null, level: 1 })).toReversed()
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

/** One node of each circle: the first of its rows. */
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
