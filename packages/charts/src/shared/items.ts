import { cellAt, filterValueAt, numberAt, type Cell, type Column, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'
import { findColumn } from './column.ts'
import { formatText, formatter } from './formats/format.ts'
import { joinNames } from './join-names.ts'

/** A row of a response as a mark, named and identified by its dimensions. */
export interface Item {
  name: string
  value: number | null
  key: Record<string, Cell>
}

export interface ItemSettings {
  groupby: readonly QueryColumn[]
  metric: QueryMetric
  date_format: string
}

/** Returns one mark per row; none when the response lacks the metric. */
export function buildItems(frame: Frame, settings: ItemSettings, context: SpecContext): Item[] {
  const values = findColumn(frame, labelOfMetric(settings.metric))
  if (!values) return []
  return nameRows(frame, settings, context).map((row, index) => ({ ...row, value: finiteAt(values, index) }))
}

/** Returns the name and key of each row, from its dimensions. */
export function nameRows(
  frame: Frame,
  { groupby, date_format: date }: Pick<ItemSettings, 'groupby' | 'date_format'>,
  context: SpecContext,
): Pick<Item, 'name' | 'key'>[] {
  const columns = findColumns(frame, groupby)
  const nameOf = dimensionFormatter(context, date)
  const rows = Array.from({ length: frame.rows }, (_, row) =>
    columns.map((column) => [column, cellAt(column, row) ?? filterValueAt(column, row)] as const),
  )
  const names = joinNames(rows.map((cells) => cells.map(([column, cell]) => nameOf(column, cell))))
  return rows.map((cells, index) => ({
    name: names[index]!,
    key: Object.fromEntries(cells.map(([{ name: of }, cell]) => [of, cell])),
  }))
}

/** Returns the columns of a response that contain these dimensions. */
export const findColumns = (frame: Frame, dimensions: readonly QueryColumn[]): Column[] =>
  dimensions.flatMap((dimension) => findColumn(frame, labelOfColumn(dimension)) ?? [])

/** Formats a cell of a dimension as a label: numbers without separators, times by their format. */
export function dimensionFormatter(
  { locale }: SpecContext,
  dateFormat: string,
): (column: Column, cell: Cell) => string {
  const write = formatter('PLAIN_NUMBER', locale)
  const writeTime = formatter(dateFormat, locale)
  return ({ kind }, cell) =>
    kind === 'time' ? writeTime(cell) : typeof cell === 'string' ? formatText(cell) : write(cell)
}

/** Returns a number that can be drawn; infinite and invalid numbers are gaps. */
export function finiteAt(column: Column, row: number): number | null {
  const value = numberAt(column, row)
  return value !== null && Number.isFinite(value) ? value : null
}
