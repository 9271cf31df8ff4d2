import { cellAt, isNull, numberAt, type Cell, type Column, type Frame } from '@parquetry/frame'

/** An event, and how many have come to it by the same events before. */
export interface EventStep {
  name: string
  color?: string
  value: number
  /** How many go on from here on ways that are not drawn. */
  more: number
  /** Milliseconds since the first event, all together; null where no time is known. */
  since: number | null
  children: EventStep[]
}

/** What is not as the rows say, by how often. */
export interface EventFlowFaults {
  /** Rows that belong to nobody. */
  nameless?: number
  /** Of entities, those with more events than are drawn. */
  long?: number
  /** Of entities, those on ways that fewer go than are asked for. */
  rare?: number
}

/** Later events nobody can read. */
export const maxEvents = 40

interface Columns {
  entity: Column
  event: Column
  /** Without it events are in the order of their rows. */
  time?: Column | undefined
}

interface PathNode extends Omit<EventStep, 'children' | 'color'> {
  next: Map<string, PathNode>
}

/**
 * The events of each entity in the order of their times, and those that begin alike as one way that divides.
 * @param least ways that fewer entities go are not drawn
 * @param nameOf writes a cell of a column
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
