import { numberAt } from '@parquetry/frame'
import { findColumn } from '../../../shared/column.ts'
import { readPlot, type Plot } from '../../axes/plot.ts'
import type { ReadContext, SpecSeries } from '../family.ts'

/** Columns besides the forecast: the known values and the limits of the band. */
interface ForecastSeries extends SpecSeries {
  known: { column: string }
  range: Record<'low' | 'high', { column: string }>
  /** The known values are a line too; the forecast starts at its end. */
  isLine?: boolean
  /** Last known row of all series; in a stack all forecasts start together. */
  end?: number
}

export interface ForecastPlot extends Plot {
  range: NonNullable<Plot['range']>
  isLine: boolean
  before: { at: number; value: number } | null
}

/** Reads the positions after the last known value, including that of an incomplete period. */
export function readForecast(given: SpecSeries, reading: ReadContext): ForecastPlot {
  const { known, range, isLine = false, end, points } = given as ForecastSeries
  const plot = readPlot(given, reading)
  const frame = reading.frames[points?.frame ?? (Object.keys(reading.frames)[0] as string)]
  const numbers = (column: string): (number | null)[] => {
    const found = frame && findColumn(frame, column)
    return plot.y.map((_, row) => (found ? numberAt(found, row) : null))
  }
  const values = numbers(known.column)
  const isOver = (at: number) => plot.x[at] !== reading.axis.unfinished
  const last = values.findLastIndex(
    (value, index) => isOver(index) && (end === undefined ? value !== null : index <= end),
  )
  const after = (y: (number | null)[]) => y.map((value, index) => (index > last ? value : null))
  const value = values[last] ?? null
  const { unfinished: _, ...own } = plot
  return {
    ...own,
    y: after(plot.y),
    range: { low: after(numbers(range.low.column)), high: after(numbers(range.high.column)) },
    isLine,
    before: isLine && value !== null ? { at: last, value } : null,
  }
}
