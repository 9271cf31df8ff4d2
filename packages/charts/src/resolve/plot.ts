import { isNull, numberAt, textAt, type Cell, type Frame } from '@parquetry/frame'
import { columnNamed } from '../shared/column.ts'
import { formatter, nullText } from '../shared/formats/format.ts'

/** One series as numbers and labels: what option, tooltip, keyboard walk, description and marks are all made from. */
export interface Plot {
  name: string
  /** As stored, light. */
  color: string
  key: Record<string, Cell>
  /** The dimension: times and numbers on their own axes, labels on a category axis and for slices. */
  x: (number | string | null)[]
  y: (number | null)[]
  /** Per item, for charts whose marks are items (slices): their own colour and key. */
  items?: { color?: string; key?: Record<string, Cell> }[]
  /** Column that `x` was read from; undefined for slices. */
  xColumn?: string
  stack?: string
}

export interface SpecSeries extends Record<string, unknown> {
  type: string
  name?: string
  color?: string
  key?: Record<string, Cell>
  stack?: string
  points?: Points
  data?: SpecItem[]
}
export interface Points {
  /** Name of the frame; the first one when left out. */
  frame?: string
  x: { column: string }
  y: { column: string }
}
export interface SpecItem extends Record<string, unknown> {
  name: string
  value: number | null
  color?: string
  key?: Record<string, Cell>
}

export type AxisType = 'time' | 'value' | 'log' | 'category'

/**
 * Reads a series of a spec out of its frame. `isFlipped`: the dimension runs along y, as in horizontal bars.
 */
export function plotOf(
  series: SpecSeries,
  frames: Record<string, Frame>,
  axis: { type: AxisType; format?: string | undefined },
  isFlipped: boolean,
  locale: string,
): Plot {
  const { name = '', color = '#93908d', key = {}, stack, points, data = [] } = series
  const base = { name, color, key, ...(stack !== undefined && { stack }) }
  if (!points)
    return {
      ...base,
      x: data.map((item) => item.name),
      y: data.map(({ value }) => value),
      items: data.map((item) => ({ ...(item.color && { color: item.color }), ...(item.key && { key: item.key }) })),
    }
  const frame = frames[points.frame ?? (Object.keys(frames)[0] as string)]
  const [along, across] = isFlipped ? [points.y, points.x] : [points.x, points.y]
  const xs = frame && columnNamed(frame, along.column)
  const ys = frame && columnNamed(frame, across.column)
  if (!frame || !xs || !ys) return { ...base, x: [], y: [], xColumn: along.column }
  const x: Plot['x'] = []
  const y: Plot['y'] = []
  const label = formatter(axis.format ?? (xs.kind === 'time' ? 'smart_date' : 'FULL_NUMBER'), locale)
  for (let row = 0; row < frame.rows; row++) {
    y.push(numberAt(ys, row))
    if (axis.type !== 'category') x.push(numberAt(xs, row))
    else if (isNull(xs, row)) x.push(nullText)
    else x.push(xs.kind === 'string' || xs.kind === 'json' ? (textAt(xs, row) as string) : label(numberAt(xs, row)))
  }
  return { ...base, x, y, xColumn: along.column }
}
