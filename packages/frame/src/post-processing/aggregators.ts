import { isNull, isText } from '../cells.ts'
import { buildColumn, buildNumberColumn, buildTimeColumn } from '../columns.ts'
import type { Column } from '../frame.ts'
import { take } from '../take.ts'
import { factorize } from './keys.ts'
import { isInteger, toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep, StepRefusal } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { toPlainText } from '@parquetry/model/plain-text'
import { mean, quantile, sum, variance } from './statistics.ts'
import { columnsUnder, type Table } from './table.ts'

/** Aggregate of one column per group; `options` are those of the step. */
export interface Aggregate {
  /** Name of the result. */
  name: string
  /** Label of the source column. */
  column: string
  operator: string
  options: ReadonlyMap<string, unknown>
}

/** Reduces the numbers of one group; null is passed as NaN. */
type Reduce = (values: Float64Array, options: ReadonlyMap<string, unknown>) => number

const present = (values: Float64Array): Float64Array => values.filter((value) => !Number.isNaN(value))
const sorted = (values: Float64Array): Float64Array => values.slice().sort()
/** Returns NaN if any value is missing. */
const strict =
  (reduce: (values: Float64Array) => number): Reduce =>
  (values) =>
    values.some(Number.isNaN) ? NaN : reduce(values)
const skipping =
  (reduce: (values: Float64Array) => number): Reduce =>
  (values) =>
    reduce(present(values))
const product = (values: Float64Array): number => values.reduce((all, value) => all * value, 1)
const middle = (values: Float64Array): number => quantile(sorted(values), 0.5)

function percentile(values: Float64Array, options: ReadonlyMap<string, unknown>): number {
  const q = options.get('q')
  if (typeof q !== 'number' || q < 0 || q > 100)
    throw invalidStep(
      message('errors.frame.percentileOption', 'A percentile needs the option `q`, a number from 0 to 100.'),
    )
  return quantile(sorted(values), q / 100)
}

const spread =
  (finish: (variance: number) => number): Reduce =>
  (values, options) =>
    finish(variance(present(values), (options.get('ddof') as number | undefined) ?? 0))

/** Index of the extreme value in its group; −1 when all are null. */
const argExtreme =
  (sign: 1 | -1): Reduce =>
  (values) => {
    let best = -1
    for (let index = 0; index < values.length; index++)
      if (!Number.isNaN(values[index]!) && (best < 0 || sign * values[index]! > sign * values[best]!)) best = index
    return best
  }

/** Operators over numbers, with the null rules of the reference: its array functions return null when a value is missing. */
const reduces: Record<string, Reduce> = {
  average: strict(mean),
  argmin: argExtreme(-1),
  argmax: argExtreme(1),
  mean: skipping(mean),
  median: strict(middle),
  nansum: skipping(sum),
  nanmean: skipping(mean),
  nanmedian: skipping(middle),
  nanpercentile: (values, options) => percentile(present(values), options),
  percentile: (values, options) => (values.some(Number.isNaN) ? NaN : percentile(values, options)),
  prod: skipping(product),
  product: skipping(product),
  std: spread(Math.sqrt),
  sum: skipping(sum),
  var: spread((value) => value),
}
const picks: Record<string, 1 | -1> = { max: 1, nanmax: 1, min: -1, nanmin: -1 }
/** These return a list where one value is required. */
const cumulative = new Set(['cumsum', 'cumprod'])
const knownOptions: Record<string, readonly string[]> = {
  percentile: ['q'],
  nanpercentile: ['q'],
  std: ['ddof'],
  var: ['ddof'],
}
const keepsIntegers = new Set(['sum', 'nansum', 'prod', 'product', 'mean', 'median', 'nanmean', 'nanmedian', 'average'])
const timeAggregates = new Set(['mean', 'median', 'average', 'nanmean', 'nanmedian'])

const isOperator = (name: string): boolean =>
  Object.hasOwn(reduces, name) ||
  Object.hasOwn(picks, name) ||
  cumulative.has(name) ||
  ['count', 'count_nonzero'].includes(name)

