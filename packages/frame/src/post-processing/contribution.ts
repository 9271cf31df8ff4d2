import { buildNumberColumn } from '../columns.ts'
import { toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { StepRefusal } from './refusal.ts'
import { requireColumns, isSameLabel, columnsUnder, type Table, type TableColumn } from './table.ts'

/**
 * `contribution`: each value as its share of the sum of its column or row; null counts as 0. Without `columns`, all columns
 * except times and booleans are used, so that tables with text must name them. With `time_shifts`, the columns of each shift
 * (their label ends with it) have their own row sum.
 */
export function contribution(table: Table, options: Options): Table {
  const byColumn = (options.text('orientation') ?? 'column') === 'column'
  const names = options.texts('columns') ?? []
  const renamed = options.texts('rename_columns') ?? []
  const shifts = options.texts('time_shifts') ?? []
  const totals = options.numbers('contribution_totals')
  requireColumns(table, names)
  const read = names.length
    ? names.flatMap((name) => columnsUnder(table, name))
    : table.columns.filter(({ data }) => data.kind !== 'time' && data.kind !== 'boolean')
  if (renamed.length > 0 && renamed.length !== read.length)
    throw new StepRefusal('`rename_columns` must have one name for each column.')

  const numbers = read.map(({ data }) =>
    toNumbers(data, table.rows, 'contribution').map((value) => (Number.isNaN(value) ? 0 : value)),
  )
  const shares = byColumn
    ? read.map(({ label }, at) => columnShares(numbers[at]!, totals?.get(label[0] ?? '')))
    : rowShares(
        numbers,
        read.map(({ label }) => findShift(label[0] ?? '', shifts)),
        table.rows,
      )
  const results = read.map(({ label, data }, at): TableColumn => ({
    label: renamed.length ? [renamed[at]!, ...label.slice(1)] : label,
    data: buildNumberColumn(data.name, shares[at]!),
  }))
  return { ...table, columns: replaceByLabel(table.columns, results) }
}

/** Puts each result in place of the column with the same label, otherwise at the end. */
function replaceByLabel(columns: readonly TableColumn[], results: readonly TableColumn[]): TableColumn[] {
  const replaced = columns.map((column) => results.find(({ label }) => isSameLabel(label, column.label)) ?? column)
  return [...replaced, ...results.filter(({ label }) => !columns.some((column) => isSameLabel(label, column.label)))]
}

function columnShares(values: Float64Array, total = values.reduce((all, value) => all + value, 0)): Float64Array {
  return values.map((value) => value / total)
}

const findShift = (label: string, shifts: readonly string[]): string =>
  shifts.find((shift) => label.endsWith(shift)) ?? ''

function rowShares(numbers: readonly Float64Array[], shifts: readonly string[], rows: number): Float64Array[] {
  const sums = new Map(shifts.map((shift) => [shift, new Float64Array(rows)]))
  numbers.forEach((values, at) => {
    const own = sums.get(shifts[at]!)!
    values.forEach((value, row) => (own[row]! += value))
  })
  return numbers.map((values, at) => values.map((value, row) => value / sums.get(shifts[at]!)![row]!))
}
