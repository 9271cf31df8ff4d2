import { cellAt, type Cell, type Column, type Frame } from '@parquetry/frame'
import { findColumn } from '../shared/column.ts'
import { textWidth } from '../shared/text-width.ts'
import { columnFormatter } from '../table/cells.ts'
import type { TableColumn } from '../table/columns.ts'

/** A column with its values and their formatter. */
export interface GridColumn {
  column: TableColumn
  values: Column | undefined
  write: (value: Cell | undefined) => string
}

export const buildGridColumns = (frame: Frame, columns: readonly TableColumn[], locale: string): GridColumn[] =>
  columns.map((column) => ({ column, values: findColumn(frame, column.name), write: columnFormatter(column, locale) }))

const padding = 17
const sampledRows = 100
/** Widths to which text columns shrink: the smaller one only if all columns then fit. */
const narrowestText = [120, 56]

/**
 * Returns column widths in px that fit the heading and the first rows. Spare space is distributed in proportion; if space is
 * short, text columns shrink down to 120 px, or further if that keeps the numbers in view, and the remainder is scrolled.
 */
export function fitColumns(columns: readonly GridColumn[], rows: number, room: number): number[] {
  const wanted = columns.map(({ column, values, write }) => {
    if (column.width !== null) return { size: column.width, isText: false }
    let widest = textWidth(column.label, 12) + 16
    for (let row = 0; values && row < Math.min(rows, sampledRows); row++)
      widest = Math.max(widest, textWidth(write(cellAt(values, row)), 12, { isTabular: true }))
    const size = Math.ceil(Math.min(360, Math.max(56, widest * 1.06 + padding)))
    return { size, isText: column.format === null && !column.isNumeric }
  })
  const whole = wanted.reduce((sum, { size }) => sum + size, 0)
  if (whole < room) return wanted.map(({ size }) => (size * room) / whole)
  const shrunk = narrowestText.map((narrowest) => {
    const gives = wanted.map(({ size, isText }) => (isText ? Math.max(0, size - narrowest) : 0))
    const all = gives.reduce((sum, give) => sum + give, 0)
    const part = all > 0 ? Math.min(1, (whole - room) / all) : 0
    return {
      isEnough: whole - all <= room,
      sizes: wanted.map(({ size }, index) => Math.floor(size - part * gives[index]!)),
    }
  })
  return (shrunk.find(({ isEnough }) => isEnough) ?? shrunk[0]!).sizes
}
