import type { Cell, Frame } from '@parquetry/frame'
import type { use } from 'echarts/core'
import type { BarSize } from '../axes/bar-size.ts'
import type { AxisType, Plot } from '../axes/plot.ts'
import type { StackPosition } from '../axes/stack-ends.ts'
import type { LegendEntry, Move, EChartsTarget } from '../layer.ts'
import type { MarkFacts } from '../marks.ts'
import type { RenderContext } from '../render-context.ts'
import type { SpecTooltip, TooltipContent } from '../tooltip.ts'

/**
 * A series as defined by a spec: `type` names the series type, a folder here; unknown properties are passed through to ECharts.
 */
export interface SpecSeries extends Record<string, unknown> {
  type: string
  /** Data that the series type fetches in addition to its code, such as a map. */
  needs?: string
  name?: string
  color?: string
  key?: Record<string, Cell>
  stack?: string
  /** Named format of its numbers, if the series of a chart have different units. */
  format?: string
  /** A stack of bands on both sides of a center line. */
  isAroundMiddle?: boolean
  /** Last known row of a series that a forecast continues. */
  end?: number
  /** Columns of a frame along and across the axes. */
  points?: Points
  /** Times and numbers of a series that is not a column of a response, instead of `points`. */
  course?: { at: readonly number[]; values: readonly (number | null)[] }
  /** Marks of a standalone series type. */
  data?: SpecItem[]
}
export interface Points {
  /** Name of the frame; defaults to the first one. */
  frame?: string
  x: PointsColumn
  y: PointsColumn
  /** Limits the points to these rows, excluding the second one. */
  rows?: readonly [from: number, to: number]
}
interface PointsColumn {
  column: string
  /** Draws the relative change of the numbers from this one. */
  base?: number
  /** Positions along the axis at which the rows are drawn, in their order, instead of their own. */
  drawnAt?: readonly number[]
}
export interface SpecItem extends Record<string, unknown> {
  name: string
  value: number | null
  color?: string
  /** Drawn size of a mark that combines several whose numbers do not add up, so that it has no value. */
  combinedSize?: number
  /** Values by dimension; a mark without a key does not filter. */
  key?: Record<string, Cell>
}

/** Input for reading a series. */
export interface ReadContext {
  frames: Record<string, Frame>
  locale: string
  /** The axis that the data runs along. */
  axis: { type: AxisType; format?: string | undefined; unfinished?: number | undefined }
  /** The data runs along the y axis, as in horizontal bars. */
  isFlipped: boolean
}

/** Context of a series among those that share its axes. */
export interface SeriesPlacement {
  axis: AxisType
  isFlipped: boolean
  ends: StackPosition[]
  /** Size of the bars among them. */
  bars: BarSize
  /** Index among the visible series. */
  rank: number
  /** Where bars begin on a logarithmic axis; null on other axes. */
  logStart: number | null
  /** Stacks begin with their last series. */
  isUpsideDown: boolean
  /** Its stack begins with it. */
  opensStack: boolean
}

/** A module for ECharts' `use`. */
export type EChartsExtension = Extract<Parameters<typeof use>[0], unknown[]>[number]

interface FamilyBase {
  /** Charts and components of ECharts that it is drawn with; axes, tooltip and legend are always loaded. */
  parts: readonly EChartsExtension[]
}

/**
 * A series type on the axes of its chart, where types can be mixed, such as bars and a line. Tooltip, arrow keys, legend and
 * description are shared by all series on the axes (`axes/`) and derived from the plots; a family defines only what is specific
 * to its marks.
 */
export interface AxesFamily<P extends Plot = Plot> extends FamilyBase {
  on: 'axes'
  read(series: SpecSeries, reading: ReadContext): P
  /** Returns the series of ECharts' option. */
  option(series: SpecSeries, plot: P, place: SeriesPlacement, around: RenderContext): Record<string, unknown>
  /** Returns additional series without marks, which pointer and arrow keys ignore. */
  beside?(series: SpecSeries, plot: P, place: SeriesPlacement, around: RenderContext): Record<string, unknown>[]
  /** Index of a mark in the `data` of the series, if it differs from its position. */
  toDataIndex?(plot: P, index: number): number
  /** Inverse of `toDataIndex`. */
  fromDataIndex?(plot: P, index: number): number
  /** Tooltip of one mark, if it shows more than one number; not called when an axis has the tooltip. */
  tip?(plot: P, index: number, tooltip: SpecTooltip, around: RenderContext): TooltipContent
  /** Facts of a mark that is more than a number at a position along the axis. */
  facts?(plot: P, index: number, axis: AxisType): MarkFacts | null
  /** Text alternative of a chart whose series are all of this type. */
  describe?(plots: readonly P[], options: { kind: string; tooltip: SpecTooltip }, around: RenderContext): string
  /** Note under such a chart about facts that are not visible; its parts need the `TitleComponent`. */
  note?(plots: readonly P[], around: RenderContext): string | null
}

