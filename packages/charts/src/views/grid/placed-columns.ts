export interface PlacedColumn {
  /** In the frame, or among the columns drawn. */
  index: number
  /** From the beginning of the rows, the row number included. */
  start: number
  width: number
}

export interface PlacedColumns {
  /** Pinned first. */
  all: readonly PlacedColumn[]
  /** So many of them are pinned. */
  pinned: number
  /** Up to the last pinned column. */
  pinnedWidth: number
  width: number
}

/** Columns one behind the other, of which the first `pinned` stay in sight. */
export function placeColumns(
  columns: readonly { index: number; width: number }[],
  pinned: number,
  from: number,
): PlacedColumns {
  let start = from
  const all = columns.map(({ index, width }): PlacedColumn => {
    const placed = { index, start, width }
    start += width
    return placed
  })
  return { all, pinned, pinnedWidth: all[pinned]?.start ?? start, width: start }
}

/** First and last (not included) of the columns that scroll, to be drawn between two places. */
export function columnsBetween(
  { all, pinned }: PlacedColumns,
  left: number,
  right: number,
): [first: number, end: number] {
  let [low, high] = [pinned, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const { start, width } = all[middle]!
    if (start + width <= left) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < all.length && all[end]!.start < right) end += 1
  return [low, end]
}
