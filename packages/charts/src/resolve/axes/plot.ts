import { isNull, numberAt, textAt, type Cell } from '@parquetry/frame'
import { columnNamed } from '../../shared/column.ts'
import { formatter, nullText } from '../../shared/formats/format.ts'
import type { AxesPlace, Reading, SpecSeries } from '../families/family.ts'
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
  /** Column that `x` was read from. */
  xColumn: string
  stack?: string
  /** Index of the last known place, where its period is not over: what stands there is no whole. */
  unfinished?: number
  /** Of numbers that are no data but reckoned, as a forecast: between which they are meant to lie. */
  range?: { low: (number | null)[]; high: (number | null)[] }
}

export type AxisType = 'time' | 'value' | 'log' | 'category'

/** Reads a series of a spec out of its frame: one number at each place along the axis. */
export function plotOf(series: SpecSeries, { frames, axis, isFlipped, locale }: Reading): Plot {
  const { name = '', color = othersColor, key = {}, stack, points } = series
  const base = { name, color, key, ...(stack !== undefined && { stack }) }
  if (!points) throw new Error(`The series “${name}” on axes says no points.`)
  const frame = frames[points.frame ?? (Object.keys(frames)[0] as string)]
  const [along, across] = isFlipped ? [points.y, points.x] : [points.x, points.y]
  const xs = frame && columnNamed(frame, along.column)
  const ys = frame && columnNamed(frame, across.column)
  if (!frame || !xs || !ys) return { ...base, x: [], y: [], xColumn: along.column }
  const x: Plot['x'] = []
  const y: Plot['y'] = []
  const label = formatter(axis.format ?? (xs.kind === 'time' ? 'smart_date' : 'PLAIN_NUMBER'), locale)
  for (let row = 0; row < frame.rows; row++) {
    y.push(numberAt(ys, row))
    if (axis.type !== 'category') x.push(numberAt(xs, row))
    else if (isNull(xs, row)) x.push(nullText)
    else x.push(xs.kind === 'string' || xs.kind === 'json' ? (textAt(xs, row) as string) : label(numberAt(xs, row)))
  }
  const unfinished = axis.unfinished === undefined ? -1 : x.lastIndexOf(axis.unfinished)
  return { ...base, x, y, xColumn: along.column, ...(unfinished >= 0 && { unfinished }) }
}

/** The plot as ECharts' `data`. */
export const pairs = ({ x, y }: Plot, { axis, isFlipped }: AxesPlace) =>
  axis === 'category' ? y : y.map((value, i) => (isFlipped ? [value, x[i]] : [x[i], value]))
