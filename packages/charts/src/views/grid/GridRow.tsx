import { memo, type CSSProperties, type ReactNode } from 'react'
import type { PlacedColumns } from './placed-columns.ts'
import { cellId } from './use-grid.ts'
import styles from './grid.module.css'

/** Content and look of a cell; the grid determines its position and selection. */
export interface CellContent {
  content: ReactNode
  className?: string | undefined
  style?: CSSProperties | undefined
  title?: string | undefined
  /** The cell is a row header. */
  isHeader?: boolean
  /** Set for a group of rows: true if they are expanded. */
  isOpen?: boolean | undefined
}

/** @param index of the column, @param row of the data */
export type CellRenderer = (index: number, row: number) => CellContent

export interface GridRowProps {
  grid: string
  placed: PlacedColumns
  /** Range of visible columns among those that scroll. */
  from: number
  end: number
  /** Displayed row, and row in the data. */
  row: number
  source: number
  /** Total number of header rows. */
  heads: number
  top: number
  /** 0 hides row numbers. */
  numberWidth: number
  /** Number of the first data row. */
  firstNumber: number
  /** Selected columns of this row, both inclusive; −1 if there are none. */
  selectedFrom: number
  selectedTo: number
  /** Column of the cursor; −1 in other rows. */
  at: number
  /** Keeps its identity while cells look the same. */
  draw: CellRenderer
}

/** One row, limited to its visible cells. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { placed, from, end, row, source, heads, top, numberWidth, firstNumber } = props
  return (
    <div
      className={styles.row}
      role="row"
      aria-rowindex={row + heads + 1}
      data-row={row}
      style={{ transform: `translateY(${top}px)`, width: placed.width }}
    >
      {placed.pinnedWidth > 0 && (
        <div className={styles.fixed} role="presentation" style={{ width: placed.pinnedWidth }}>
          {numberWidth > 0 && (
            <span className={styles.number} role="rowheader" aria-colindex={1} style={{ width: numberWidth }}>
              {source + firstNumber}
            </span>
          )}
          {placed.all.slice(0, placed.pinned).map((_, column) => cell(props, column))}
        </div>
      )}
      {placed.all.slice(from, end).map((_, index) => cell(props, from + index))}
    </div>
  )
})

function cell(
  { grid, placed, row, source, numberWidth, selectedFrom, selectedTo, at, draw }: GridRowProps,
  place: number,
) {
  const { index, start, width } = placed.all[place]!
  const { content, className, style, title, isHeader, isOpen } = draw(index, source)
  const isSelected = place >= selectedFrom && place <= selectedTo
  const names = [styles.cell, className, isSelected && styles.selected]
  return (
    <span
      key={index}
      id={cellId(grid, row, place)}
      className={names.filter(Boolean).join(' ')}
      role={isHeader ? 'rowheader' : 'gridcell'}
      aria-expanded={isOpen}
      aria-colindex={place + (numberWidth > 0 ? 2 : 1)}
      aria-selected={isSelected}
      data-column={place}
      data-cursor={at === place || undefined}
      title={title}
      style={{ ...style, insetInlineStart: start, width }}
    >
      {content}
    </span>
  )
}
