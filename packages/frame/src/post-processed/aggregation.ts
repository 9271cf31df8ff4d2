import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Cell } from '../frame.ts'
import { compareCells } from '../post-processing/keys.ts'
import { mean, median, sum, variance } from '../post-processing/statistics.ts'
import { formatHeaderPart, type MatrixValue } from './matrix.ts'

/** Aggregate of the pivot table, by its name in the control. */
export interface Aggregation {
  name: string
  /** Aggregates the values behind one cell, or behind all cells of a total. Nulls do not count. */
  of(values: readonly Cell[]): MatrixValue
  /** Denominator of the aggregate: the same aggregate over all cells, over the row or over the column. */
  fraction: 'Total' | 'Rows' | 'Columns' | null
}

const present = (values: readonly Cell[]): Cell[] => values.filter((value) => value !== null)
const toMatrixValue = (value: Cell | undefined): MatrixValue =>
  value === undefined || value === null ? null : typeof value === 'number' ? value : formatHeaderPart(value)

/** Returns a non-numeric value unchanged when it is the only one. */
const overNumbers =
  (reduce: (values: Float64Array) => number) =>
  (values: readonly Cell[]): MatrixValue => {
    const numbers = values.filter((value): value is number => typeof value === 'number')
    if (numbers.length === 0 && values.length > 0) return onlyValue(values)
    const result = reduce(Float64Array.from(numbers))
    return Number.isNaN(result) ? null : result
  }
const onlyValue = (values: readonly Cell[]): MatrixValue => {
  const [only, ...others] = present(values)
  return others.length === 0 ? toMatrixValue(only) : null
}
const sorted = (values: Float64Array): Float64Array => values.slice().sort()
/** The variance of a single value is 0, as in the reference. */
const sampleVariance = (values: Float64Array): number => (values.length === 1 ? 0 : variance(values, 1))
const extreme =
  (sign: 1 | -1) =>
  (values: readonly Cell[]): MatrixValue =>
    toMatrixValue(
      present(values).reduce<Cell>(
        (best, value) => (best === null || sign * compareCells(value, best) < 0 ? value : best),
        null,
      ),
    )

const reduces: Record<string, (values: readonly Cell[]) => MatrixValue> = {
  Count: (values) => present(values).length,
  'Count Unique Values': (values) => new Set(present(values)).size,
  'List Unique Values': (values) => [...new Set(present(values))].map(formatHeaderPart).join(', ') || null,
  Sum: overNumbers(sum),
  Average: overNumbers(mean),
  Median: overNumbers((values) => median(sorted(values))),
  'Sample Variance': overNumbers(sampleVariance),
  'Sample Standard Deviation': overNumbers((values) => Math.sqrt(sampleVariance(values))),
  Minimum: extreme(1),
  Maximum: extreme(-1),
  First: (values) => toMatrixValue(present(values)[0]),
  Last: (values) => toMatrixValue(present(values).at(-1)),
}

const fractions = ['Sum', 'Count'].flatMap((base) =>
  ['Total', 'Rows', 'Columns'].map((scope) => `${base} as Fraction of ${scope}`),
)

/** Names of all aggregates, as offered by the control. */
export const aggregations: readonly string[] = [...Object.keys(reduces), ...fractions]

/** @throws AppError `bad_request` for an unknown name */
export function parseAggregation(name: string): Aggregation {
  const [, base = name, fraction] = /^(Sum|Count) as Fraction of (Total|Rows|Columns)$/.exec(name) ?? []
  const of = Object.hasOwn(reduces, base) ? reduces[base] : undefined
  if (!of)
    throw new AppError('bad_request', {
      message: message('errors.frame.pivotTableAggregate', 'Unknown aggregate function of pivot tables: `{name}`.', {
        name,
      }),
    })
  return { name, of, fraction: (fraction as Aggregation['fraction'] | undefined) ?? null }
}

/** Ratio of a part to the whole; null when the whole is zero or missing. */
export const computeShare = (value: MatrixValue, total: MatrixValue): MatrixValue =>
  typeof value === 'number' && typeof total === 'number' && total !== 0 ? value / total : null
