import type { ReactNode } from 'react'
import type { GridState } from './use-grid.ts'
import { dragSelection } from './grid-pointer.ts'
import { GridRow, type CellRenderer } from './GridRow.tsx'
import type { CellRef } from './selection.ts'
import styles from './grid.module.css'

interface GridBodyProps {
  grid: GridState
  numberWidth: number
  firstNumber: number
  /** Maps a displayed row to its row in the data. */
  sourceOf(row: number): number
  draw: CellRenderer
  /** Called when a pointer is pressed on a cell. */
  onBegin?: ((place: CellRef) => void) | undefined
  /** Overlay for content that spans several rows. */
  over?: ReactNode
}

/** The visible rows, in a body with the height of all rows. */
export function GridBody({ grid, numberWidth, firstNumber, sourceOf, draw, onBegin, over }: GridBodyProps) {
  const { id, scroller, placed, seen, rowHeight, heads, selected, at, setSelection } = grid
  const { first, last, base, from, end, height, shift } = seen
  return (
    <div
      className={styles.body}
      role="rowgroup"
      style={{ width: placed.width, height }}
      onPointerDown={(event) =>
        dragSelection(event, {
          scroller,
          rowHeight,
          headHeight: heads * rowHeight,
          pinnedWidth: placed.pinnedWidth,
          select: setSelection,
          begin: (place) => onBegin?.(place),
        })
      }
    >
      {over}
      <div role="presentation" style={{ transform: shift === 0 ? undefined : `translateY(${shift}px)` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, step) => {
          const row = first + step
          const isIn = selected !== null && row >= selected.top && row <= selected.bottom
          return (
            <GridRow
              key={row}
              grid={id}
              placed={placed}
              numberWidth={numberWidth}
              firstNumber={firstNumber}
              draw={draw}
              from={from}
              end={end}
              row={row}
              heads={heads}
              source={sourceOf(row)}
              top={(row - base) * rowHeight}
              selectedFrom={isIn ? selected.left : -1}
              selectedTo={isIn ? selected.right : -1}
              at={row === at.row ? at.column : -1}
            />
          )
        })}
      </div>
    </div>
  )
}
