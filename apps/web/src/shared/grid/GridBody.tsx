import type { Frame } from '@parquetry/frame'
import type { PointerEvent } from 'react'
import type { PlacedColumns } from './column-layout.ts'
import { GridRow } from './GridRow.tsx'
import type { Place, Rectangle } from './selection.ts'
import type { GridWindow } from './use-grid-window.ts'
import styles from './DataGrid.module.css'

interface GridBodyProps {
  grid: string
  frame: Frame
  placed: PlacedColumns
  seen: GridWindow
  rowHeight: number
  numberWidth: number
  selected: Rectangle | null
  at: Place
  /** Lower case; cells that hold it are marked. */
  needle: string
  zone: string
  original: ReadonlySet<string>
  /** The row of the frame that is shown at a place. */
  sourceOf(row: number): number
  onPointerDown(event: PointerEvent<HTMLElement>): void
}

/** The rows that are seen, in a body as high as all of them. */
export function GridBody({ placed, seen, rowHeight, selected, at, sourceOf, onPointerDown, ...rest }: GridBodyProps) {
  const { first, last, base, from, end, height, shift } = seen
  return (
    <div className={styles.body} role="rowgroup" style={{ width: placed.width, height }} onPointerDown={onPointerDown}>
      <div role="presentation" style={{ transform: shift === 0 ? undefined : `translateY(${shift}px)` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, step) => {
          const row = first + step
          const isIn = selected !== null && row >= selected.top && row <= selected.bottom
          return (
            <GridRow
              key={row}
              {...rest}
              placed={placed}
              from={from}
              end={end}
              row={row}
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
