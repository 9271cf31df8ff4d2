import type { Frame } from '@parquetry/frame'
import { useMemo, useState } from 'react'
import type { ChartTheme } from '../resolve/theme.ts'
import type { TableColumn } from '../table/columns.ts'
import { createCellRenderer } from './cell-renderer.tsx'
import { buildGridColumns, fitColumns, type GridColumn } from './grid-columns.ts'
import {
  ColumnResizeHandle,
  GridSurface,
  placeColumns,
  useCopyCells,
  useGrid,
  type HeadingContent,
  type MenuAnchor,
  type CellRef,
  type PlacedColumn,
  type PlacedColumns,
} from './grid/index.ts'
import type { ColumnSort } from './visible-rows.ts'
import { useSize, type Size } from './use-size.ts'
import type { MarkEvent } from './view.ts'
import styles from './table-grid.module.css'

export interface GridProps {
  frame: Frame
  columns: readonly TableColumn[]
  /** Row indexes of the frame in display order. */
  rows: ArrayLike<number>
  label: string
  locale: string
  theme: ChartTheme
  /** Available size before layout; the columns grow to fill it. */
  room: Size
  sorting: readonly ColumnSort[]
  /** @param isAdded  keeps the current order and sorts only equal rows by this column */
  onSort: (column: string, isAdded: boolean) => void
  /** Number of columns pinned at the start of the rows, as far as space allows. */
  frozen?: number
  totals?: Record<string, number | string | null> | null
  /** Heading of the totals row, in the first column if it has no total. */
  totalsLabel?: string
  /** Note behind the total of a column. */
  totalNote?: ((column: TableColumn) => string) | undefined
  /** Cells of these columns are marks. */
  isMark?: ((column: TableColumn) => boolean) | undefined
  onCell?: ((column: TableColumn, row: number, event: MarkEvent) => void) | undefined
  isFaded?: ((column: TableColumn, row: number) => boolean) | undefined
  /** Renders texts that contain HTML as sanitized HTML. */
  hasHtml?: boolean
}

const rowHeight = 28

const [narrowest, widest] = [40, 2000]
/** Pixels per key press when a column is widened by keyboard. */
const stepPx = 16

/** The data of a chart, formatted and colored as configured. Headings sort; a click on a mark selects it. */
export function Grid(props: GridProps) {
  const { frame, columns, rows, label, locale, theme, sorting, onSort, totals, isMark, onCell, isFaded } = props
  const { frozen = 0, hasHtml = false, totalsLabel = '', totalNote } = props
  const copyCells = useCopyCells()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const room = useSize(scroller, props.room).width
  /** Widths of columns resized by the user, by column name. */
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({})
  const resize = ({ name }: TableColumn, width: number) =>
    setWidths((now) => ({ ...now, [name]: Math.min(widest, Math.max(narrowest, width)) }))
  const drawn = useMemo(() => buildGridColumns(frame, columns, locale), [frame, columns, locale])
  const placed = useMemo(() => {
    const sizes = fitColumns(drawn, frame.rows, room).map((size, index) => widths[columns[index]!.name] ?? size)
    return placeColumns(
      sizes.map((size, index) => ({ index, width: size })),
      frozenColumns(sizes, frozen, room),
      0,
    )
  }, [drawn, columns, frame.rows, room, frozen, widths])
  const grid = useGrid({ scroller, setScroller, rows: rows.length, placed, rowHeight, room: props.room })
  const draw = useMemo(
    () => createCellRenderer(drawn, { frame, theme, isMark: onCell && isMark, isFaded, hasHtml }),
    [drawn, frame, theme, onCell, isMark, isFaded, hasHtml],
  )
  const sourceOf = (row: number): number => rows[row] ?? row

  const [isAtEnd, setAtEnd] = useState(false)
  const heading = (index: number, place: number): HeadingContent => {
    const drawnHeading = buildHeading(columns[index]!, sorting, onSort)
    const grip = (
      <ColumnResizeHandle
        className={styles.grip}
        width={placed.all[place]!.width}
        onWidth={(width) => resize(columns[index]!, width)}
      />
    )
    return {
      ...drawnHeading,
      content: (
        <>
          {drawnHeading.content}
          {grip}
        </>
      ),
    }
  }

  /** @returns true if the cell is a mark */
  const choose = ({ row, column }: CellRef, kind: MarkEvent['kind'], anchor: MenuAnchor): boolean => {
    const chosen = columns[column]
    if (!chosen || row < 0 || !onCell || !isMark?.(chosen)) return false
    const { x, y } = anchor instanceof Element ? below(anchor) : anchor
    onCell(chosen, sourceOf(row), { kind, x, y })
    return true
  }

  return (
    <div className={styles.frame} data-more={(placed.width - room > 1 && !isAtEnd) || undefined}>
      <GridSurface
        grid={grid}
        label={label}
        className={styles.grid}
        headClass={styles.head}
        sourceOf={sourceOf}
        draw={draw}
        heading={heading}
        foot={totals && <Totals drawn={drawn} placed={placed} totals={totals} label={totalsLabel} noteOf={totalNote} />}
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
          if (place.row < 0 && column) onSort(column.name, false)
          else if (element) choose(place, 'click', element)
        }}
        ownKey={(key, { altKey, shiftKey }) => {
          const column = columns[grid.at.column]
          if (!altKey || !shiftKey || !column || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
          resize(column, placed.all[grid.at.column]!.width + (key === 'ArrowRight' ? stepPx : -stepPx))
          return true
        }}
        onMenu={(place, anchor) => choose(place, 'menu', anchor)}
        onClick={(place, { clientX, clientY }) => choose(place, 'click', { x: clientX, y: clientY })}
        onScroll={({ scrollLeft }) => setAtEnd(placed.width - room - Math.abs(scrollLeft) <= 1)}
      />
    </div>
  )
}

