/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are boxes placed by the virtual list, which table tags do not allow */
import { cellAt, isNull, numberAt, type Cell, type Column } from '@parquetry/frame'
import type { ChartTheme } from '../resolve/theme.ts'
import { barOf, tintOf } from '../table/cells.ts'
import type { TableColumn } from '../table/columns.ts'
import type { MarkEvent } from './view.ts'
import styles from './grid.module.css'

/** A column with its values and their writer. */
export interface DrawnColumn {
  column: TableColumn
  values: Column | undefined
  write: (value: Cell | undefined) => string
}

export interface CellActs {
  /** Cells of these columns are marks. */
  isMark?: ((column: TableColumn) => boolean) | undefined
  onCell?: ((column: TableColumn, row: number, event: MarkEvent) => void) | undefined
  isFaded?: ((column: TableColumn, value: Cell) => boolean) | undefined
}

interface RowProps extends CellActs {
  columns: DrawnColumn[]
  /** Row of the frame, and its place among those shown. */
  row: number
  index: number
  top: number
  template: string
  theme: ChartTheme
}

export function GridRow({ columns, row, index, top, template, theme, ...acts }: RowProps) {
  return (
    <div
      className={styles.row}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: template }}
    >
      {columns.map((drawn, i) => (
        <GridCell
          key={drawn.column.name}
          {...drawn}
          {...acts}
          row={row}
          at={`${index}:${i}`}
          place={i + 1}
          theme={theme}
        />
      ))}
    </div>
  )
}

interface CellProps extends DrawnColumn, CellActs {
  row: number
  at: string
  place: number
  theme: ChartTheme
}

function GridCell({ column, values, write, row, at, place, theme, isMark, onCell, isFaded }: CellProps) {
  const value = values ? cellAt(values, row) : null
  const number = values && (column.bars || column.rules.length > 0) ? numberAt(values, row) : null
  const bar = barOf(column, number)
  const tint = tintOf(column, number, theme)
  const marks = onCell !== undefined && (isMark?.(column) ?? false)
  const choose = (kind: MarkEvent['kind'], x: number, y: number) => marks && onCell(column, row, { kind, x, y })
  return (
    <div
      className={styles.cell}
      role="gridcell"
      aria-colindex={place}
      data-align={column.align}
      data-at={at}
      data-null={!values || isNull(values, row) || undefined}
      data-marks={marks || undefined}
      data-faded={isFaded?.(column, value) || undefined}
      tabIndex={-1}
      style={tint ? { background: tint } : undefined}
      title={column.isNumeric ? undefined : write(value)}
      onClick={(event) => choose('click', event.clientX, event.clientY)}
      onContextMenu={(event) => {
        if (marks) event.preventDefault()
        choose('menu', event.clientX, event.clientY)
      }}
      onKeyDown={(event) => {
        const { left, bottom } = event.currentTarget.getBoundingClientRect()
        if (event.key === 'Enter') choose('click', left, bottom)
      }}
    >
      {bar && (
        <i
          data-negative={bar.isNegative || undefined}
          style={{ left: `${bar.from * 100}%`, width: `${bar.size * 100}%` }}
        />
      )}
      <span>{write(value)}</span>
    </div>
  )
}
