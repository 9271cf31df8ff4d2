import { genericOf, textAt, type Frame } from '@parquetry/frame'
import { memo } from 'react'
import { nullSign, shownText } from './cell-text.ts'
import type { PlacedColumns } from './column-layout.ts'
import styles from './DataGrid.module.css'

export interface GridRowProps {
  grid: string
  frame: Frame
  placed: PlacedColumns
  /** Columns that scroll, as far as they are seen. */
  from: number
  end: number
  /** In the view, and in the frame. */
  row: number
  source: number
  top: number
  numberWidth: number
  /** Selected columns of this row, both included; −1 when none is. */
  selectedFrom: number
  selectedTo: number
  /** The column of the cursor, −1 in other rows. */
  at: number
  /** Lower case; cells that hold it are marked. */
  needle: string
  zone: string
  /** Names of times that are shown as they came. */
  original: ReadonlySet<string>
}

export const cellId = (grid: string, row: number, column: number): string => `${grid}-${row}-${column}`

/** One row as far as it is seen. Texts are decoded here, for cells that are shown and no others. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { placed, from, end, row, source, top, numberWidth } = props
  return (
    <div
      className={styles.row}
      role="row"
      aria-rowindex={row + 2}
      data-row={row}
      style={{ transform: `translateY(${top}px)`, width: placed.width }}
    >
      <div className={styles.fixed} role="presentation" style={{ width: placed.pinnedWidth }}>
        <span className={styles.number} role="rowheader" aria-colindex={1} style={{ width: numberWidth }}>
          {source + 1}
        </span>
        {placed.all.slice(0, placed.pinned).map((_, column) => cell(props, column))}
      </div>
      {placed.all.slice(from, end).map((_, index) => cell(props, from + index))}
    </div>
  )
})

function cell(
  { grid, frame, placed, row, source, selectedFrom, selectedTo, at, needle, zone, original }: GridRowProps,
  place: number,
) {
  const { index, start, width } = placed.all[place]!
  const column = frame.columns[index]
  if (!column) return null
  const text = original.has(column.name) ? textAt(column, source) : shownText(column, source, zone)
  const isSelected = place >= selectedFrom && place <= selectedTo
  const names = [
    styles.cell,
    genericOf(column) === 0 && styles.end,
    text === null && styles.null,
    isSelected && styles.selected,
    at === place && styles.at,
    needle !== '' && text?.toLowerCase().includes(needle) && styles.hit,
  ]
  return (
    <span
      key={index}
      id={cellId(grid, row, place)}
      className={names.filter(Boolean).join(' ')}
      role="gridcell"
      aria-colindex={place + 2}
      aria-selected={isSelected}
      data-column={place}
      style={{ insetInlineStart: start, width }}
    >
      {text === null ? nullSign : text.length > 400 ? `${text.slice(0, 400)}…` : text}
    </span>
  )
}
