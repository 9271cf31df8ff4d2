import { toPlainText } from '@parquetry/model/plain-text'
import { isNull, isText } from '../cells.ts'
import type { Column, Frame } from '../frame.ts'
import type { OffsetResult } from '../join-offsets.ts'
import type { Budget } from './budget.ts'
import { parseFrequency } from './frequency.ts'
import type { Options } from './options.ts'
import { columnsUnder, type Table } from './table.ts'

/** Work in units of a budget, for each row: finding a value in a map, and sorting. */
const keyWork = 10
const sortWork = 20

/** Asks the budget for what a step will make and read. Steps whose size depends on their groups ask again when they know them. */
type Bound = (table: Table, options: Options, budget: Budget) => void

/**
 * Asks the budget before a step runs, with upper bounds that are cheap to compute. Invalid options are left to the step itself.
 * @throws AppError `result_too_large`, TooMuchWork
 */
export function admitStep(operation: string, table: Table, options: Options, budget: Budget): void {
  const names = options.names().reduce((sum, name) => sum + listOf(options, name).length, 0)
  // Each name is looked for among the columns.
  budget.spend(names * table.columns.length + table.rows)
  if (Object.hasOwn(bounds, operation)) bounds[operation]!(table, options, budget)
}

/**
 * The same before time offsets are joined.
 * @throws AppError `result_too_large`, TooMuchWork
 */
export function admitOffsets(base: Frame, offsets: readonly OffsetResult[], budget: Budget): void {
  const rows = offsets.reduce(
    (most, { frame, join }) => (join.on.length ? most : Math.max(most, frame.rows)),
    base.rows,
  )
  const columns = offsets.reduce((sum, { join }) => sum + join.metrics.length, base.columns.length)
  budget.admit('time_offsets', { rows, columns, work: rows * offsets.length * keyWork })
  for (const { frame, join } of offsets)
    for (const name of join.on)
      for (const side of [base, frame]) {
        const column = side.columns.find((one) => one.name === name)
        if (column) budget.admitTexts('time_offsets', textBytes(column, side.rows))
      }
}

/** Bytes of the texts of all rows, each counted as often as it occurs. */
export function textBytes(column: Column, rows: number): number {
  if (!isText(column)) return rows * 8
  const { text } = column
  if (text.as === 'plain') return (text.offsets[rows] ?? 0) - (text.offsets[0] ?? 0)
  const { offsets } = text.words
  let bytes = 0
  for (let row = 0; row < rows; row++) {
    const word = text.codes[row]!
    bytes += (offsets[word + 1] ?? 0) - (offsets[word] ?? 0)
  }
  return bytes
}

