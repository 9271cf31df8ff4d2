import { cellAt, isNull, numberAt, textAt, type Column } from '@parquetry/frame'

export interface Bin {
  from: number
  to: number
  count: number
}

/** Statistics of one column over all fetched rows. Minimum, maximum and most frequent values are exact text. */
export interface Statistics {
  rows: number
  nulls: number
  /** Number of empty texts; null for columns of other types. */
  empty: number | null
  distinct: number
  min: string | null
  max: string | null
  /** Numbers only; rounded to a double. */
  mean: number | null
  sum: number | null
  /** Numbers and times with more than one value only. */
  bins: Bin[] | null
  /** Most frequent first. */
  top: { value: string; count: number }[]
}

const binCount = 20
const topCount = 8

/** Estimated milliseconds for a column with this number of rows. */
export const estimateStatisticsMs = (rows: number): number => rows * 0.001

export function computeStatistics(column: Column, rows: number): Statistics {
  const isText = column.kind === 'string' || column.kind === 'json'
  const isNumeric = !isText && column.kind !== 'boolean'
  const counts = new Map<unknown, { count: number; row: number }>()
  let [nulls, empty, sum, numbers] = [0, 0, 0, 0]
  let [minRow, maxRow] = [-1, -1]
  const compare = buildComparator(column)
  for (let row = 0; row < rows; row += 1) {
    const value = isNull(column, row) ? null : distinctKey(column, row)
    if (value === null) {
      nulls += 1
      continue
    }
    if (value === '') empty += 1
    const known = counts.get(value)
    if (known) known.count += 1
    else {
      counts.set(value, { count: 1, row })
      if (minRow < 0 || compare(row, minRow) < 0) minRow = row
      if (maxRow < 0 || compare(row, maxRow) > 0) maxRow = row
    }
    if (!isNumeric || column.kind === 'time') continue
    const number = numberAt(column, row)
    if (number === null) continue
    sum += number
    numbers += 1
  }
  const top = [...counts.values()]
    .toSorted((a, b) => b.count - a.count || a.row - b.row)
    .slice(0, topCount)
    .map(({ count, row }) => ({ value: textAt(column, row) ?? '', count }))
  return {
    rows,
    nulls,
    empty: isText ? empty : null,
    distinct: counts.size,
    min: minRow < 0 ? null : textAt(column, minRow),
    max: maxRow < 0 ? null : textAt(column, maxRow),
    mean: numbers > 0 ? sum / numbers : null,
    sum: numbers > 0 ? sum : null,
    bins:
      isNumeric && minRow >= 0 ? computeBins(column, rows, numberAt(column, minRow), numberAt(column, maxRow)) : null,
    top,
  }
}

/** Returns a key that is the same for equal values; bigint and double never mix in one column. */
function distinctKey(column: Column, row: number): string | number | bigint | boolean | null {
  return column.kind === 'bigint' || column.kind === 'decimal' ? column.data[row]! : cellAt(column, row)
}

function buildComparator(column: Column): (a: number, b: number) => number {
  if (column.kind === 'bigint' || column.kind === 'decimal') {
    const { data } = column
    return (a, b) => (data[a]! < data[b]! ? -1 : data[a]! > data[b]! ? 1 : 0)
  }
  if (column.kind === 'string' || column.kind === 'json') {
    if (column.kind === 'string' && column.numeric)
      return (a, b) => (numberAt(column, a) ?? 0) - (numberAt(column, b) ?? 0)
    const collator = new Intl.Collator()
    return (a, b) => collator.compare(textAt(column, a) ?? '', textAt(column, b) ?? '')
  }
  return (a, b) => (numberAt(column, a) ?? 0) - (numberAt(column, b) ?? 0)
}

function computeBins(column: Column, rows: number, min: number | null, max: number | null): Bin[] | null {
  if (min === null || max === null || !(max > min)) return null
  const width = (max - min) / binCount
  if (!Number.isFinite(width)) return null
  const bins = Array.from({ length: binCount }, (_, index) => ({
    from: min + index * width,
    to: index === binCount - 1 ? max : min + (index + 1) * width,
    count: 0,
  }))
  for (let row = 0; row < rows; row += 1) {
    const number = isNull(column, row) ? null : numberAt(column, row)
    const bin = number === null ? undefined : bins[Math.min(binCount - 1, Math.floor((number - min) / width))]
    if (bin) bin.count += 1
  }
  return bins
}
