import { numberAt } from '@parquetry/frame'
import { findColumn } from '../../../shared/column.ts'
import { finiteAt } from '../../../shared/items.ts'
import type { Move } from '../../layer.ts'
import { navigateList, type Items } from '../../items/items-family.ts'
import type { ReadContext, SpecSeries } from '../family.ts'
import { resolveBlockGrid, type BlockGrid, type CalendarUnit } from './units.ts'

export interface CalendarMeasure {
  column: string
  name: string
  format: string
  /** One value per time. */
  values: (number | null)[]
}

/** How the cells are drawn. */
export interface CalendarStyle {
  cell: { size: number; gap: number; radius: number }
  ramp: string
  steps: number
  hasTitles: boolean
  hasValues: boolean
  hasLegend: boolean
}

/** A calendar whose marks are numbered measure by measure, from the first time to the last. */
export interface Calendar extends Items {
  look: CalendarStyle
  blocks: BlockGrid
  /** Sorted. */
  times: number[]
  measures: CalendarMeasure[]
  /** The last time, if its period is incomplete. */
  unfinished: number | null
}

export function readCalendar(series: SpecSeries, { frames }: ReadContext): Calendar {
  const {
    frame: name,
    x,
    measures,
  } = series as unknown as Pick<SpecSeries, 'name'> & {
    frame: string
    x: { column: string }
    measures: Omit<CalendarMeasure, 'values'>[]
  }
  const { block, cell } = series.units as { block: CalendarUnit; cell: CalendarUnit }
  const frame = frames[name]
  const column = frame && findColumn(frame, x.column)
  const rows =
    frame && column?.kind === 'time'
      ? Array.from({ length: frame.rows }, (_, row) => ({ row, at: numberAt(column, row) }))
          .flatMap(({ row, at }) => (at === null ? [] : [{ row, at }]))
          .toSorted((a, b) => a.at - b.at)
      : []
  const all = measures.map((measure): CalendarMeasure => {
    const values = frame && findColumn(frame, measure.column)
    return { ...measure, values: rows.map(({ row }) => (values ? finiteAt(values, row) : null)) }
  })
  return {
    name: series.name ?? '',
    color: '',
    items: all.flatMap(({ name: of, values }) => values.map((value) => ({ name: of, value }))),
    look: series.look as CalendarStyle,
    blocks: resolveBlockGrid(block, cell),
    unfinished: (series.unfinished as number | undefined) ?? null,
    times: rows.map(({ at }) => at),
    measures: all,
  }
}

export const locateCalendarMark = ({ times }: Calendar, index: number): { measure: number; time: number } => ({
  measure: Math.floor(index / times.length),
  time: index % times.length,
})

/** Left and right move in time, up and down from measure to measure. */
export function navigateCalendar(calendar: Calendar, index: number | null, move: Move): number | null {
  const { times, measures } = calendar
  if (index === null) return navigateList(calendar.items.length && times.length, null, move)
  const { measure, time } = locateCalendarMark(calendar, index)
  if (move === 'up' || move === 'down') {
    const other = measure + (move === 'down' ? 1 : -1)
    return other < 0 || other >= measures.length ? null : other * times.length + time
  }
  const next = navigateList(times.length, time, move)
  return next === null ? null : measure * times.length + next
}
