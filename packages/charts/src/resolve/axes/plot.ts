import { isNull, numberAt, textAt, type Cell } from '@parquetry/frame'
import { findColumn } from '../../shared/column.ts'
import { formatter, nullText } from '../../shared/formats/format.ts'
import type { SeriesPlacement, ReadContext, SpecSeries } from '../families/family.ts'
import { othersColor } from '../paint.ts'

/** One series on axes as numbers and labels: what option, tooltip, keyboard walk, description and marks are all made from. */
export interface Plot {
  name: string
  /** As stored, light. */
  color: string
  key: Record<string, Cell>
  /** The dimension: times and numbers on their own axes, labels on a category axis. */
  x: (number | string | null)[]
  y: (number | null)[]
  /** The frame that it was read from, where the series names it. */
  frame?: string
  /** Column that `x` was read from. */
  xColumn: string
  stack?: string
  /** Named format of its numbers, where not that of the picture's tooltip. */
  format?: string
  /** Which axis measures it, where there are several. */
  measure?: number
  /** Where its marks stand in the data, where they are drawn at another place. */
  origin?: readonly (number | null)[]
  /** Index of the last known place, where its period is not over: what stands there is no whole. */
  unfinished?: number
  /** Of numbers that are no data but reckoned, as a forecast: between which they are meant to lie. */
  range?: { low: (number | null)[]; high: (number | null)[] }
}

export type AxisType = 'time' | 'value' | 'log' | 'category'

/** Reads a series of a spec out of its frame: one number at each place along the axis. */
export function readPlot(series: SpecSeries, { frames, axis, isFlipped, locale }: ReadContext): Plot {
  const { name = '', color = othersColor, key = {}, stack, points, course, format } = series
  const base = {
    name,
    color,
    key,
    ...(stack !== undefined && { stack }),
    ...(format !== undefined && { format }),
    ...(typeof series.yAxisIndex === 'number' && { measure: series.yAxisIndex }),
  }
  if (course) return { ...base, x: [...course.at], y: [...course.values], xColumn: '' }
  if (!points) throw new Error(`The series “${name}” on axes has no points.`)
  const named = points.frame === undefined ? base : { ...base, frame: points.frame }
  const frame = frames[points.frame ?? (Object.keys(frames)[0] as string)]
  const [along, across] = isFlipped ? [points.y, points.x] : [points.x, points.y]
  const xs = frame && findColumn(frame, along.column)
  const ys = frame && findColumn(frame, across.column)
  if (!frame || !xs || !ys) return { ...named, x: [], y: [], xColumn: along.column }
  const [start, end] = points.rows ?? [0, frame.rows]
  const { base: zero } = across
  const x: Plot['x'] = []
  const y: Plot['y'] = []
  const label = formatter(axis.format ?? (xs.kind === 'time' ? 'smart_date' : 'PLAIN_NUMBER'), locale)
  for (let row = start; row < end; row++) {
    const value = numberAt(ys, row)
    y.push(value === null || zero === undefined ? value : (value - zero) / Math.abs(zero))
    if (axis.type !== 'category') x.push(numberAt(xs, row))
    else if (isNull(xs, row)) x.push(nullText)
    else x.push(xs.kind === 'string' || xs.kind === 'json' ? (textAt(xs, row) as string) : label(numberAt(xs, row)))
  }
  const last = axis.unfinished === undefined ? -1 : x.lastIndexOf(axis.unfinished)
  const plot = { ...named, x, y, xColumn: along.column, ...(last >= 0 && { unfinished: last }) }
  return along.drawnAt ? { ...plot, x: [...along.drawnAt], origin: x as number[] } : plot
}

/** The plot as ECharts' `data`. */
export const toDataPairs = ({ x, y }: Plot, { axis, isFlipped }: SeriesPlacement) =>
  axis === 'category' ? y : y.map((value, i) => (isFlipped ? [value, x[i]] : [x[i], value]))

/** ECharts finds no ticks for numbers at the ends of what a double holds: there they stand a little inside. */
export const clampToAxis = (value: number | null): number | null =>
  value && Math.sign(value) * Math.min(1e300, Math.max(1e-300, Math.abs(value)))
