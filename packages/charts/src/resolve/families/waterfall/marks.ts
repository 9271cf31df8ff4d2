import type { SpecSeries } from '../family.ts'

export type WaterfallChange = 'increase' | 'decrease' | 'total'

/** Spec of a waterfall chart. */
export interface WaterfallSeries {
  /** Name of the measure. */
  name: string
  names: Record<WaterfallChange, string>
  colors: Record<WaterfallChange, string>
  format: string
  /** True if sums of the numbers are valid numbers of the measure; defaults to true. */
  adds?: boolean
  label?: { show: boolean }
  titles: { x: string; y: string }
  ticks: 'auto' | 'flat' | '45°' | '90°' | 'staggered'
  data: Omit<WaterfallBar, 'place'>[]
}

export interface WaterfallBar {
  /** Label on the axis. */
  name: string
  title: string
  change: WaterfallChange
  /** Null if unknown; the running total does not change. */
  value: number | null
  from: number
  to: number
  /** Position along the axis, from 0. */
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
