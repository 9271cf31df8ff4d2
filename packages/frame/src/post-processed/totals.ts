import type { Aggregation } from './aggregation.ts'
import type { HeaderPath } from './matrix.ts'

/** A row or column of the table. */
export interface HeaderEntry {
  name: HeaderPath
  /** Indexes of the rows or columns that it represents: its own, or those that it totals. */
  from: readonly number[]
  isTotal: boolean
}

export const toHeaderEntries = (names: readonly HeaderPath[]): HeaderEntry[] =>
  names.map((name, index) => ({ name, from: [index], isTotal: false }))

/** Adds a subtotal after each group of names with the same first levels, and the total at the end. */
export function withTotals(names: readonly HeaderPath[], aggregation: Aggregation): HeaderEntry[] {
  const levels = names[0]?.length ?? 0
  const positioned = toHeaderEntries(names).map((line, index) => ({ line, at: index }))
  for (let level = 0; level < levels; level++) {
    for (const from of groupByLevel(names, level)) {
      const shared = names[from[0]!]!.slice(0, level)
      const totalLabel = level === 0 ? formatTotalName(aggregation) : 'Subtotal'
      const name = [...shared, totalLabel, ...Array.from({ length: levels - level - 1 }, () => '')]
      // Subtotals of inner groups come before those of outer groups.
      positioned.push({ line: { name, from, isTotal: true }, at: from.at(-1)! + 1 - (level + 1) / (levels + 2) })
    }
  }
  return positioned.sort((one, other) => one.at - other.at).map(({ line }) => line)
}

export const formatTotalName = ({ name }: Aggregation): string => `Total (${name})`

/** Indexes of the names that share their first `level` parts. */
function groupByLevel(names: readonly HeaderPath[], level: number): number[][] {
  const groups = new Map<string, number[]>()
  names.forEach((name, index) => {
    const key = JSON.stringify(name.slice(0, level))
    const group = groups.get(key)
    if (group) group.push(index)
    else groups.set(key, [index])
  })
  return [...groups.values()]
}
