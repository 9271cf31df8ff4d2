import type { Aggregation } from './aggregation.ts'
import type { Matrix, Name } from './matrix.ts'

/**
 * Adds columns: after each group of columns that share their first levels its subtotal, and at the end the total. Both are the
 * aggregate of the cells that they stand for.
 */
export function withTotals({ rows, columns, values }: Matrix, aggregation: Aggregation): Matrix {
  const levels = columns[0]?.length ?? 0
  const placed: { name: Name; from: number[] | null; at: number }[] = columns.map((name, at) => ({
    name,
    from: null,
    at,
  }))
  for (let level = 0; level < levels; level++) {
    for (const members of groupsOf(columns, level)) {
      const shared = columns[members[0]!]!.slice(0, level)
      const word = level === 0 ? totalName(aggregation) : 'Subtotal'
      const name = [...shared, word, ...Array.from({ length: levels - level - 1 }, () => '')]
      // Subtotals of inner groups stand before those of outer ones.
      placed.push({ name, from: members, at: members.at(-1)! + 1 - (level + 1) / (levels + 2) })
    }
  }
  placed.sort((one, other) => one.at - other.at)
  return {
    rows,
    columns: placed.map(({ name }) => name),
    values: values.map((row) =>
      placed.map(({ from, at }) => (from ? aggregation.total(from.map((column) => row[column]!)) : row[at]!)),
    ),
  }
}

export const totalName = ({ name }: Aggregation): string => `Total (${name})`

/** Places of the names that have their first `level` parts in common. */
function groupsOf(names: readonly Name[], level: number): number[][] {
  const groups = new Map<string, number[]>()
  names.forEach((name, at) => {
    const key = JSON.stringify(name.slice(0, level))
    groups.set(key, [...(groups.get(key) ?? []), at])
  })
  return [...groups.values()]
}
