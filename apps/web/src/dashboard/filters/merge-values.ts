import type { NativeFilter } from '@parquetry/model'
import { toSearchText, type ColumnValue } from './mask.ts'

/** Filter value and its number of rows; null if not counted. */
export type ValueRow = readonly [value: ColumnValue, count: number | null]

/**
 * Merges the values of several datasets: each value once, with the summed count, in the order of the filter. If that is by a
 * metric of the first dataset, values found only in the others come last.
 */
export function mergeValues({ sortMetric, controlValues }: NativeFilter, lists: readonly ValueRow[][]): ValueRow[] {
  const [only = []] = lists
  if (lists.length < 2) return only
  const counts = new Map<ColumnValue, number | null>()
  for (const [value, count] of lists.flat()) {
    const before = counts.get(value)
    counts.set(value, before === undefined ? count : before === null || count === null ? null : before + count)
  }
  const all: ValueRow[] = [...counts]
  if (typeof sortMetric === 'string' && sortMetric) return all
  const ascending = controlValues?.sortAscending
  if (typeof ascending === 'boolean') return all.toSorted(([a], [b]) => (ascending ? 1 : -1) * byValue(a, b))
  return all.toSorted(([a, firstCount], [b, secondCount]) => (secondCount ?? 0) - (firstCount ?? 0) || byValue(a, b))
}

/** Null sorts last in ascending order, as in databases. */
function byValue(a: ColumnValue, b: ColumnValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return typeof a === 'number' && typeof b === 'number' ? a - b : toSearchText(a) < toSearchText(b) ? -1 : 1
}
