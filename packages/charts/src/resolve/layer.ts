import type { MarkFacts } from './marks.ts'
import type { TooltipContent } from './tooltip.ts'

/** A mark, identified by the series of the option and by its index in keyboard order. */
export interface MarkRef {
  series: number
  at: number
}

/** Arrow keys, Home and End. */
export type Move = 'next' | 'previous' | 'down' | 'up' | 'first' | 'last'

/** Identifies a mark of a series in ECharts' events and actions. */
export interface EChartsTarget {
  dataIndex: number
  /** Set for series types with two kinds of marks, such as `edge` of a graph. */
  dataType?: string
  /** Tooltip position of such a mark in coordinates of the series, because ECharts only finds marks of the first kind. */
  point?: readonly [x: number, y: number]
}

export interface LegendEntry {
  name: string
  /** As stored, for the light theme. */
  color: string
  /** Opacity of its marks; defaults to 1. */
  opacity?: number
}

/**
 * A part of a chart that manages its own marks: all series on the axes together, or one standalone series. Series are numbered
 * from 0 in each.
 */
export interface Layer {
  /** Series of the option without hidden ones. */
  series: Record<string, unknown>[]
  /** Option properties besides the series. */
  components: Record<string, unknown>
  /** Includes hidden entries. */
  legend: LegendEntry[]
  isEmpty: boolean
  describe(kind: string): string
  /** @param hovered series under the pointer; null if there is none, as the tooltip of an axis allows */
  tip(hovered: number | null, index: number): TooltipContent
  has(place: MarkRef): boolean
  facts(place: MarkRef): MarkFacts | null
  /** Part that a click opens; see `StandaloneFamily`. */
  opening?(place: MarkRef): string | null | undefined
  /** Leads from null to the first mark; returns null if there is no mark in that direction. */
  navigate(from: MarkRef | null, move: Move): MarkRef | null
  fromTarget(series: number, target: EChartsTarget): number
  toTarget(place: MarkRef): EChartsTarget
}
