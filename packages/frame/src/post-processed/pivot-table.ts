import { cellAt, isNull, numberAt } from '../cells.ts'
import type { Cell, Column, Frame } from '../frame.ts'
import { textBytes } from '../post-processing/bounds.ts'
import type { Budget } from '../post-processing/budget.ts'
import { compareCodes, groupRows, factorize, formatLabelPart, type Keys } from '../post-processing/keys.ts'
import { isNumeric } from '../post-processing/numbers.ts'
import { parseAggregation, computeShare, type Aggregation } from './aggregation.ts'
import { transpose, type Matrix, type HeaderPath, type MatrixValue } from './matrix.ts'
import { toHeaderEntries, formatTotalName, withTotals, type HeaderEntry } from './totals.ts'

/**
 * Controls of `pivot_table_v2` that determine its table, with columns resolved and each metric as a pair of column and heading.
 */
export interface PivotTableForm {
  rows: readonly Column[]
  columns: readonly Column[]
  metrics: readonly { column: Column; heading: string }[]
  aggregateFunction: string
  metricsLayout: 'ROWS' | 'COLUMNS'
  rowTotals: boolean
  colTotals: boolean
  combineMetric: boolean
  transposePivot: boolean
  /** Accepts the table without totals, and the work for those. */
  budget: Budget
}

/**
 * Table of the pivot table chart. Rows and columns are ascending, metrics keep their order; null is named NULL.
 * @throws AppError `bad_request` for an unknown aggregate, `result_too_large`; TooMuchWork
 */
export function buildPivotTable(frame: Frame, form: PivotTableForm): Matrix {
  const aggregation = parseAggregation(form.aggregateFunction)
  admitValues(frame, form)
  const [rows, columns] = form.transposePivot ? [form.columns, form.rows] : [form.rows, form.columns]
  // Metrics are placed among the columns; to place them on rows, the transposed table is computed.
  const turned = form.metricsLayout === 'ROWS'
  const orient = (matrix: Matrix<Values>): Matrix<Values> => (turned ? transpose(matrix) : matrix)
  const cells = crossed(frame, turned ? columns : rows, turned ? rows : columns, form, aggregation)
  const base = orient(
    form.combineMetric && (cells.columns[0]?.length ?? 0) > 1 ? metricLast(cells, form.metrics) : cells,
  )
  admitNames(base.rows, form.budget)
  admitNames(base.columns, form.budget)
  return aggregated(
    base,
    form.colTotals && rows.length > 0 ? withTotals(base.rows, aggregation) : toHeaderEntries(base.rows),
    form.rowTotals ? withTotals(base.columns, aggregation) : toHeaderEntries(base.columns),
    aggregation,
  )
}

/** Values behind a cell; null when no row of the result has any. */
type Values = readonly Cell[] | null

/** Aggregates the values of each row and column. Totals aggregate the underlying values, not the cells. */
function aggregated(
  { values }: Matrix<Values>,
  rows: readonly HeaderEntry[],
  columns: readonly HeaderEntry[],
  { of, fraction }: Aggregation,
): Matrix {
  const behind = (down: readonly number[], across: readonly number[]): Cell[] =>
    down.flatMap((row) => across.flatMap((column) => values[row]![column] ?? []))
  const all = { down: values.map((_, index) => index), across: (values[0] ?? []).map((_, index) => index) }
  const grandTotal = fraction === 'Total' ? of(behind(all.down, all.across)) : null
  const rowTotals = fraction === 'Rows' ? rows.map(({ from }) => of(behind(from, all.across))) : []
  const columnTotals = fraction === 'Columns' ? columns.map(({ from }) => of(behind(all.down, from))) : []
  const value = (row: HeaderEntry, column: HeaderEntry): MatrixValue => {
    const isTotal = row.isTotal || column.isTotal
    const found = isTotal ? behind(row.from, column.from) : values[row.from[0]!]![column.from[0]!]!
    return found && of(found)
  }
  return {
    rows: rows.map(({ name }) => name),
    columns: columns.map(({ name }) => name),
    values: rows.map((row, index) =>
      columns.map((column, columnIndex) => {
        const cell = value(row, column)
        return fraction ? computeShare(cell, grandTotal ?? rowTotals[index] ?? columnTotals[columnIndex] ?? null) : cell
      }),
    ),
  }
}

