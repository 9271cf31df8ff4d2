import type { CalendarStyle } from './marks.ts'
import { toPeriod, type BlockGrid } from './units.ts'

/** Position of the blocks of one measure. */
export interface CalendarLayout {
  /** Cell size in pixels; the configured size if all blocks fit. */
  size: number
  gap: number
  /** Blocks per line. */
  perLine: number
  /** Distance from one block to the next, and from one line to the next. */
  wide: number
  high: number
  /** The first period shown, and the number of blocks shown. */
  first: number
  count: number
  lines: number
}

/** Smaller cells cannot be hit with a pointer. */
const minCellSize = 4
/** Gap between blocks: the size of a cell, within bounds. */
const blockGap = { least: 5, most: 10 }

/**
 * Uses cells of the configured size if all blocks fit, otherwise smaller ones; if even the smallest do not fit, only the last
 * blocks are shown.
 */
export function layOutCalendar(
  blocks: BlockGrid,
  { from, to }: { from: number; to: number },
  look: CalendarStyle['cell'],
  box: { width: number; height: number; labelHeight: number },
): CalendarLayout {
  const last = toPeriod(blocks.block, to)
  const all = last - toPeriod(blocks.block, from) + 1
  for (let size = look.size; ; size--) {
    const isLast = size <= minCellSize
    const gap = size === look.size ? look.gap : Math.min(look.gap, Math.floor(size / 4))
    const apart = Math.min(blockGap.most, Math.max(blockGap.least, size))
    const wide = blocks.columns * (size + gap) - gap + apart
    const high = box.labelHeight + blocks.rows * (size + gap) - gap + apart
    const perLine = Math.max(1, Math.floor((box.width + apart) / wide))
    const room = perLine * Math.max(1, Math.floor((box.height + apart) / high))
    const fits = all <= room && wide - apart <= box.width && high - apart <= box.height
    if (!fits && !isLast) continue
    const count = Math.min(all, room)
    return { size, gap, perLine, wide, high, first: last - count + 1, count, lines: Math.ceil(count / perLine) }
  }
}
