import type { SpecSeries } from '../family.ts'

export type WaterfallChange = 'increase' | 'decrease' | 'total'

/** What the spec of a waterfall says. */
export interface WaterfallSeries {
  /** The measure. */
  name: string
  names: Record<WaterfallChange, string>
  colors: Record<WaterfallChange, string>
  format: string
  /** Whether sums of the numbers are numbers of the measure; true. */
  adds?: boolean
  label?: { show: boolean }
  titles: { x: string; y: string }
  ticks: 'auto' | 'flat' | '45°' | '90°' | 'staggered'
  data: Omit<WaterfallBar, 'place'>[]
}

export interface WaterfallBar {
  /** On the axis. */
  name: string
  title: string
  change: WaterfallChange
  /** Null where nothing is known: the total stays. */
  value: number | null
  from: number
  to: number
  /** Along the axis, from 0. */
  place: number
}

export interface WaterfallMarks extends Pick<WaterfallSeries, 'names' | 'colors' | 'format'> {
  measure: string
  adds: boolean
  bars: WaterfallBar[]
}

export function readWaterfall(given: SpecSeries): WaterfallMarks {
  const { name, names, colors, format, adds = true, data } = given as unknown as WaterfallSeries
  return { measure: name, names, colors, format, adds, bars: data.map((bar, place) => ({ ...bar, place })) }
}
