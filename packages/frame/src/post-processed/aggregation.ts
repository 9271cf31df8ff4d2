import { AppError } from '@parquetry/model/errors'
import type { Cell } from '../frame.ts'
import { mean, median, sum, variance } from '../post-processing/statistics.ts'
import { partText, type Value } from './matrix.ts'

/** One aggregate of the pivot table by the name that the control gives it. */
export interface Aggregation {
  name: string
  /** Of the values of one cell. */
  of(values: readonly Cell[]): Value
  /** Of the cells of one row or column, for totals. */
  total(cells: readonly Value[]): Value
  fraction: 'Total' | 'Rows' | 'Columns' | null
}

const numbers = (values: readonly Cell[]): Float64Array =>
  Float64Array.from(values.filter((value): value is number => typeof value === 'number'))
const overNumbers =
  (reduce: (values: Float64Array) => number) =>
  (values: readonly Cell[]): Value => {
    const result = reduce(numbers(values))
    return Number.isNaN(result) ? null : result
  }
const sorted = (values: Float64Array): Float64Array => values.slice().sort()
/** One value does not vary; the reference says 0. */
const sampleVariance = (values: Float64Array): number => (values.length === 1 ? 0 : variance(values, 1))
const present = (values: readonly Cell[]): Cell[] => values.filter((value) => value !== null)
const shown = (value: Cell | undefined): Value =>
  value === undefined || value === null ? null : typeof value === 'number' ? value : partText(value)

const reduces: Record<string, (values: readonly Cell[]) => Value> = {
  Count: (values) => values.length,
  'Count Unique Values': (values) => new Set(present(values)).size,
  'List Unique Values': (values) => [...new Set(present(values))].map(partText).join(', '),
  Sum: overNumbers(sum),
  Average: overNumbers(mean),
  Median: overNumbers((values) => median(sorted(values))),
  'Sample Variance': overNumbers(sampleVariance),
  'Sample Standard Deviation': overNumbers((values) => Math.sqrt(sampleVariance(values))),
  Minimum: overNumbers((values) => sorted(values)[0] ?? NaN),
  Maximum: overNumbers((values) => sorted(values).at(-1) ?? NaN),
  First: (values) => shown(values[0]),
  Last: (values) => shown(values.at(-1)),
}

/** @throws AppError `bad_request` for an unknown name */
export function aggregationOf(name: string): Aggregation {
  const [, base = name, fraction] = /^(Sum|Count) as Fraction of (Total|Rows|Columns)$/.exec(name) ?? []
  const of = Object.hasOwn(reduces, base) ? reduces[base] : undefined
  if (!of) throw new AppError('bad_request', { message: `There is no aggregate \`${name}\` of pivot tables.` })
  const counts = base === 'Count' || fraction !== undefined
  return {
    name,
    of,
    total: counts ? reduces['Sum']! : of,
    fraction: (fraction as Aggregation['fraction'] | undefined) ?? null,
  }
}
