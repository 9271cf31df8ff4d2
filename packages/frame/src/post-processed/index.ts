import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { QueryColumn, QueryMetric } from '@parquetry/model/query-context'
import { labelOfColumn, labelOfMetric } from '@parquetry/model/labels'
import { cellAt, genericOf, isNull, numberAt } from '../cells.ts'
import { buildColumn } from '../columns.ts'
import { Budget } from '../post-processing/budget.ts'
import type { Cell, Column, Frame } from '../frame.ts'
import { utf8 } from '../utf8.ts'
import { formatHeaderPath, type HeaderPath } from './matrix.ts'
import { makeNamesUnique } from '../unique-names.ts'
import { buildPivotTable } from './pivot-table.ts'

/** Result of type `post_processed`, in the layout that the chart shows. */
export interface PostProcessedTable {
  /** Strings for a table, lists of parts for a pivot table. */
  colnames: (string | HeaderPath)[]
  indexnames: (number | HeaderPath)[]
  coltypes: (0 | 1 | 2 | 3)[]
  rowcount: number
  /** Columns for a file: the row names under an empty heading, then each column under its heading in one line. */
  frame: Frame
}

export interface TableDisplay {
  /** Headings (verbose names) by name of column or metric. */
  headings: ReadonlyMap<string, string>
  /** Returns the formatter for the name of a number format. */
  format(name: string): (value: Cell) => string
  budget?: Budget
}

/**
 * Lays out a result as the server does for reports and files of `pivot_table_v2` and `table`; null for all other charts, whose
 * rows are returned unchanged. A table column with a `d3NumberFormat` becomes text.
 *
 * A runner does this for a plan with a `layout`. `colnames`, `indexnames` and `coltypes` then become `layout` of the header, and
 * `rowcount` its row count; the header's `columns` remain those before the layout, and the bytes are `encodePostProcessedJson`, or the
 * rows of `frame` for files and frames.
 * @param form  form data; unknown keys are ignored
 * @throws AppError `unknown_column` when the form names a column that the result lacks, `bad_request` for an unknown aggregate,
 * `result_too_large`; TooMuchWork
 */
export function buildPostProcessedTable(
  frame: Frame,
  form: Readonly<Record<string, unknown>>,
  display: TableDisplay,
): PostProcessedTable | null {
  if (frame.rows === 0) return null
  if (form['viz_type'] === 'table') return plainTable(frame, form, display)
  if (form['viz_type'] === 'pivot_table_v2') return pivoted(frame, form, display)
  return null
}

function plainTable(
  frame: Frame,
  form: Readonly<Record<string, unknown>>,
  { headings, format, budget = new Budget() }: TableDisplay,
): PostProcessedTable {
  budget.admit('table', {
    rows: frame.rows,
    columns: frame.columns.length,
    work: frame.rows * frame.columns.length * 30,
  })
  const config = new Map(Object.entries((form['column_config'] ?? {}) as Record<string, unknown>))
  const columns = frame.columns.map((column): Column => {
    const heading = headings.get(column.name) ?? column.name
    const name = ((config.get(column.name) ?? config.get(heading)) as { d3NumberFormat?: unknown } | undefined)
      ?.d3NumberFormat
    if (typeof name !== 'string' || genericOf(column) !== 0) return { ...column, name: heading }
    const write = format(name)
    const texts = Array.from({ length: frame.rows }, (_, row) =>
      isNull(column, row) ? null : write(numberCell(column, row)),
    )
    return buildColumn(texts, heading)
  })
  const rowIndexes = Array.from({ length: frame.rows }, (_, row) => row)
  return {
    colnames: columns.map(({ name }) => name),
    indexnames: rowIndexes,
    coltypes: columns.map(genericOf),
    rowcount: frame.rows,
    frame: { rows: frame.rows, columns: [buildColumn(rowIndexes, ''), ...columns] },
  }
}

/** Number as passed to a format: numeric text is rounded to a double. */
function numberCell(column: Column, row: number): Cell {
  const cell = cellAt(column, row)
  return typeof cell === 'string' ? numberAt(column, row) : cell
}

function pivoted(
  frame: Frame,
  form: Readonly<Record<string, unknown>>,
  { headings, budget = new Budget() }: TableDisplay,
): PostProcessedTable {
  const listOf = (key: string): unknown[] => (Array.isArray(form[key]) ? form[key] : [])
  const columnsOf = (key: string): Column[] =>
    listOf(key).map((column) => columnNamed(frame, labelOfColumn(column as QueryColumn)))
  const matrix = buildPivotTable(frame, {
    rows: columnsOf('groupbyRows'),
    columns: columnsOf('groupbyColumns'),
    metrics: listOf('metrics').map((metric) => {
      const label = labelOfMetric(metric as QueryMetric)
      return { column: columnNamed(frame, label), heading: headings.get(label) ?? label }
    }),
    aggregateFunction: typeof form['aggregateFunction'] === 'string' ? form['aggregateFunction'] : 'Sum',
    metricsLayout: form['metricsLayout'] === 'ROWS' ? 'ROWS' : 'COLUMNS',
    rowTotals: Boolean(form['rowTotals']),
    colTotals: Boolean(form['colTotals']),
    combineMetric: Boolean(form['combineMetric']),
    transposePivot: Boolean(form['transposePivot']),
    budget,
  })
  // Different paths may have the same text, such as `a, b` and `c`, and `a` and `b, c`.
  const names = makeNamesUnique(matrix.columns.map(formatHeaderPath))
  const columns = names.map((name, index) =>
    buildColumn(
      matrix.values.map((row) => row[index]),
      name,
    ),
  )
  return {
    colnames: matrix.columns,
    indexnames: matrix.rows,
    coltypes: columns.map(genericOf),
    rowcount: matrix.rows.length,
    frame: {
      rows: matrix.rows.length,
      columns: [buildColumn(makeNamesUnique(matrix.rows.map(formatHeaderPath)), ''), ...columns],
    },
  }
}

function columnNamed({ columns }: Frame, name: string): Column {
  const column = columns.find((one) => one.name === name)
  if (!column)
    throw new AppError('unknown_column', {
      message: message('errors.frame.notInQuery', 'The chart shows `{name}`, but its query does not return it.', {
        name,
      }),
    })
  return column
}

/**
 * `data` of the response as JSON: column -> row -> value. Built as text, because names are data and keep their order.
 * @param check  receives the number of characters so far, and throws when they are too many
 */
export function encodePostProcessedJson(
  { frame: { rows, columns } }: PostProcessedTable,
  check: (length: number) => void = () => {},
): Uint8Array {
  let length = 0
  const [names, ...shown] = columns
  const keys = Array.from({ length: rows }, (_, row) => `${JSON.stringify(String(cellAt(names!, row)))}:`)
  const cellText = (cell: Cell): string => (typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell))
  const objects = shown.map((column) => {
    const cells = keys.map((key, row) => key + cellText(cellAt(column, row)))
    const object = `${JSON.stringify(column.name)}:{${cells.join(',')}}`
    check((length += object.length))
    return object
  })
  return utf8.encode(`{${objects.join(',')}}`)
}
