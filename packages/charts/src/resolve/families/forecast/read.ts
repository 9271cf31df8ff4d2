import { numberAt } from '@parquetry/frame'
import { findColumn } from '../../../shared/column.ts'
import { readPlot, type Plot } from '../../axes/plot.ts'
import type { ReadContext, SpecSeries } from '../family.ts'

/** Its columns beside the forecast: what is known, and where the band ends. */
interface ForecastSeries extends SpecSeries {
  known: { column: string }
  range: Record<'low' | 'high', { column: string }>
  /** What is known is a line too: the forecast leaves from its end. */
  isLine?: boolean
  /** The last known row of all; in a stack they go on together. */
  end?: number
}

export interface ForecastPlot extends Plot {
  range: NonNullable<Plot['range']>
  isLine: boolean
  before: { at: number; value: number } | null
}

/** The places behind the last known value, and that of a period that is not over. */
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
  const last = values.findLastIndex((value, at) => isOver(at) && (end === undefined ? value !== null : at <= end))
  const after = (y: (number | null)[]) => y.map((value, at) => (at > last ? value : null))
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