const below = (element: Element): { x: number; y: number } => {
  const { left, bottom } = element.getBoundingClientRect()
  return { x: left, y: bottom }
}

/** Number of leading columns to pin so that at least two fifths of the width remain for the others. */
function frozenColumns(sizes: readonly number[], most: number, room: number): number {
  let taken = 0
  const end = sizes.slice(0, most).findIndex((size) => (taken += size) > room * 0.6)
  return end < 0 ? Math.min(most, sizes.length) : end
}

function buildHeading(
  column: TableColumn,
  sorting: readonly ColumnSort[],
  onSort: GridProps['onSort'],
): HeadingContent {
  const index = sorting.findIndex((each) => each.column === column.name)
  const own = sorting[index]
  return {
    sorted: own ? (own.isDescending ? 'descending' : 'ascending') : 'none',
    className: `${styles.heading} ${styles[column.align]}`,
    title: column.label,
    onClick: ({ shiftKey }) => onSort(column.name, shiftKey),
    content: (
      <>
        {column.label}
        {own && (
          <span className={styles.arrow} aria-hidden="true">
            {own.isDescending ? '↓' : '↑'}
            {sorting.length > 1 && index + 1}
          </span>
        )}
      </>
    ),
  }
}

interface TotalsProps {
  drawn: readonly GridColumn[]
  placed: PlacedColumns
  totals: Record<string, number | string | null>
  label: string
  noteOf: GridProps['totalNote']
}

function Totals({ drawn, placed, totals, label, noteOf }: TotalsProps) {
  const cell = ({ index, start, width }: PlacedColumn) => {
    const { column, write } = drawn[index]!
    const words = index === 0 && !column.isMetric ? label : ''
    const note = column.name in totals ? (noteOf?.(column) ?? '') : ''
    const text = column.name in totals ? write(totals[column.name]) : words
    return (
      <span
        key={index}
        className={`${styles.total} ${styles[column.align]}`}
        role="gridcell"
        aria-colindex={index + 1}
        style={{ insetInlineStart: start, width }}
        title={note ? `${text} ${note}` : undefined}
      >
        {text}
        {note && <span className={styles.totalNote}> {note}</span>}
      </span>
    )
  }
  return (
    <div className={styles.totals} role="rowgroup" style={{ width: placed.width }}>
      <div role="row" className={styles.totalsRow}>
        {placed.pinnedWidth > 0 && (
          <div className={styles.frozenTotals} role="presentation" style={{ width: placed.pinnedWidth }}>
            {placed.all.slice(0, placed.pinned).map(cell)}
          </div>
        )}
        {placed.all.slice(placed.pinned).map(cell)}
      </div>
    </div>
  )
}
