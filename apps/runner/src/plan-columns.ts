import { cellAt, buildColumn, type Column, type Frame, makeNamesUnique, textAt } from '@parquetry/frame'
import type { PlanColumn } from '@parquetry/model'
import { readExactNumber } from '@parquetry/model/number-text'
import { createTimeParser } from './strptime.ts'

const hourMs = 3_600_000

/**
 * Converts the frame of a statement as the plan describes it: columns get the labels of the response, texts and numbers of the
 * dataset's time formats become times, the dataset's hour offset is added, and text metrics become numbers if all of their values
 * are. Without a plan (SQL Lab), duplicate names get suffixes: `a`, `a__1`.
 */
export function applyPlanColumns({ rows, columns }: Frame, planned: readonly PlanColumn[]): Frame {
  if (planned.length === 0) return { rows, columns: withSuffixes(columns) }
  return { rows, columns: columns.map((column, index) => applyPlanColumn(column, planned[index], rows)) }
}

function applyPlanColumn(column: Column, planned: PlanColumn | undefined, rows: number): Column {
  if (!planned) return column
  const named: Column = { ...column, name: planned.name }
  if (planned.dateFormat && column.kind !== 'time')
    return applyHourOffset(toTimes(named, rows, createTimeParser(planned.dateFormat)), planned)
  if (planned.kind === 'time' && column.kind === 'string')
    return applyHourOffset(toTimes(named, rows, createTimeParser(null)), planned)
  if (planned.isMetric && column.kind === 'string' && !column.numeric) return toNumbers(named, rows)
  return applyHourOffset(named, planned)
}

function applyHourOffset(column: Column, { hourOffset = 0 }: PlanColumn): Column {
  if (column.kind !== 'time' || hourOffset === 0) return column
  return { ...column, unit: 'datetime', data: column.data.map((ms) => ms + hourOffset * hourMs) }
}

/** Values that cannot be parsed as a time become null. */
function toTimes(column: Column, rows: number, read: (text: string) => number | null): Column {
  const data = new Float64Array(rows)
  const validity = new Uint8Array((rows + 7) >> 3)
  let nulls = 0
  for (let row = 0; row < rows; row++) {
    const text = textAt(column, row)
    const value = text === null ? null : read(text)
    if (value === null) nulls++
    else {
      data[row] = value
      validity[row >> 3]! |= 1 << (row & 7)
    }
  }
  const { name, type } = column
  return { name, type, kind: 'time', unit: 'datetime', validity: nulls > 0 ? validity : null, data }
}

function toNumbers(column: Column, rows: number): Column {
  const cells = Array.from({ length: rows }, (_, row) => cellAt(column, row))
  const numbers = cells.map((cell) => (cell === null ? null : (readExactNumber(String(cell)) ?? NaN)))
  if (numbers.some((number) => Number.isNaN(number))) return column
  // A number that JavaScript would round stays text.
  if (column.kind === 'string' && numbers.some((number) => typeof number === 'string'))
    return { ...column, numeric: true }
  return { ...buildColumn(numbers, column.name), type: column.type }
}

function withSuffixes(columns: readonly Column[]): Column[] {
  const names = makeNamesUnique(columns.map(({ name }) => name))
  return columns.map((column, index) => (column.name === names[index] ? column : { ...column, name: names[index]! }))
}
