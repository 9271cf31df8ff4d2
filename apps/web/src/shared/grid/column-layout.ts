import { placeColumns, type PlacedColumns } from '@parquetry/charts/views/grid/placed-columns'
import { textAt, type Frame } from '@parquetry/frame'

/** Column layout of one grid, as changed by the user. Columns are identified by their index in the frame. */
export interface ColumnLayout {
  /** All columns, in display order. */
  order: readonly number[]
  hidden: ReadonlySet<number>
  /** Columns that stay at the left while the others scroll. */
  pinned: ReadonlySet<number>
  /** Widths of resized columns. */
  widths: ReadonlyMap<number, number>
}

export type LayoutChange =
  | { type: 'resize'; column: number; width: number }
  | { type: 'hide'; column: number }
  | { type: 'showAll' }
  | { type: 'pin'; column: number; on: boolean }
  /** Moves a column before or after another one. */
  | { type: 'move'; column: number; to: number; after: boolean }
  | { type: 'reset'; columns: number }

const minColumnWidth = 48
const maxColumnWidth = 2000

export const newLayout = (columns: number): ColumnLayout => ({
  order: Array.from({ length: columns }, (_, index) => index),
  hidden: new Set(),
  pinned: new Set(),
  widths: new Map(),
})

const without = (set: ReadonlySet<number>, item: number): Set<number> => {
  const next = new Set(set)
  next.delete(item)
  return next
}

export function changeLayout(layout: ColumnLayout, change: LayoutChange): ColumnLayout {
  switch (change.type) {
    case 'resize': {
      const width = Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, change.width)))
      return { ...layout, widths: new Map(layout.widths).set(change.column, width) }
    }
    case 'hide':
      // A grid without columns offers no way to restore them by keyboard.
      if (layout.hidden.size + 1 >= layout.order.length) return layout
      return { ...layout, hidden: new Set(layout.hidden).add(change.column) }
    case 'showAll':
      return { ...layout, hidden: new Set() }
    case 'pin': {
      const pinned = change.on ? new Set(layout.pinned).add(change.column) : without(layout.pinned, change.column)
      return { ...layout, pinned }
    }
    case 'move': {
      if (change.column === change.to) return layout
      const order = layout.order.filter((index) => index !== change.column)
      order.splice(order.indexOf(change.to) + (change.after ? 1 : 0), 0, change.column)
      // Next to a pinned column it is pinned too, to stay where it was dropped.
      const pinned = layout.pinned.has(change.to)
        ? new Set(layout.pinned).add(change.column)
        : without(layout.pinned, change.column)
      return { ...layout, order, pinned }
    }
    case 'reset':
      return newLayout(change.columns)
  }
}

/** Positions the visible columns, pinned ones first, starting at `from` px. */
export function placeLayout(
  { order, hidden, pinned, widths }: ColumnLayout,
  guess: (column: number) => number,
  from: number,
): PlacedColumns {
  const shown = order
    .filter((index) => !hidden.has(index))
    .map((index) => ({ index, width: widths.get(index) ?? guess(index) }))
  const first = shown.filter(({ index }) => pinned.has(index))
  return placeColumns([...first, ...shown.filter(({ index }) => !pinned.has(index))], first.length, from)
}

const sampledRows = 50

/** Estimates a column's width from the heading and the first fifty values, within bounds. */
export function guessWidth({ columns, rows }: Frame, index: number, heading: string): number {
  const column = columns[index]
  let longest = heading.length + 3
  if (column)
    for (let row = 0; row < Math.min(rows, sampledRows); row += 1)
      longest = Math.max(longest, textAt(column, row)?.length ?? 1)
  return Math.min(Math.max(Math.round(longest * 7.5) + 28, 80), 420)
}
