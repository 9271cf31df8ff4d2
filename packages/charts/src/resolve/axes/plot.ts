import { cellAt, filterValueAt, numberAt, type Cell } from '@parquetry/frame'
import { findColumn } from '../../shared/column.ts'
import { formatter, formatValue } from '../../shared/formats/format.ts'
import type { SeriesPlacement, ReadContext, SpecSeries } from '../families/family.ts'
import { othersColor } from '../paint.ts'

/** One series on axes as numbers and labels: the source of its option, tooltip, keyboard walk, description and marks. */
export interface Plot {
  name: string
  /** As stored, for the light theme. */
  color: string
  key: Record<string, Cell>
  /** The dimension: times and numbers on their own axes, labels on a category axis. */
  x: (number | string | null)[]
  /** The values behind the labels of a category axis. */
  cells?: ReadonlyMap<number | string | null, Cell>
  y: (number | null)[]
  /** The frame that the plot was read from, if the series names it. */
  frame?: string
  /** Column that `x` was read from. */
  xColumn: string
  stack?: string
  /** Named format of the numbers, if it differs from that of the chart's tooltip. */
  format?: string
  /** Index of the measure axis, if there are several. */
  measure?: number
  /** Positions of the marks in the data, if they are drawn elsewhere. */
  origin?: readonly (number | null)[]
  /** Index of the last known position if its period is incomplete, so its value is not a full one. */
  unfinished?: number
  /** Expected range of computed numbers, such as a forecast. */
  range?: { low: (number | null)[]; high: (number | null)[] }
}

export type AxisType = 'time' | 'value' | 'log' | 'category'

/** Reads a series of a spec from its frame: one number per position along the axis. */
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
  const cells = new Map<number | string | null, Cell>()
  const y: Plot['y'] = []
  const label = formatter(axis.format ?? (xs.kind === 'time' ? 'smart_date' : 'PLAIN_NUMBER'), locale)
  for (let row = start; row < end; row++) {
    const value = numberAt(ys, row)
    y.push(value === null || zero === undefined ? value : (value - zero) / Math.abs(zero))
    if (axis.type !== 'category') {
      x.push(numberAt(xs, row))
      continue
    }
    const cell = filterValueAt(xs, row)
    const name =
      typeof cell === 'number'
        ? label(cell)
        : typeof cell === 'string' && xs.kind === 'bigint'
          ? label(cellAt(xs, row))
          : formatValue(cell)
    x.push(name)
    cells.set(name, cell)
  }
  const last = axis.unfinished === undefined ? -1 : x.lastIndexOf(axis.unfinished)
  const plot = {
    ...named,
    x,
    y,
    xColumn: along.column,
    ...(cells.size > 0 && { cells }),
    ...(last >= 0 && { unfinished: last }),
  }
  return along.drawnAt ? { ...plot, x: [...along.drawnAt], origin: x as number[] } : plot
}

/** Exact value of a position along the axis. */
export const positionValue = ({ x = [], cells, origin }: Partial<Plot>, index: number): Cell => {
  const place = (origin ?? x)[index] ?? null
  return cells?.get(place) ?? (cells?.has(place) ? null : place)
}

/** The plot as ECharts' `data`. */
export const toDataPairs = ({ x, y }: Plot, { axis, isFlipped }: SeriesPlacement) =>
  axis === 'category' ? y : y.map((value, i) => (isFlipped ? [value, x[i]] : [x[i], value]))

/** Clamps numbers near the limits of a double, for which ECharts finds no ticks. */
export const clampToAxis = (value: number | null): number | null =>
  value && Math.sign(value) * Math.min(1e300, Math.max(1e-300, Math.abs(value)))