/** Asks for what is read for every level of the names: each subtotal reads all values below it again. */
function admitValues(frame: Frame, { rows, columns, metrics, aggregateFunction, budget }: PivotTableForm): void {
  const keys = rows.length + columns.length
  const subtotals = (rows.length + 1) * (columns.length + 1)
  budget.admitTexts('pivot', frame.rows * keys * Int32Array.BYTES_PER_ELEMENT)
  budget.spend(frame.rows * (keys * 30 + metrics.length * subtotals * 5))
  if (aggregateFunction === 'List Unique Values')
    for (const { column } of metrics) budget.admitTexts('pivot', subtotals * textBytes(column, frame.rows))
}

/** Asks for the names of rows or columns, which are compared level by level. */
function admitNames(names: readonly HeaderPath[], budget: Budget): void {
  const length = names.reduce((sum, name) => sum + name.reduce<number>((all, part) => all + String(part).length, 0), 0)
  budget.admitTexts('pivot', length * (names[0]?.length ?? 0))
}

function crossed(
  frame: Frame,
  rows: readonly Column[],
  columns: readonly Column[],
  { metrics, budget }: PivotTableForm,
  aggregation: Aggregation,
): Matrix<Values> {
  const keys = [...rows, ...columns].map((column) => ({ column, ...factorize(column, frame.rows, 'NULL') }))
  const groups = groupRows(keys, frame.rows)
  const down = distinct(groups.codes.map((codes) => codes.subarray(0, rows.length)))
  const across = distinct(groups.codes.map((codes) => codes.subarray(rows.length)))
  const size = down.length * across.length * metrics.length
  budget.admit('pivot', { rows: down.length, columns: across.length * metrics.length, work: size * 20 })
  const groupAt = new Map(groups.codes.map((codes, group) => [codes.join(), group]))
  const all = metrics.flatMap(({ column, heading }) => {
    const cells = groups.members.map((members) => Array.from(members, (row) => aggregateInputAt(column, row)))
    return across.map((codes) => ({
      name: [heading, ...toHeaderPath(keys.slice(rows.length), codes, false)],
      values: down.map((row): Values => cells[groupAt.get([...row, ...codes].join()) ?? -1] ?? null),
    }))
  })
  const nonEmpty = all.filter(({ values }) => values.some((cell) => cell && aggregation.of(cell) !== null))
  return {
    rows: rows.length
      ? down.map((codes) => toHeaderPath(keys.slice(0, rows.length), codes, rows.length === 1))
      : down.map(() => [formatTotalName(aggregation)]),
    columns: nonEmpty.map(({ name }) => name),
    values: down.map((_, row) => nonEmpty.map(({ values }) => values[row]!)),
  }
}

/** Value as passed to aggregates: numbers are rounded to doubles, times are text. */
export const aggregateInputAt = (column: Column, row: number): Cell =>
  isNumeric(column)
    ? numberAt(column, row)
    : column.kind === 'time' && !isNull(column, row)
      ? formatLabelPart(column, row)
      : cellAt(column, row)

/** Values by level. A value that is the whole name is text, as in the reference. */
function toHeaderPath(keys: readonly (Keys & { column: Column })[], codes: Int32Array, isTotal: boolean): HeaderPath {
  return keys.map(({ column, rows, texts }, depth): Cell => {
    const code = codes[depth]!
    if (isTotal || rows[code]! < 0) return texts[code]!
    if (column.kind === 'time') return formatLabelPart(column, rows[code]!)
    const cell = cellAt(column, rows[code]!)
    return typeof cell === 'bigint' ? String(cell) : cell // names travel as JSON
  })
}

function distinct(codes: readonly Int32Array[]): Int32Array[] {
  return [...new Map(codes.map((one) => [one.join(), one])).values()].sort(compareCodes)
}

/** Moves the metrics behind the values of the columns, which stay in order. */
function metricLast({ rows, columns, values }: Matrix<Values>, metrics: PivotTableForm['metrics']): Matrix<Values> {
  const metricOf = new Map(metrics.map(({ heading }, index) => [heading, index]))
  const groups = new Map<string, number>()
  for (const name of columns) {
    const key = JSON.stringify(name.slice(1))
    if (!groups.has(key)) groups.set(key, groups.size)
  }
  const order = columns
    .map((name, index) => ({
      at: index,
      group: groups.get(JSON.stringify(name.slice(1)))!,
      metric: metricOf.get(String(name[0]))!,
    }))
    .sort((one, other) => one.group - other.group || one.metric - other.metric)
  return {
    rows,
    columns: order.map(({ at }) => [...columns[at]!.slice(1), columns[at]![0]!]),
    values: values.map((row) => order.map(({ at }) => row[at]!)),
  }
}
