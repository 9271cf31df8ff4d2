import type { MarkFacts } from './marks.ts'
import type { TooltipContent } from './tooltip.ts'

/** A mark: which series of the option, and which of its marks, in the order in which the arrow keys walk them. */
export interface MarkRef {
  series: number
  at: number
}

/** Arrow keys, Home and End. */
export type Move = 'next' | 'previous' | 'down' | 'up' | 'first' | 'last'

/** How ECharts names a mark of a series in its events and takes it in its actions. */
export interface EChartsTarget {
  dataIndex: number
  /** Of kinds with two sorts of marks, as `edge` of a graph. */
  dataType?: string
  /** Where the tooltip of such a mark stands, as the series counts places: ECharts finds marks of the first sort alone. */
  point?: readonly [x: number, y: number]
}

export interface LegendEntry {
  name: string
  /** As stored, light. */
  color: string
  /** As its marks have it; 1. */
  opacity?: number
}

/**
 * A part of a picture that answers for its marks: everything that stands on the axes together, or one series that stands by
 * itself. Series are counted from 0 in each.
 */
export interface Layer {
  /** Series of the option, hidden ones left out. */
  series: Record<string, unknown>[]
  /** What the option needs beside them. */
  components: Record<string, unknown>
  /** Hidden ones included. */
  legend: LegendEntry[]
  isEmpty: boolean
  describe(kind: string): string
  /** @param hovered series under the pointer; null where none is, as the tooltip of an axis allows */
  tip(hovered: number | null, at: number): TooltipContent
  has(place: MarkRef): boolean
  facts(place: MarkRef): MarkFacts | null
  /** Which part of itself a click opens: see `OwnFamily`. */
  opening?(place: MarkRef): string | null | undefined
  /** From null to the first mark that the keyboard meets; null when nothing lies that way. */
  navigate(from: MarkRef | null, move: Move): MarkRef | null
  fromTarget(series: number, target: EChartsTarget): number
  toTarget(place: MarkRef): EChartsTarget
}
