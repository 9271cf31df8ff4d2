/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are boxes placed by the virtual list, which table tags do not allow */
import { cellAt, type Frame } from '@parquetry/frame'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { ChartTheme } from '../resolve/theme.ts'
import { columnNamed } from '../shared/column.ts'
import { textWidth } from '../shared/text-width.ts'
import { writerOf } from '../table/cells.ts'
import type { TableColumn } from '../table/columns.ts'
import { GridRow, type CellActs, type DrawnColumn } from './GridRow.tsx'
import type { Sorting } from './rows-shown.ts'
import styles from './grid.module.css'

export interface GridProps extends CellActs {
  frame: Frame
  columns: readonly TableColumn[]
  /** Rows of the frame in the order shown. */
  rows: ArrayLike<number>
  label: string
  locale: string
  theme: ChartTheme
  /** Room for the columns: they grow to fill it. */
  width: number
  sorting: Sorting | null
  onSort: (column: string) => void
  totals?: Record<string, number | string | null> | null
}

const rowHeight = 28

/** Rows of a frame, of which only those in sight exist. Headings sort; arrow keys move through the cells. */
export function Grid({
  frame,
  columns,
  rows,
  label,
  locale,
  theme,
  width,
  sorting,
  onSort,
  totals,
  ...acts
}: GridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useMemo(
    () =>
      columns.map((column) => ({ column, values: columnNamed(frame, column.name), write: writerOf(column, locale) })),
    [columns, frame, locale],
  )
  const template = useMemo(() => templateOf(drawn, frame.rows, width), [drawn, frame.rows, width])
  // oxlint-disable-next-line react/incompatible-library -- the compiler is off
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })

  const [hasMore, setMore] = useState(false)
  const look = () => {
    const { scrollWidth = 0, clientWidth = 0, scrollLeft = 0 } = scroller.current ?? {}
    setMore(scrollWidth - clientWidth - Math.abs(scrollLeft) > 1)
  }
  useLayoutEffect(look, [template, width])

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = steps[event.key]
    const at = (event.target as HTMLElement).dataset.at?.split(':').map(Number)
    if (!step || !at) return
    event.preventDefault()
    const [row, column] = [(at[0] ?? 0) + step[0], (at[1] ?? 0) + step[1]]
    if (row >= 0 && row < rows.length) virtual.scrollToIndex(row)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`)?.focus())
  }

  return (
    <div className={styles.frame} data-more={hasMore || undefined}>
      <div
        ref={scroller}
        className={styles.grid}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        tabIndex={-1}
        onKeyDown={move}
        onScroll={look}
      >
        <div
          className={`${styles.row} ${styles.head}`}
          role="row"
          aria-rowindex={1}
          style={{ gridTemplateColumns: template }}
        >
          {drawn.map(({ column }, i) => (
            <Heading key={column.name} column={column} place={i} sorting={sorting} onSort={onSort} />
          ))}
        </div>
        <div className={styles.body} role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <GridRow
              key={index}
              columns={drawn}
              row={rows[index] as number}
              index={index}
              top={start}
              template={template}
              theme={theme}
              {...acts}
            />
          ))}
        </div>
        {totals && (
          <div className={`${styles.row} ${styles.totals}`} role="row" style={{ gridTemplateColumns: template }}>
            {drawn.map(({ column, write }) => (
              <div key={column.name} className={styles.cell} role="gridcell" data-align={column.align}>
                {column.name in totals ? write(totals[column.name]) : ''}
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

const steps: Record<string, [row: number, column: number]> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
}

interface HeadingProps {
  column: TableColumn
  place: number
  sorting: Sorting | null
  onSort: (column: string) => void
}

function Heading({ column, place, sorting, onSort }: HeadingProps) {
  const isSorted = sorting?.column === column.name
  return (
    <div
      className={styles.heading}
      role="columnheader"
      aria-colindex={place + 1}
      aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
      data-align={column.align}
      data-at={`-1:${place}`}
      tabIndex={place === 0 ? 0 : -1}
      title={column.label}
      onClick={() => onSort(column.name)}
      onKeyDown={(event) => event.key === 'Enter' && onSort(column.name)}
    >
      {column.label}
      {isSorted && (
        <span className={styles.arrow} aria-hidden="true">
          {sorting.isDescending ? '↓' : '↑'}
        </span>
      )}
    </div>
  )
}

const padding = 17
const looked = 100

const narrowestText = 120

/**
 * Columns as wide as their heading and first rows. Room that is left over goes to all in proportion; where it lacks, text gives
 * way down to 120 px, and what then does not fit is scrolled to.
 */
function templateOf(columns: DrawnColumn[], rows: number, room: number): string {
  const wanted = columns.map(({ column, values, write }) => {
    if (column.width !== null) return { size: column.width, give: 0 }
    let widest = textWidth(column.label, 12) + 16
    for (let row = 0; values && row < Math.min(rows, looked); row++)
      widest = Math.max(widest, textWidth(write(cellAt(values, row)), 12))
    const size = Math.ceil(Math.min(360, Math.max(56, widest * 1.06 + padding)))
    return { size, give: column.format === null && !column.isNumeric ? Math.max(0, size - narrowestText) : 0 }
  })
  const lack = wanted.reduce((sum, { size }) => sum + size, 0) - room
  if (lack < 0) return wanted.map(({ size }) => `minmax(${size}px, ${size}fr)`).join(' ')
  const all = wanted.reduce((sum, { give }) => sum + give, 0)
  const part = all > 0 ? Math.min(1, lack / all) : 0
  return wanted.map(({ size, give }) => `${Math.floor(size - part * give)}px`).join(' ')
}
