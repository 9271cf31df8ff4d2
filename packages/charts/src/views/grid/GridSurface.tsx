import { useState, type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { handleGridKey } from './grid-keys.ts'
import { isInRange, findCellAt } from './grid-pointer.ts'
import { GridBody } from './GridBody.tsx'
import { GridHead, type HeadingContent } from './GridHead.tsx'
import type { CellRenderer } from './GridRow.tsx'
import { selectionAt, type CellRef } from './selection.ts'
import { cellId, type GridState } from './use-grid.ts'
import styles from './grid.module.css'

/** A point of the window, or the cell by whose key it was asked. */
export type MenuAnchor = Element | { x: number; y: number }

export interface GridSurfaceProps {
  grid: GridState
  /** Name of the grid for screen readers. */
  label: string
  className?: string | undefined
  isBusy?: boolean
  /** Width of the column with the numbers of the rows; left out: there is none. */
  numberWidth?: number
  /** What the first row of the data is counted as, where others came before it: 1. */
  firstNumber?: number
  sourceOf(row: number): number
  draw: CellRenderer
  headClass?: string | undefined
  /** @param index of the column, @param place where it is shown */
  heading?: (index: number, place: number) => HeadingContent
  /** In place of the headings: a head of several rows. */
  head?: ReactNode
  /** Lies over the rows: what belongs to several of them. */
  over?: ReactNode
  /** Stays in sight below the rows. */
  foot?: ReactNode
  onCopy(): void
  /** Enter at the cursor, whose cell or heading is given where it is drawn. */
  onEnter(place: CellRef, element: Element | null): void
  /** @returns false where there is none, and the browser shows its own */
  onMenu(place: CellRef, anchor: MenuAnchor): boolean
  /** See `KeyTools.ownKey`. */
  ownKey?: (key: string, event: KeyboardEvent) => boolean
  onClick?: (place: CellRef, event: MouseEvent) => void
  onDoubleClick?: (place: CellRef) => void
  onBegin?: (place: CellRef) => void
  onScroll?: (scroller: Element) => void
}

/**
 * Cells that are virtual in both directions, with a cursor and a selection: arrows move the cell, Shift and the pointer stretch the
 * selection, Ctrl-C copies it. What a cell shows and what Enter, clicks and menus do is the owner's.
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
      // A pointer that has dragged over several cells has clicked none.
      onClick={(event) => {
        const place = onClick && isOne ? under(event) : null
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
