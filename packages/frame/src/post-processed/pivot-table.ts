import { cellAt, numberAt } from '../cells.ts'
import type { Cell, Column, Frame } from '../frame.ts'
import { compareCodes, groupRows, keysOf, labelText, type Keys } from '../post-processing/keys.ts'
import { isNumeric } from '../post-processing/numbers.ts'
import { pivotTooLarge } from '../post-processing/refusal.ts'
import { aggregationOf, type Aggregation } from './aggregation.ts'
import { transposed, type Matrix, type Name, type Value } from './matrix.ts'
import { totalName, withTotals } from './totals.ts'

/** The controls of `pivot_table_v2` that decide its table, with columns read and metrics as pairs of column and heading. */
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
  /** Most cells that the table may have, totals left out. */
  cells: number
}

/**
 * The table that the pivot table chart shows. Rows and columns ascend, metrics keep their order; null is named NULL.
 * @throws AppError `bad_request` for an unknown aggregate, `result_too_large`
 */
export function pivotTable(frame: Frame, form: PivotTableForm): Matrix {
  const aggregation = aggregationOf(form.aggregateFunction)
  const [rows, columns] = form.transposePivot ? [form.columns, form.rows] : [form.rows, form.columns]
  // Metrics stand among the columns; on rows they stand in the table turned around.
  const turned = form.metricsLayout === 'ROWS'
  const turn = (matrix: Matrix): Matrix => (turned ? transposed(matrix) : matrix)
  const cells = crossed(frame, turned ? columns : rows, turned ? rows : columns, form, aggregation)
  const ordered = form.combineMetric && (cells.columns[0]?.length ?? 0) > 1 ? metricLast(cells, form.metrics) : cells
  const shares = fractions(turn(ordered), aggregation)
  const withRight = form.rowTotals ? withTotals(shares, aggregation) : shares
  return form.colTotals && rows.length > 0 ? transposed(withTotals(transposed(withRight), aggregation)) : withRight
}

function crossed(
  frame: Frame,
  rows: readonly Column[],
  columns: readonly Column[],
  { metrics, cells: most }: PivotTableForm,
  aggregation: Aggregation,
): Matrix {
  const keys = [...rows, ...columns].map((column) => ({ column, ...keysOf(column, frame.rows, 'NULL') }))
  const groups = groupRows(keys, frame.rows)
  const down = distinct(groups.codes.map((codes) => codes.subarray(0, rows.length)))
  const across = distinct(groups.codes.map((codes) => codes.subarray(rows.length)))
  if (down.length * across.length * metrics.length > most) throw pivotTooLarge()
  const groupAt = new Map(groups.codes.map((codes, group) => [codes.join(), group]))
  const all = metrics.flatMap(({ column, heading }) => {
    const read = isNumeric(column) ? numberAt : cellAt
    const cells = groups.members.map((members) => aggregation.of(Array.from(members, (row) => read(column, row))))
    return across.map((codes) => ({
      name: [heading, ...nameOf(keys.slice(rows.length), codes, false)],
      values: down.map((row): Value => cells[groupAt.get([...row, ...codes].join()) ?? -1] ?? null),
    }))
  })
  const kept = all.filter(({ values }) => values.some((value) => value !== null))
  return {
    rows: rows.length
      ? down.map((codes) => nameOf(keys.slice(0, rows.length), codes, rows.length === 1))
      : down.map(() => [totalName(aggregation)]),
    columns: kept.map(({ name }) => name),
    values: down.map((_, row) => kept.map(({ values }) => values[row]!)),
  }
}

/** Values by their level; one that is the whole name is text, as the reference has it. */
function nameOf(keys: readonly (Keys & { column: Column })[], codes: Int32Array, isWhole: boolean): Name {
  return keys.map(({ column, rows, texts }, level): Cell => {
    const code = codes[level]!
    if (isWhole || rows[code]! < 0) return texts[code]!
    if (column.kind === 'time') return labelText(column, rows[code]!)
    const cell = cellAt(column, rows[code]!)
    return typeof cell === 'bigint' ? String(cell) : cell // names travel as JSON
  })
}

function distinct(codes: readonly Int32Array[]): Int32Array[] {
  return [...new Map(codes.map((one) => [one.join(), one])).values()].sort(compareCodes)
}

/** Metrics behind the values of the columns, which stay in their order. */
function metricLast({ rows, columns, values }: Matrix, metrics: PivotTableForm['metrics']): Matrix {
  const metricOf = new Map(metrics.map(({ heading }, at) => [heading, at]))
  const groups = new Map<string, number>()
  for (const name of columns) {
    const key = JSON.stringify(name.slice(1))
    if (!groups.has(key)) groups.set(key, groups.size)
  }
  const order = columns
    .map((name, at) => ({
      at,
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

/** Each number as its part of the total, of its row or of its column. */
function fractions(matrix: Matrix, { fraction }: Aggregation): Matrix {
  if (!fraction) return matrix
  const sumOf = (values: readonly Value[]): number =>
    values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0)
  const byRow = matrix.values.map(sumOf)
  const byColumn = transposed(matrix).values.map(sumOf)
  const all = sumOf(byRow)
  const part = (value: Value, row: number, column: number): Value => {
    const whole = fraction === 'Total' ? all : fraction === 'Rows' ? byRow[row]! : byColumn[column]!
    return typeof value === 'number' && whole !== 0 ? value / whole : null
  }
  return { ...matrix, values: matrix.values.map((row, at) => row.map((value, column) => part(value, at, column))) }
}
