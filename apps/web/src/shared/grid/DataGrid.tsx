import { genericOf, isNull, textAt, type Column, type Frame } from '@parquetry/frame'
import { Icon, useCopy, useText } from '@parquetry/ui'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { sortedRows, type Sorting } from './sort.ts'
import styles from './DataGrid.module.css'

export interface DataGridProps {
  frame: Frame
  /** Name of the grid for screen readers. */
  label: string
  /** Headings other than the columns' names. */
  headingOf?: (name: string) => string
}

const rowHeight = 28
const numberWidth = 56

/** First guess of a column's width: the heading and the first fifty values, within bounds. */
function widthOf(column: Column, heading: string, rows: number): number {
  let longest = heading.length + 3
  for (let row = 0; row < Math.min(rows, 50); row += 1) longest = Math.max(longest, textAt(column, row)?.length ?? 1)
  return Math.min(Math.max(longest * 7.5 + 20, 72), 420)
}

/**
 * Rows of a result, virtual in both directions: cells are decoded when they are shown. Sorting is local to the rows at hand.
 * Arrow keys move the cell, Ctrl-C copies it, Enter on a heading sorts, the edge of a heading resizes.
 */
export function DataGrid({ frame, label, headingOf = (name) => name }: DataGridProps) {
  const t = useText()
  const copy = useCopy()
  const scroller = useRef<HTMLDivElement>(null)
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const [widths, setWidths] = useState<ReadonlyMap<number, number>>(new Map())
  const [at, setAt] = useState<{ row: number; column: number }>({ row: 0, column: 0 })
  const order = useMemo(() => sortedRows(frame, sorting), [frame, sorting])
  const guessed = useMemo(
    () => frame.columns.map((column) => widthOf(column, headingOf(column.name), frame.rows)),
    [frame, headingOf],
  )
  const widthAt = (index: number): number => widths.get(index) ?? guessed[index] ?? 120

  const rows = useVirtualizer({
    count: frame.rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: frame.columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: widthAt,
    overscan: 3,
    paddingStart: numberWidth,
  })

  const sortBy = (column: number): void =>
    setSorting((now) =>
      now?.column !== column ? { column, descending: false } : now.descending ? null : { column, descending: true },
    )

  const resize = (index: number) => (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const from = event.clientX - widthAt(index)
    const grip = event.currentTarget
    grip.setPointerCapture(event.pointerId)
    grip.onpointermove = (move) => {
      setWidths((now) => new Map(now).set(index, Math.max(48, move.clientX - from)))
      columns.measure()
    }
    grip.onpointerup = () => (grip.onpointermove = null)
  }

  const textOf = (row: number, column: number): string | null => {
    const data = frame.columns[column]
    return data ? textAt(data, order?.[row] ?? row) : null
  }

  const move = (row: number, column: number): void => {
    const next = {
      row: Math.max(0, Math.min(frame.rows - 1, row)),
      column: Math.max(0, Math.min(frame.columns.length - 1, column)),
    }
    setAt(next)
    rows.scrollToIndex(next.row)
    columns.scrollToIndex(next.column)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1
    const steps: Record<string, [row: number, column: number]> = {
      ArrowDown: [at.row + 1, at.column],
      ArrowUp: [at.row - 1, at.column],
      ArrowRight: [at.row, at.column + 1],
      ArrowLeft: [at.row, at.column - 1],
      PageDown: [at.row + page, at.column],
      PageUp: [at.row - page, at.column],
      Home: [event.ctrlKey ? 0 : at.row, 0],
      End: [event.ctrlKey ? frame.rows - 1 : at.row, frame.columns.length - 1],
    }
    const step = steps[event.key]
    if (step) {
      event.preventDefault()
      move(...step)
    } else if (
      event.key.toLowerCase() === 'c' &&
      (event.ctrlKey || event.metaKey) &&
      !window.getSelection()?.toString()
    ) {
      event.preventDefault()
      copy(textOf(at.row, at.column) ?? '', t('shared.grid.copied', 'Cell copied'))
    }
  }

  const width = columns.getTotalSize()
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={label}
      aria-rowcount={frame.rows + 1}
      aria-colcount={frame.columns.length}
      aria-activedescendant={`cell-${at.row}-${at.column}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={styles.head} role="row" aria-rowindex={1} style={{ width }}>
        <span className={styles.corner} role="columnheader" aria-label={t('shared.grid.rowNumber', 'Row')} />
        {columns.getVirtualItems().map(({ index, start, size }) => {
          const column = frame.columns[index]
          if (!column) return null
          const sorted = sorting?.column === index ? (sorting.descending ? 'descending' : 'ascending') : 'none'
          return (
            <div
              key={index}
              className={styles.heading}
              role="columnheader"
              aria-sort={sorted}
              aria-colindex={index + 1}
              style={{ left: start, width: size }}
            >
              <button
                type="button"
                tabIndex={-1}
                className={genericOf(column) === 0 ? styles.right : undefined}
                title={column.type ?? undefined}
                onClick={() => sortBy(index)}
              >
                <span>{headingOf(column.name)}</span>
                {sorted !== 'none' && <Icon name={sorted === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
              </button>
              <span className={styles.grip} aria-hidden onPointerDown={resize(index)} />
            </div>
          )
        })}
      </div>
      <div className={styles.body} role="rowgroup" style={{ width, height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index: row, start: top }) => (
          <div
            key={row}
            className={styles.row}
            role="row"
            aria-rowindex={row + 2}
            style={{ transform: `translateY(${top}px)`, width }}
          >
            <span className={styles.number} role="rowheader">
              {row + 1}
            </span>
            {columns.getVirtualItems().map(({ index, start, size }) => {
              const column = frame.columns[index]
              if (!column) return null
              const source = order?.[row] ?? row
              const empty = isNull(column, source)
              const isAt = at.row === row && at.column === index
              const names = [
                styles.cell,
                genericOf(column) === 0 && styles.right,
                empty && styles.null,
                isAt && styles.at,
              ]
              return (
                <span
                  key={index}
                  id={`cell-${row}-${index}`}
                  className={names.filter(Boolean).join(' ')}
                  role="gridcell"
                  aria-colindex={index + 1}
                  aria-selected={isAt}
                  style={{ left: start, width: size }}
                  onPointerDown={() => setAt({ row, column: index })}
                >
                  {empty ? '∅' : textAt(column, source)}
                </span>
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}
