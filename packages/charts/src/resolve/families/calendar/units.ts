/** Units of a calendar: blocks and the cells they are divided into. */
export type CalendarUnit = 'min' | 'hour' | 'day' | 'week' | 'month' | 'year'

const minute = 60_000
const day = 1440 * minute
const even: Partial<Record<CalendarUnit, number>> = { min: minute, hour: 60 * minute, day }
/** Weeks begin on Monday; the epoch, January 1, 1970, was a Thursday. */
const firstMonday = -3 * day

/** Index of the period that contains a time. */
export function toPeriod(unit: CalendarUnit, index: number): number {
  const length = even[unit]
  if (length) return Math.floor(index / length)
  if (unit === 'week') return Math.floor((index - firstMonday) / (7 * day))
  const date = new Date(index)
  return unit === 'year' ? date.getUTCFullYear() : date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function periodStart(unit: CalendarUnit, period: number): number {
  const length = even[unit]
  if (length) return period * length
  if (unit === 'week') return firstMonday + period * 7 * day
  const month = unit === 'year' ? period * 12 : period
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month - 12 * Math.floor(month / 12), 1)
}

/** Rows and maximum columns of the cells in a block, by unit of the cell and of the block. Days are arranged by weekday. */
const grids: Partial<Record<CalendarUnit, Partial<Record<CalendarUnit, readonly [rows: number, columns: number]>>>> = {
  min: { hour: [10, 6], day: [60, 24], week: [60, 168], month: [60, 744], year: [60, 8784] },
  hour: { day: [6, 4], week: [24, 7], month: [24, 31], year: [24, 366] },
  day: { week: [7, 1], month: [7, 6], year: [7, 54] },
  week: { month: [1, 5], year: [1, 53] },
  month: { year: [1, 12] },
}

/** Arrangement of the cells in a block. */
export interface BlockGrid {
  block: CalendarUnit
  cell: CalendarUnit
  rows: number
  columns: number
}

/** Arranges cells in blocks. If the block is not larger than its cells, the next larger unit is used. */
export function resolveBlockGrid(block: CalendarUnit, cell: CalendarUnit): BlockGrid {
  const known = Object.entries(grids[cell] ?? {}) as [CalendarUnit, readonly [number, number]][]
  const [unit, [rows, columns]] = known.find(([each]) => each === block) ?? known[0] ?? ['year', [1, 12]]
  return { block: unit, cell, rows, columns }
}

/**
 * Position within its block of the cell that contains a time. Weeks count from the start of the block, whatever weekday it begins
 * on.
 */
export function locateCell({ block, cell, rows }: BlockGrid, index: number): { row: number; column: number } {
  const start = periodStart(block, toPeriod(block, index))
  const count =
    cell === 'week' ? Math.floor((index - start) / (7 * day)) : toPeriod(cell, index) - toPeriod(cell, start)
  const turn =
    count +
    (cell === 'day' ? toPeriod('day', start) - toPeriod('day', periodStart('week', toPeriod('week', start))) : 0)
  return { row: turn % rows, column: Math.floor(turn / rows) }
}

/** Start times of all cells of a block. */
export function listCells({ block, cell }: BlockGrid, period: number): number[] {
  const [start, end] = [periodStart(block, period), periodStart(block, period + 1)]
  const from = toPeriod(cell, start)
  const at = (count: number) => (cell === 'week' ? start + count * 7 * day : periodStart(cell, from + count))
  const cells: number[] = []
  for (let count = 0; at(count) < end; count++) cells.push(at(count))
  return cells
}
