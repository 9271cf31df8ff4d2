import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { OffsetJoin } from '@parquetry/model/plan'
import { addMonths, toCivilDate, dayMs, toDayNumber, weekdayOf } from './calendar.ts'
import { isNull, textAt } from './cells.ts'
import type { Column, Frame } from './frame.ts'
import { admitOffsets } from './post-processing/bounds.ts'
import { Budget } from './post-processing/budget.ts'
import { take } from './take.ts'

/** Result of a time offset and how it is joined to the main result. */
export interface OffsetResult {
  frame: Frame
  join: OffsetJoin
}

/**
 * Joins the results of time offsets to the query's own rows: every metric of an offset becomes a column `<metric>__<offset>`, in
 * the order of the offsets. Rows match by the values of `on`, with null as an ordinary value and times compared after the shift
 * or by the period that contains them; the first of several matches is used. Rows that only exist in an offset are dropped.
 * Without `on`, rows are joined by position, and rows missing on one side are null.
 * @throws AppError `unknown_column` when a frame lacks a column that the join names, `result_too_large`; TooMuchWork
 */
export function joinOffsets(base: Frame, offsets: readonly OffsetResult[], budget: Budget = new Budget()): Frame {
  admitOffsets(base, offsets, budget)
  return offsets.reduce(
    (joined, offset) => (offset.join.on.length ? leftJoin(joined, offset) : sideBySide(joined, offset)),
    base,
  )
}

function leftJoin(base: Frame, { frame, join }: OffsetResult): Frame {
  const firstDay = join.period === 'week' && join.time !== null ? weekdayIn(columnNamed(base, join.time), base.rows) : 0
  const rowOf = new Map<string, number>()
  const theirs = createRowKey(frame, join, join.shift, firstDay)
  for (let row = frame.rows - 1; row >= 0; row--) rowOf.set(theirs(row), row)
  const ours = createRowKey(base, join, {}, firstDay)
  const order = Int32Array.from({ length: base.rows }, (_, row) => rowOf.get(ours(row)) ?? -1)
  return { rows: base.rows, columns: [...base.columns, ...buildOffsetColumns(frame, join, order)] }
}

function sideBySide(base: Frame, { frame, join }: OffsetResult): Frame {
  const rows = Math.max(base.rows, frame.rows)
  const rowIndexes = (count: number): Int32Array =>
    Int32Array.from({ length: rows }, (_, row) => (row < count ? row : -1))
  const own = base.rows === rows ? base.columns : base.columns.map((column) => take(column, rowIndexes(base.rows)))
  return { rows, columns: [...own, ...buildOffsetColumns(frame, join, rowIndexes(frame.rows))] }
}

const buildOffsetColumns = (frame: Frame, { metrics, offset }: OffsetJoin, order: Int32Array): Column[] =>
  metrics.map((metric) => ({ ...take(columnNamed(frame, metric), order), name: `${metric}__${offset}` }))

/** Key of each row as text. */
function createRowKey(
  frame: Frame,
  join: OffsetJoin,
  shift: OffsetJoin['shift'],
  firstDay: number,
): (row: number) => string {
  const parts = join.on.map((name) => {
    const column = columnNamed(frame, name)
    if (name !== join.time || column.kind !== 'time') return (row: number) => textAt(column, row)
    return (row: number) =>
      isNull(column, row) ? null : timeKey(shifted(column.data[row]!, shift), join.period, firstDay)
  })
  return (row) => JSON.stringify(parts.map((part) => part(row)))
}

function timeKey(ms: number, period: OffsetJoin['period'], firstDay: number): string {
  // Sums of the same parts may differ by less than a microsecond.
  if (period === null) return String(Math.round(ms * 1000))
  const day = Math.floor(ms / dayMs)
  const [year, month] = toCivilDate(day)
  if (period === 'year') return String(year)
  if (period === 'quarter') return `${year}-Q${Math.ceil(month / 3)}`
  if (period === 'month') return `${year}-${month}`
  const dayOfYear = day - toDayNumber(year, 1, 1)
  return `${year}-W${Math.floor((dayOfYear + 7 - ((weekdayOf(day) - firstDay + 7) % 7)) / 7)}`
}

/** Shifts years and months by the calendar, the rest by their length. */
function shifted(ms: number, shift: OffsetJoin['shift']): number {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = shift
  const byMonths = years || months ? addMonths(ms, years * 12 + months) : ms
  return byMonths + (weeks * 7 + days) * dayMs + hours * 3_600_000 + minutes * 60_000 + seconds * 1000
}

/** Weekday that labels the weeks of a column. Weeks are counted from it, so that they match after a shift by a year. */
function weekdayIn(column: Column, rows: number): number {
  if (column.kind !== 'time') return 0
  const days = new Set<number>()
  for (let row = 0; row < rows; row++)
    if (!isNull(column, row)) days.add(weekdayOf(Math.floor(column.data[row]! / dayMs)))
  return days.size === 1 ? [...days][0]! : 0
}

function columnNamed({ columns }: Frame, name: string): Column {
  const column = columns.find((one) => one.name === name)
  if (!column)
    throw new AppError('unknown_column', {
      message: message('errors.frame.noOffsetColumn', 'The result of a time comparison has no column `{name}`.', {
        name,
      }),
    })
  return column
}