/**
 * The `aggregates` option: `{ name: { column?, operator, options? } }`.
 * @throws StepRefusal for an unknown column or operator
 */
export function parseAggregates(table: Table, given: ReadonlyMap<string, unknown>): Aggregate[] {
  return [...given].map(([name, value]) => {
    const { column = name, operator, options } = (value ?? {}) as Record<string, unknown>
    if (typeof column !== 'string' || columnsUnder(table, column).length === 0)
      throw new StepRefusal(`An aggregate reads column \`${toPlainText(column)}\`, which does not exist.`)
    if (operator == null) throw new StepRefusal(`Aggregate \`${name}\` has no operator.`)
    if (typeof operator !== 'string' || !isOperator(operator))
      throw new StepRefusal(`Unknown aggregate operator \`${toPlainText(operator)}\`.`)
    const own = new Map(Object.entries((options ?? {}) as Record<string, unknown>))
    const odd = [...own.keys()].find((option) => !knownOptions[operator]?.includes(option))
    if (odd !== undefined)
      throw invalidStep(
        message('errors.frame.operatorOption', 'Operator `{operator}` has no option `{option}`.', {
          operator,
          option: odd,
        }),
      )
    return { name, column, operator, options: own }
  })
}

/** One value per group. @throws AppError when the operator does not fit the column */
export function aggregateColumn(column: Column, rows: number, groups: readonly Int32Array[], how: Aggregate): Column {
  const { operator, options } = how
  if (cumulative.has(operator))
    throw invalidStep(
      message('errors.frame.noSingleValue', '`{operator}` does not return a single value for each group.', {
        operator,
      }),
    )
  if (operator === 'count')
    return buildColumn(
      groups.map((members) => members.length),
      column.name,
    )
  if (operator === 'count_nonzero')
    return buildColumn(
      groups.map((members) => nonZero(column, members)),
      column.name,
    )
  const sign = picks[operator]
  if (sign !== undefined) return take(column, pick(column, rows, groups, sign))
  const reduce = reduces[operator]!
  if (column.kind === 'time' && timeAggregates.has(operator)) {
    const times = Float64Array.from({ length: rows }, (_, row) => (isNull(column, row) ? NaN : column.data[row]!))
    return buildTimeColumn(column.name, reduceAll(times, groups, reduce, options), 'datetime')
  }
  const values = reduceAll(toNumbers(column, rows, operator), groups, reduce, options)
  if (operator.startsWith('arg')) return buildColumn([...values], column.name)
  return buildNumberColumn(column.name, values, isInteger(column) && keepsIntegers.has(operator))
}

const reduceAll = (
  values: Float64Array,
  groups: readonly Int32Array[],
  reduce: Reduce,
  options: ReadonlyMap<string, unknown>,
): Float64Array =>
  Float64Array.from(groups, (members) =>
    reduce(
      Float64Array.from(members, (row) => values[row]!),
      options,
    ),
  )

/** Null counts as non-zero. */
function nonZero(column: Column, members: Int32Array): number {
  if (isText(column) || column.kind === 'time') return members.length
  let count = 0
  for (const row of members) if (isNull(column, row) || Number(column.data[row]) !== 0) count++
  return count
}

/** Row with the extreme value of each group, so that the result keeps its kind and digits; −1 when all are null. */
function pick(column: Column, rows: number, groups: readonly Int32Array[], sign: 1 | -1): Int32Array {
  const { codes } = factorize(column, rows)
  return Int32Array.from(groups, (members) => {
    let best = -1
    for (const row of members) if (codes[row]! >= 0 && (best < 0 || sign * (codes[row]! - codes[best]!) > 0)) best = row
    return best
  })
}

/** @throws AppError when the step has no aggregates */
export const readAggregatesOption = (options: Options): Map<string, unknown> =>
  options.required('aggregates', options.record('aggregates'))