/** A standalone series type with its own marks. `defineItemsFamily` provides all of this for marks that are a plain list. */
export interface StandaloneFamily<M = unknown> extends FamilyBase {
  on: 'own'
  read(series: SpecSeries, reading: ReadContext): M
  option(series: SpecSeries, marks: M, around: RenderContext): Record<string, unknown>
  /** Option properties besides its series: `radar`, `calendar`, `visualMap`. */
  components?(series: SpecSeries, marks: M, around: RenderContext): Record<string, unknown>
  /** Number of marks that arrow keys can reach. */
  size(marks: M): number
  isEmpty(marks: M): boolean
  legend(marks: M): LegendEntry[]
  /** Marks that remain when the legend hides these. */
  without(marks: M, hidden: ReadonlySet<string>): M
  /** Marks that remain when one part, given by its id, fills the chart. */
  opened?(marks: M, id: string): M
  /** The part that a click on a mark opens; null for the whole, undefined if nothing changes. */
  opening?(marks: M, index: number): string | null | undefined
  tip(marks: M, index: number, tooltip: SpecTooltip, around: RenderContext): TooltipContent
  facts(marks: M, index: number): MarkFacts | null
  /** Returns null if there is no mark in that direction; leads from null to the first mark. */
  navigate(marks: M, index: number | null, move: Move): number | null
  describe(marks: M, options: { kind: string; tooltip: SpecTooltip }, around: RenderContext): string
  /** Both are needed if ECharts numbers the marks differently; `atOf` is negative for anything that is not a mark. */
  fromTarget?(marks: M, target: EChartsTarget): number
  toTarget?(marks: M, index: number, series: SpecSeries, around: RenderContext): EChartsTarget
}

/** A position along the axis and the range that belongs to it, up to the next position. */
export interface AxisInterval {
  at: number
  from: number | null
  to: number
}

/** Context in which notes are drawn. */
export interface NotePlacement {
  axis: AxisType
  isFlipped: boolean
  /** First and last position of the data, hidden or not: the axis keeps this range when the legend hides everything else. */
  span: readonly [number, number] | null
}

/**
 * A series type that is drawn over the data on its axes and explains it. It has no marks, so pointer and arrow keys ignore it;
 * tooltip and screen reader include its text at each position of the data.
 */
export interface NoteFamily extends FamilyBase {
  on: 'notes'
  /** Returns the series of ECharts' option for all visible series of this type, which share the space for their texts. */
  option(all: readonly SpecSeries[], place: NotePlacement, around: RenderContext): Record<string, unknown>[]
  textsAt(series: SpecSeries, stretch: AxisInterval, axis: AxisType, write: (value: number) => string): string[]
  /** Positions that the axis must also label. */
  reach(series: SpecSeries, place: NotePlacement): readonly number[]
}

// oxlint-disable-next-line typescript/no-explicit-any -- a family of any marks; only itself reads them
export type Family = AxesFamily<any> | StandaloneFamily<any> | NoteFamily

/** Defines a series type on axes; default export of its `family.ts`. */
export const defineAxesFamily = <P extends Plot>(family: Omit<AxesFamily<P>, 'on'>): AxesFamily<P> => ({
  on: 'axes',
  ...family,
})

/** Defines a standalone series type whose marks are not a plain list; default export of its `family.ts`. */
export const defineStandaloneFamily = <M>(family: Omit<StandaloneFamily<M>, 'on'>): StandaloneFamily<M> => ({
  on: 'own',
  ...family,
})

/** Defines a series type that is drawn over the series on axes. */
export const defineNoteFamily = (family: Omit<NoteFamily, 'on'>): NoteFamily => ({ on: 'notes', ...family })
