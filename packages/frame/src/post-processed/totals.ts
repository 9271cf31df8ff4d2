import type { Aggregation } from './aggregation.ts'
import type { HeaderPath } from './matrix.ts'

/** A row or column of the table. */
export interface HeaderEntry {
  name: HeaderPath
  /** Places of the rows or columns that it stands for: its own, or those that it totals. */
  from: readonly number[]
  isTotal: boolean
}

export const toHeaderEntries = (names: readonly HeaderPath[]): HeaderEntry[] =>
  names.map((name, at) => ({ name, from: [at], isTotal: false }))

/** After each group of names that share their first levels stands its subtotal, and at the end the total. */
export function withTotals(names: readonly HeaderPath[], aggregation: Aggregation): HeaderEntry[] {
  const levels = names[0]?.length ?? 0
  const placed = toHeaderEntries(names).map((line, at) => ({ line, at }))
  for (let level = 0; level < levels; level++) {
    for (const from of groupByLevel(names, level)) {
      const shared = names[from[0]!]!.slice(0, level)
      const word = level === 0 ? formatTotalName(aggregation) : 'Subtotal'
      const name = [...shared, word, ...Array.from({ length: levels - level - 1 }, () => '')]
      // Subtotals of inner groups stand before those of outer ones.
      placed.push({ line: { name, from, isTotal: true }, at: from.at(-1)! + 1 - (level + 1) / (levels + 2) })
    }
  }
  return placed.sort((one, other) => one.at - other.at).map(({ line }) => line)
}

export const formatTotalName = ({ name }: Aggregation): string => `Total (${name})`

/** Places of the names that have their first `level` parts in common. */
function groupByLevel(names: readonly HeaderPath[], level: number): number[][] {
  const groups = new Map<string, number[]>()
  names.forEach((name, at) => {
    const key = JSON.stringify(name.slice(0, level))
    const group = groups.get(key)
    if (group) group.push(at)
    else groups.set(key, [at])
  })
  return [...groups.values()]
}
