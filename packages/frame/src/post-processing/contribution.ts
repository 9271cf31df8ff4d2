import type { PostProcessing } from '@parquetry/model/query-context'
import { numberAt } from '../cells.ts'
import { buildNumberColumn } from '../columns.ts'
import type { Frame } from '../frame.ts'
import { toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { StepRefusal } from './refusal.ts'
import { getColumn, requireColumns, isSameLabel, columnsUnder, type Table, type TableColumn } from './table.ts'

/**
 * `contribution`: each value as its share of the sum of its column or row; null counts as 0. Without `columns`, all columns
 * except times and booleans are used, so that tables with text must name them. With `time_shifts`, the columns of each shift
 * (their label ends with it) have their own row sum. `wholes` names for some columns another one that has their sum over more rows
 * than the table's, and which is removed.
 */
export function contribution(table: Table, options: Options): Table {
  const byColumn = (options.text('orientation') ?? 'column') === 'column'
  const names = options.texts('columns') ?? []
  const renamed = options.texts('rename_columns') ?? []
  const shifts = options.texts('time_shifts') ?? []
  const totals = options.numbers('contribution_totals')
  const wholes = options.renames('wholes') ?? new Map<string, string | null>()
  requireColumns(
    table,
    [...names, ...wholes.values()].filter((name) => name !== null),
  )
  const read = names.length
    ? names.flatMap((name) => columnsUnder(table, name))
    : table.columns.filter(({ data }) => data.kind !== 'time' && data.kind !== 'boolean')
  if (renamed.length > 0 && renamed.length !== read.length)
    throw new StepRefusal('`rename_columns` must have one name for each column.')

  const numbers = read.map(({ data }) =>
    toNumbers(data, table.rows, 'contribution').map((value) => (Number.isNaN(value) ? 0 : value)),
  )
  /** The same in each row; a table without rows has no shares. */
  const wholeOf = (name: string): number | undefined => {
    const column = wholes.get(name)
    return column && table.rows > 0 ? (numberAt(getColumn(table, column), 0) ?? NaN) : undefined
  }
  const shares = byColumn
    ? read.map(({ label }, index) =>
        columnShares(numbers[index]!, totals?.get(label[0] ?? '') ?? wholeOf(label[0] ?? '')),
      )
    : rowShares(
        numbers,
        read.map(({ label }) => findShift(label[0] ?? '', shifts)),
        table.rows,
      )
  const removed = new Set(wholes.values())
  const results = read.map(({ label, data }, index): TableColumn => ({
    label: renamed.length ? [renamed[index]!, ...label.slice(1)] : label,
    data: buildNumberColumn(data.name, shares[index]!),
  }))
  const columns = table.columns.filter(({ label }) => !removed.has(label[0] ?? ''))
  return { ...table, columns: replaceByLabel(columns, results) }
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
  numbers.forEach((values, index) => {
    const own = sums.get(shifts[index]!)!
    values.forEach((value, row) => (own[row]! += value))
  })
  return numbers.map((values, index) => values.map((value, row) => value / sums.get(shifts[index]!)![row]!))
}

/** Removes the columns named by `wholes` from a result to which the steps are not applied. */
export function withoutWholes(frame: Frame, steps: readonly PostProcessing[]): Frame {
  const removed = new Set(steps.flatMap(({ options }) => Object.values(options?.['wholes'] ?? {})))
  return removed.size === 0 ? frame : { ...frame, columns: frame.columns.filter(({ name }) => !removed.has(name)) }
}
