import { useState, type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { handleGridKey } from './grid-keys.ts'
import { isInRange, findCellAt, isInLink } from './grid-pointer.ts'
import { GridBody } from './GridBody.tsx'
import { GridHead, type HeadingContent } from './GridHead.tsx'
import type { CellRenderer } from './GridRow.tsx'
import { selectionAt, type CellRef } from './selection.ts'
import { cellId, type GridState } from './use-grid.ts'
import styles from './grid.module.css'

/** A point in the window, or the cell whose menu was opened by keyboard. */
export type MenuAnchor = Element | { x: number; y: number }

export interface GridSurfaceProps {
  grid: GridState
  /** Name of the grid for screen readers. */
  label: string
  className?: string | undefined
  isBusy?: boolean
  /** Width of the row number column; without it there is none. */
  numberWidth?: number
  /** Number of the first data row if others precede it; defaults to 1. */
  firstNumber?: number
  sourceOf(row: number): number
  draw: CellRenderer
  headClass?: string | undefined
  /** @param index of the column, @param place its displayed position */
  heading?: (index: number, place: number) => HeadingContent
  /** Header with several rows, instead of headings. */
  head?: ReactNode
  /** Overlay for content that spans several rows. */
  over?: ReactNode
  /** Content that stays visible below the rows. */
  foot?: ReactNode
  onCopy(): void
  /** Called on Enter, with the cell or heading at the cursor if it is rendered. */
  onEnter(place: CellRef, element: Element | null): void
  /** @returns false if there is no menu and the browser shows its own */
  onMenu(place: CellRef, anchor: MenuAnchor): boolean
  /** See `GridKeyActions.ownKey`. */
  ownKey?: (key: string, event: KeyboardEvent) => boolean
  onClick?: (place: CellRef, event: MouseEvent) => void
  onDoubleClick?: (place: CellRef) => void
  onBegin?: (place: CellRef) => void
  onScroll?: (scroller: Element) => void
}

/**
 * Cells virtualized in both directions, with a cursor and a selection: arrow keys move the cursor, Shift and dragging extend the
 * selection, Ctrl-C copies it. The owner defines the content of cells and the effect of Enter, clicks and menus.
 */
export function GridSurface(props: GridSurfaceProps) {
  const { grid, label, className, isBusy, numberWidth = 0, firstNumber = 1, sourceOf, draw, head, over, foot } = props
  const { headClass, heading, onCopy, onEnter, onMenu, ownKey, onClick, onDoubleClick, onBegin, onScroll } = props
  const { id, scroller, setScroller, size, rowHeight, heads, seen, at, selection, selected, select, setSelection } =
    grid
  const [isFresh, setIsFresh] = useState(true)
  const atCursor = () => document.getElementById(cellId(id, at.row, at.column))
  const isOne = selected === null || (selected.top === selected.bottom && selected.left === selected.right)
  const under = ({ clientX, clientY }: MouseEvent): CellRef | null => findCellAt(scroller, clientX, clientY)
  return (
    <div
      ref={setScroller}
      className={[styles.grid, className].filter(Boolean).join(' ')}
      style={{ '--row': `${rowHeight}px` } as CSSProperties}
      role="grid"
      aria-label={label}
      aria-rowcount={size.rows + heads}
      aria-colcount={size.columns + (numberWidth > 0 ? 1 : 0)}
      aria-multiselectable
      aria-activedescendant={seen.holds(at) ? cellId(id, at.row, at.column) : undefined}
      aria-busy={isBusy || undefined}
      tabIndex={0}
      data-fresh={isFresh || undefined}
      onFocus={() => setIsFresh(false)}
      onKeyDown={(event) =>
        handleGridKey(event, {
          at,
          selection,
          size,
          pageRows: Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeight) - 1 - heads),
          select,
          copy: onCopy,
          enter: () => onEnter(at, atCursor()),
          openMenu: () => {
            const anchor = atCursor()
            if (anchor) onMenu(at, anchor)
          },
          ownKey,
        })
      }
      onContextMenu={(event) => {
        const place = under(event)
        if (!place) return
        if (!isInRange(selected, place)) setSelection(selectionAt(place))
        if (onMenu(place, { x: event.clientX, y: event.clientY })) event.preventDefault()
      }}
      // Dragging over several cells is not a click.
      onClick={(event) => {
        const place = onClick && isOne && !isInLink(event.target) ? under(event) : null
        if (place) onClick?.(place, event)
      }}
      onDoubleClick={(event) => {
        const place = under(event)
        if (place) onDoubleClick?.(place)
      }}
      onScroll={(event) => onScroll?.(event.currentTarget)}
    >
      {head ?? (heading && <GridHead grid={grid} numberWidth={numberWidth} className={headClass} heading={heading} />)}
      <GridBody
        grid={grid}
        numberWidth={numberWidth}
        firstNumber={firstNumber}
        sourceOf={sourceOf}
        draw={draw}
        onBegin={onBegin}
        over={over}
      />
      {foot}
    </div>
  )
}
