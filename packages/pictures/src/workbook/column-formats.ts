import { cellAt, genericOf, isNull, textAt, type Column, type Frame } from '@parquetry/frame'
import type { PictureChart } from '@parquetry/model'
import type { TitledFrame } from '../chart-tables.ts'
import { toExcelFormat } from './excel-format.ts'

/** How a spreadsheet shows a column. */
export interface ColumnLook {
  /** Number format of the spreadsheet; null for the usual one. */
  format: string | null
  /** In characters. */
  width: number
}

/** Format of times that are all midnights. */
export const dateFormat = 'yyyy-mm-dd'

const dayMs = 86_400_000
const measuredRows = 200
const widest = 60

/** Returns formats and widths of the columns of a chart, from its form and its dataset. */
export const readColumnLooks = (chart: PictureChart, frame: TitledFrame): ColumnLook[] =>
  frame.columns.map((column) => {
    const format = readFormat(chart, column, frame)
    return { format, width: measureWidth(column, frame.rows, format) }
  })

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const at = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

function readFormat({ viz_type, form, dataset }: PictureChart, column: Column, frame: Frame): string | null {
  const config = at(form['column_config'], column.name)
  if (column.kind === 'time') {
    const given = textOf(at(config, 'd3TimeFormat')) ?? textOf(form['table_timestamp_format'])
    return toExcelFormat(given) ?? (isAllDates(column, frame.rows) ? dateFormat : null)
  }
  if (genericOf(column) !== 0) return null
  if (column.name.endsWith('__contribution')) return '0.0%'
  // Heatmaps add a share of 1, which is not in the unit of their metric.
  if (column.name === 'rank' && viz_type.startsWith('heatmap')) return '0.0%'
  const own = textOf(at(config, 'd3NumberFormat')) ?? textOf(at(dataset['column_formats'], column.name))
  const shared = isDimension(form, column.name)
    ? null
    : (textOf(form['y_axis_format']) ?? textOf(form['number_format']))
  return toExcelFormat(own ?? shared)
}

/** A number by which the rows are grouped, such as a year, is not a measure. */
const isDimension = (form: Readonly<Record<string, unknown>>, name: string): boolean =>
  ['groupby', 'columns', 'x_axis', 'all_columns', 'groupbyRows', 'groupbyColumns'].some((key) =>
    [form[key]].flat().some((each) => each === name),
  )

/** True if all times of a column are midnights. */
export function isAllDates(column: Column & { kind: 'time' }, rows: number): boolean {
  for (let row = 0; row < rows; row++) if (!isNull(column, row) && column.data[row]! % dayMs !== 0) return false
  return rows > 0
}

function measureWidth(
  { heading, ...column }: TitledFrame['columns'][number],
  rows: number,
  format: string | null,
): number {
  const least = column.kind === 'time' ? (format === dateFormat ? 12 : 20) : 9
  let length = Math.max(least, (heading ?? column.name).length + 2)
  for (let row = 0; row < Math.min(rows, measuredRows); row++) {
    const cell = cellAt(column, row)
    // A formatted number is as long as its whole part with separators and some decimals.
    const text =
      typeof cell === 'number' && format !== null ? `${Math.round(cell).toLocaleString('en')}.00` : textAt(column, row)
    if (column.kind !== 'time') length = Math.max(length, (text?.length ?? 0) + 2)
  }
  return Math.min(widest, length)
}
