import type { CalendarStyle } from './marks.ts'
import { toPeriod, type BlockGrid } from './units.ts'

/** Where the blocks of one measure stand. */
export interface CalendarLayout {
  /** Of a cell; the look's own where all blocks have room. */
  size: number
  gap: number
  /** Blocks in a line. */
  perLine: number
  /** From one block to the next, and from one line to the next. */
  wide: number
  high: number
  /** The first block that has room, and how many have. */
  first: number
  count: number
  lines: number
}

/** Smaller cells cannot be met by a pointer. */
const smallest = 4
/** From block to block: as a cell, within bounds. */
const between = { least: 5, most: 10 }

/** Cells as large as asked where all blocks have room, else smaller; where that is not enough, the last blocks have it. */
export function layOutCalendar(
  blocks: BlockGrid,
  { from, to }: { from: number; to: number },
  look: CalendarStyle['cell'],
  box: { width: number; height: number; labelHeight: number },
): CalendarLayout {
  const last = toPeriod(blocks.block, to)
  const all = last - toPeriod(blocks.block, from) + 1
  for (let size = look.size; ; size--) {
    const isLast = size <= smallest
    const gap = size === look.size ? look.gap : Math.min(look.gap, Math.floor(size / 4))
    const apart = Math.min(between.most, Math.max(between.least, size))
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