const bounds: Record<string, Bound> = {
  aggregate(table, options, budget) {
    const [keys, aggregates] = [listOf(options, 'groupby').length, listOf(options, 'aggregates').length]
    const work = table.rows * (keys * keyWork + aggregates * 3 * sortWork)
    budget.admit('aggregate', { rows: table.rows, columns: keys + aggregates, work })
  },
  boxplot(table, options, budget) {
    const [keys, metrics] = [listOf(options, 'groupby').length, listOf(options, 'metrics').length]
    const work = table.rows * (keys * keyWork + metrics * 2 * sortWork)
    budget.admit('boxplot', { rows: table.rows, columns: keys + metrics, work })
  },
  compare(table, options, budget) {
    const others = listOf(options, 'compare_columns')
    let columns = table.columns.length
    let work = 0
    for (const [at, source] of listOf(options, 'source_columns').entries()) {
      const both = [source, others[at]].flatMap((name) => columnsUnder(table, toPlainText(name)))
      columns += new Set(both.map(({ label }) => JSON.stringify(label.slice(1)))).size
      work += both.length ** 2
      budget.admit('compare', { rows: table.rows, columns })
    }
    budget.spend(work)
  },
  contribution(table, options, budget) {
    const named = listOf(options, 'columns')
    const read = named.length > 0 ? countUnder(table, named) : table.columns.length
    const added = listOf(options, 'rename_columns').length > 0 ? read : 0
    budget.admit('contribution', { rows: table.rows, columns: read })
    budget.admit('contribution', {
      rows: table.rows,
      columns: table.columns.length + added,
      work: read * (read + table.columns.length) + table.rows * read * 3,
    })
  },
  cum: (table, options, budget) => admitResults('cum', table, options, budget),
  diff: (table, options, budget) => admitResults('diff', table, options, budget),
  flatten(table, _, budget) {
    const names = table.columns.reduce((sum, { label }) => sum + labelLength(label), 0)
    budget.admitTexts('flatten', names)
  },
  geodetic_parse: (table, options, budget) => admitPoints('geodetic_parse', 'geodetic', table, options, budget),
  geohash_decode: (table, options, budget) => admitPoints('geohash_decode', 'geohash', table, options, budget),
  geohash_encode: (table, options, budget) => admitPoints('geohash_encode', 'latitude', table, options, budget),
  histogram(table, options, budget) {
    const keys = listOf(options, 'groupby').length
    budget.admit('histogram', { rows: table.rows, columns: keys + 1, work: table.rows * keys * keyWork })
  },
  pivot(table, options, budget) {
    const keys = listOf(options, 'index').length + listOf(options, 'columns').length
    const metrics = listOf(options, 'aggregates').length
    const work = table.rows * (keys * 3 * keyWork + metrics * sortWork)
    budget.admit('pivot', { rows: table.rows, columns: keys + metrics, work })
  },
  rank(table, _, budget) {
    const work = table.rows * (keyWork + 2 * sortWork)
    budget.admit('rank', { rows: table.rows, columns: table.columns.length + 1, work })
  },
  rename: (table, _, budget) => budget.spend(table.columns.length * table.levels.length),
  resample(table, options, budget) {
    const rule = options.raw('rule')
    const index = table.index?.columns[0]
    if (typeof rule !== 'string' || index?.kind !== 'time') return
    let [first, last] = [Infinity, -Infinity]
    for (let row = 0; row < table.rows; row++) {
      const time = index.data[row]!
      if (isNull(index, row) || !Number.isFinite(time)) continue
      first = Math.min(first, time)
      last = Math.max(last, time)
    }
    if (first > last) return
    const rows = Math.ceil((last - first) / parseFrequency(rule).minMs) + 1
    const columns = Math.max(1, table.columns.length)
    const work = (rows + table.rows) * columns * 20 + table.rows * sortWork
    budget.admit('resample', { rows, columns, work })
  },
  rolling(table, options, budget) {
    const given = options.raw('window')
    const window = Math.min(table.rows, Math.max(1, typeof given === 'number' ? given : 1))
    // Moments take several passes over a window; other functions one, or none over sorted values.
    const isMoment = ['kurt', 'skew', 'std', 'var'].includes(options.raw('rolling_type') as string)
    admitResults('rolling', table, options, budget, isMoment ? window : window / 8)
  },
  select(table, options, budget) {
    const named = listOf(options, 'columns')
    const columns = named.length > 0 ? countUnder(table, named) : table.columns.length
    const work = columns * listOf(options, 'exclude').length
    budget.admit('select', { rows: table.rows, columns, work })
  },
  sort(table, options, budget) {
    const keys = Math.max(1, listOf(options, 'by').length)
    budget.admit('sort', { rows: table.rows, columns: keys, work: table.rows * keys * (keyWork + sortWork) })
    budget.spend(table.rows * table.columns.length * 2)
  },
}

/** Steps that put their results in place of the columns, or behind them under other names. */
function admitResults(step: string, table: Table, options: Options, budget: Budget, workPerValue = 1): void {
  const given = options.raw('columns')
  const names = Object.entries((given ?? {}) as Record<string, unknown>)
  const results = countUnder(
    table,
    names.map(([from]) => from),
  )
  const added = names.every(([from, to]) => from === to) ? 0 : results
  // Results are looked for by label, in an order that is mostly theirs.
  const work = (results * table.columns.length) / 8 + table.rows * results * (2 + workPerValue)
  budget.admit(step, { rows: table.rows, columns: table.columns.length + added, work })
}

function admitPoints(step: string, option: string, table: Table, options: Options, budget: Budget): void {
  const name = options.raw(option)
  const [column] = typeof name === 'string' ? columnsUnder(table, name) : []
  const work = table.rows * 5 * sortWork + (column ? textBytes(column.data, table.rows) * 5 : 0)
  budget.admit(step, { rows: table.rows, columns: table.columns.length + 3, work })
}

/** Items of a list, or names of an object. */
function listOf(options: Options, name: string): readonly unknown[] {
  const value = options.raw(name)
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** Number of columns with these names, which may repeat. */
function countUnder({ columns }: Table, names: readonly unknown[]): number {
  const counts = new Map<unknown, number>()
  for (const { label } of columns) counts.set(label[0], (counts.get(label[0]) ?? 0) + 1)
  return names.reduce<number>((sum, name) => sum + (counts.get(name) ?? 0), 0)
}

export const labelLength = (label: readonly (string | null)[]): number =>
  label.reduce((sum, part) => sum + (part?.length ?? 0) + 2, 0)
