export interface PlacedColumn {
  /** Index in the frame, or among the drawn columns. */
  index: number
  /** Offset from the start of the rows, including the row number. */
  start: number
  width: number
}

export interface PlacedColumns {
  /** Pinned columns come first. */
  all: readonly PlacedColumn[]
  /** Number of pinned columns. */
  pinned: number
  /** Width up to the end of the last pinned column. */
  pinnedWidth: number
  width: number
}

/** Places columns one after another, with the first `pinned` ones pinned. */
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

/** First and last (exclusive) of the scrolling columns to be drawn between two offsets. */
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
