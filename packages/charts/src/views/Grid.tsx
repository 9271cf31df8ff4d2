import type { Cell, Frame } from '@parquetry/frame'
import { useMemo, useState } from 'react'
import type { ChartTheme } from '../resolve/theme.ts'
import type { TableColumn } from '../table/columns.ts'
import { drawCells } from './draw-cell.tsx'
import { drawnColumns, fitColumns, type DrawnColumn } from './drawn-columns.ts'
import {
  GridSurface,
  placeColumns,
  useCopyCells,
  useGrid,
  type DrawnHeading,
  type MenuAnchor,
  type Place,
  type PlacedColumns,
} from './grid/index.ts'
import type { Sorting } from './rows-shown.ts'
import { useSize } from './use-size.ts'
import type { MarkEvent } from './view.ts'
import styles from './table-grid.module.css'

export interface GridProps {
  frame: Frame
  columns: readonly TableColumn[]
  /** Rows of the frame in the order shown. */
  rows: ArrayLike<number>
  label: string
  locale: string
  theme: ChartTheme
  /** Room for the columns before the grid is laid out: they grow to fill it. */
  width: number
  sorting: Sorting | null
  onSort: (column: string) => void
  totals?: Record<string, number | string | null> | null
  /** Cells of these columns are marks. */
  isMark?: ((column: TableColumn) => boolean) | undefined
  onCell?: ((column: TableColumn, row: number, event: MarkEvent) => void) | undefined
  isFaded?: ((column: TableColumn, value: Cell) => boolean) | undefined
}

const rowHeight = 28

/** The numbers of a chart, written and coloured as it says. Headings sort; a click on a mark chooses it. */
export function Grid(props: GridProps) {
  const { frame, columns, rows, label, locale, theme, width, sorting, onSort, totals, isMark, onCell, isFaded } = props
  const copyCells = useCopyCells()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const room = useSize(scroller)?.width ?? width
  const drawn = useMemo(() => drawnColumns(frame, columns, locale), [frame, columns, locale])
  const placed = useMemo(
    () =>
      placeColumns(
        fitColumns(drawn, frame.rows, room).map((size, index) => ({ index, width: size })),
        0,
        0,
      ),
    [drawn, frame.rows, room],
  )
  const grid = useGrid({ scroller, setScroller, rows: rows.length, placed, rowHeight })
  const draw = useMemo(
    () => drawCells(drawn, { theme, isMark: onCell && isMark, isFaded }),
    [drawn, theme, onCell, isMark, isFaded],
  )
  const sourceOf = (row: number): number => rows[row] ?? row

  const [left, setLeft] = useState(0)
  const heading = (index: number): DrawnHeading => headingOf(columns[index]!, sorting, onSort)

  /** @returns whether the cell is a mark */
  const choose = ({ row, column }: Place, kind: MarkEvent['kind'], anchor: MenuAnchor): boolean => {
    const chosen = columns[column]
    if (!chosen || row < 0 || !onCell || !isMark?.(chosen)) return false
    const { x, y } = anchor instanceof Element ? below(anchor) : anchor
    onCell(chosen, sourceOf(row), { kind, x, y })
    return true
  }

  return (
    <div className={styles.frame} data-more={placed.width - room - left > 1 || undefined}>
      <GridSurface
        grid={grid}
        label={label}
        className={styles.grid}
        headClass={styles.head}
        sourceOf={sourceOf}
        draw={draw}
        heading={heading}
        foot={totals && <Totals drawn={drawn} placed={placed} totals={totals} />}
        onCopy={() => {
          if (!grid.selected) return
          const { top, bottom, left, right } = grid.selected
          const isWhole = grid.selection.whole === 'columns' || grid.selection.whole === 'all'
          void copyCells(
            {
              columns: drawn.slice(left, right + 1).flatMap(({ values }) => values ?? []),
              rows: Array.prototype.slice.call(rows, top, bottom + 1) as number[],
            },
            isWhole,
          )
        }}
        onEnter={(place, element) => {
          const column = columns[place.column]
          if (place.row < 0 && column) onSort(column.name)
          else if (element) choose(place, 'click', element)
        }}
        onMenu={(place, anchor) => choose(place, 'menu', anchor)}
        onClick={(place, { clientX, clientY }) => choose(place, 'click', { x: clientX, y: clientY })}
        onScroll={(element) => setLeft(Math.abs(element.scrollLeft))}
      />
    </div>
  )
}

const below = (element: Element): { x: number; y: number } => {
  const { left, bottom } = element.getBoundingClientRect()
  return { x: left, y: bottom }
}

function headingOf(column: TableColumn, sorting: Sorting | null, onSort: (column: string) => void): DrawnHeading {
  const isSorted = sorting?.column === column.name
  return {
    sorted: isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none',
    className: `${styles.heading} ${styles[column.align]}`,
    title: column.label,
    onClick: () => onSort(column.name),
    content: (
      <>
        {column.label}
        {isSorted && (
          <span className={styles.arrow} aria-hidden="true">
            {sorting.isDescending ? '↓' : '↑'}
          </span>
        )}
      </>
    ),
  }
}

interface TotalsProps {
  drawn: readonly DrawnColumn[]
  placed: PlacedColumns
  totals: Record<string, number | string | null>
}

function Totals({ drawn, placed, totals }: TotalsProps) {
  return (
    <div className={styles.totals} role="rowgroup" style={{ width: placed.width }}>
      <div role="row">
        {placed.all.map(({ index, start, width }) => {
          const { column, write } = drawn[index]!
          return (
            <span
              key={index}
              className={`${styles.total} ${styles[column.align]}`}
              role="gridcell"
              aria-colindex={index + 1}
              style={{ insetInlineStart: start, width }}
            >
              {column.name in totals ? write(totals[column.name]) : ''}
            </span>
          )
        })}
      </div>
    </div>
  )
}
