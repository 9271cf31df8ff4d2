import { shade } from '../../items/ramp-legend.ts'
import type { Items } from '../../items/items-family.ts'
import { toThemeColor } from '../../paint.ts'
import { readShapes, type ShapeAxis, type ShapeItem } from '../../shapes/marks.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { buildAxisScale } from './scales.ts'

export interface ParallelLine extends ShapeItem {
  color: string
  axes: ScaledAxis[]
  /** The number that determines the color; `part` is its position between the lowest and the highest, 0 to 1. */
  second?: number | null
  part: number | null
  secondOf?: ColorMetric
}

export interface ScaledAxis extends ShapeAxis {
  ticks: number[]
}

/** The metric that determines the color of the lines. */
export interface ColorMetric {
  name: string
  format: string
  ramp: string
}

/** Approximate number of steps on an axis. */
const steps = 4

/** Reads the lines. Each axis extends slightly beyond its lowest and highest number. */
export function readParallelLines(series: SpecSeries): Items<ParallelLine> {
  const given = (series.data ?? []) as unknown as Pick<ParallelLine, 'values' | 'second'>[]
  const axes = ((series.axes ?? []) as ShapeAxis[]).map((axis, index) => ({
    ...axis,
    ...buildAxisScale(
      given.flatMap(({ values }) => values[index] ?? []),
      steps,
    ),
  }))
  const marks = readShapes({ ...series, axes }) as Items<ParallelLine>
  const [low, high] = findColorRange(marks.items)
  const partOf = (value: number) => (high > low ? value / (high - low) - low / (high - low) : 1)
  const items = marks.items.map((line) => ({
    ...line,
    color: line.color ?? marks.color,
    part: typeof line.second === 'number' ? partOf(line.second) : null,
    ...(series.second !== undefined && { secondOf: series.second as ColorMetric }),
  }))
  return { ...marks, items }
}

export const findColorRange = (lines: readonly Pick<ParallelLine, 'second'>[]): [low: number, high: number] => {
  const numbers = lines.flatMap(({ second }) => second ?? [])
  return [
    numbers.reduce((least, each) => Math.min(least, each), Infinity),
    numbers.reduce((most, each) => Math.max(most, each), -Infinity),
  ]
}

/**
 * Color at a position between the lowest and the highest number; the lightest colors are skipped because thin lines would hardly
 * be visible.
 */
export const lineShade = (ramp: string, part: number, theme: 'light' | 'dark'): string =>
  shade(ramp, 0.25 + 0.75 * part, theme)

/** Color by the color metric if there is one; gray for a line without a value. */
export const lineColor = ({ color, part, secondOf: second }: ParallelLine, { theme }: RenderContext): string =>
  !second ? toThemeColor(color, theme) : part === null ? theme.axis : lineShade(second.ramp, part, theme.name)
