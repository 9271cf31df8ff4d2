import { cellAt, isNull, numberAt, type Cell, type Column, type Frame } from '@parquetry/frame'

/** An event, and how many entities reach it by the same preceding events. */
export interface EventStep {
  name: string
  color?: string
  value: number
  /** Entities that continue on paths that are not drawn. */
  more: number
  /** Milliseconds since the first event, summed over all entities; null when times are unknown. */
  since: number | null
  children: EventStep[]
}

/** Counts of rows and entities that are not drawn in full. */
export interface EventFlowFaults {
  /** Rows without an entity. */
  nameless?: number
  /** Entities with more events than are drawn. */
  long?: number
  /** Entities on paths with fewer entities than the minimum. */
  rare?: number
}

/** Maximum events per entity; more would be unreadable. */
export const maxEvents = 40

interface Columns {
  entity: Column
  event: Column
  /** Without it, events are in row order. */
  time?: Column | undefined
}

interface PathNode extends Omit<EventStep, 'children' | 'color'> {
  next: Map<string, PathNode>
}

/**
 * Orders the events of each entity by time, and merges sequences with the same beginning into one path that branches.
 * @param least paths with fewer entities are not drawn
 * @param nameOf formats a cell of a column
 */
export function buildEventPaths(
  frame: Frame,
  { entity, event, time }: Columns,
  { least, nameOf }: { least: number; nameOf: (column: Column, cell: Cell) => string },
): { steps: EventStep[]; entities: number; faults: EventFlowFaults } {
  const rowsOf = new Map<string, number[]>()
  const found = { nameless: 0, long: 0, rare: 0 }
  for (let row = 0; row < frame.rows; row++) {
    if (isNull(entity, row)) {
      found.nameless += 1
      continue
    }
    const id = String(cellAt(entity, row))
    const rows = rowsOf.get(id)
    if (rows) rows.push(row)
    else rowsOf.set(id, [row])
  }
  const timeOf = (row: number) => (time ? numberAt(time, row) : null)
  const root: PathNode = { name: '', value: 0, more: 0, since: null, next: new Map() }
  for (const rows of rowsOf.values()) {
    const ordered = time ? rows.toSorted((a, b) => (timeOf(a) ?? Infinity) - (timeOf(b) ?? Infinity) || a - b) : rows
    const start = timeOf(ordered[0] ?? 0)
    let here = root
    for (const row of ordered.slice(0, maxEvents)) {
      const name = nameOf(event, cellAt(event, row))
      const next: PathNode = here.next.get(name) ?? { name, value: 0, more: 0, since: null, next: new Map() }
      here.next.set(name, next)
      next.value += 1
      const at = timeOf(row)
      if (start !== null && at !== null) next.since = (next.since ?? 0) + at - start
      here = next
    }
    if (ordered.length <= maxEvents) continue
    found.long += 1
    here.more += 1
  }
  const stepsOf = (node: PathNode): EventStep[] => {
    const all = [...node.next.values()]
    const shown = all.filter(({ value }) => value >= least)
    const rare = all.reduce((sum, { value }) => sum + (value < least ? value : 0), 0)
    node.more += rare
    found.rare += rare
    return shown
      .toSorted((a, b) => b.value - a.value)
      .map((each) => {
        const children = stepsOf(each)
        const { name, value, more, since } = each
        return { name, value, more, since, children }
      })
  }
  return {
    steps: stepsOf(root),
    entities: rowsOf.size,
    faults: Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0)),
  }
}
