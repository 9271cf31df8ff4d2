import type { NativeFilter } from '@parquetry/model'
import { toSearchText, type ColumnValue } from './mask.ts'

/** A value of a filter and how often it occurs; null where that was not asked. */
export type ValueRow = readonly [value: ColumnValue, count: number | null]

/**
 * One list of the values of several datasets: each value once, as often as it occurs in all of them, in the order of the filter. Where
 * that is by a metric of its first dataset, what only the others have comes last.
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
  return all.toSorted(([a, most], [b, more]) => (more ?? 0) - (most ?? 0) || byValue(a, b))
}

/** As databases do, null comes last. */
function byValue(a: ColumnValue, b: ColumnValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return typeof a === 'number' && typeof b === 'number' ? a - b : toSearchText(a) < toSearchText(b) ? -1 : 1
}
