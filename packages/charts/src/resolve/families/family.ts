import type { Cell, Frame } from '@parquetry/frame'
import type { use } from 'echarts/core'
import type { BarSize } from '../axes/bar-size.ts'
import type { AxisType, Plot } from '../axes/plot.ts'
import type { StackPosition } from '../axes/stack-ends.ts'
import type { LegendEntry, Move, EChartsTarget } from '../layer.ts'
import type { MarkFacts } from '../marks.ts'
import type { RenderContext } from '../render-context.ts'
import type { SpecTooltip, TooltipContent } from '../tooltip.ts'

/** A series as a spec says it: `type` is the kind, a folder here; what is not ours is ECharts' and goes through as it is. */
export interface SpecSeries extends Record<string, unknown> {
  type: string
  /** What its kind fetches for it beside code, as a map. */
  needs?: string
  name?: string
  color?: string
  key?: Record<string, Cell>
  stack?: string
  /** Named format of its numbers, where series of one picture are not measured alike. */
  format?: string
  /** A stack of bands on both sides of a middle line. */
  isAroundMiddle?: boolean
  /** Of what goes on as a forecast, the last row that is known. */
  end?: number
  /** Columns of a frame along and across the axes. */
  points?: Points
  /** Times and numbers of a series that is no column of an answer, in place of `points`. */
  course?: { at: readonly number[]; values: readonly (number | null)[] }
  /** Marks of a kind that stands by itself. */
  data?: SpecItem[]
}
export interface Points {
  /** Name of the frame; the first one when left out. */
  frame?: string
  x: PointsColumn
  y: PointsColumn
  /** Of these rows alone, the second one not included. */
  rows?: readonly [from: number, to: number]
}
interface PointsColumn {
  column: string
  /** Of numbers: drawn is the change from this one, as a part of it. */
  base?: number
  /** Along the axis: where the rows are drawn, in their order, instead of where they stand. */
  drawnAt?: readonly number[]
}
export interface SpecItem extends Record<string, unknown> {
  name: string
  value: number | null
  color?: string
  /** Of a mark that stands for several, whose numbers do not add up and give it none: how large it is drawn. */
  together?: number
  /** Dimension -> value; without it the mark filters nothing. */
  key?: Record<string, Cell>
}

/** What a series is read with. */
export interface ReadContext {
  frames: Record<string, Frame>
  locale: string
  /** The axis that the data runs along. */
  axis: { type: AxisType; format?: string | undefined; unfinished?: number | undefined }
  /** It is the y axis, as in horizontal bars. */
  isFlipped: boolean
}

/** Where a series stands among those that share its axes. */
export interface SeriesPlacement {
  axis: AxisType
  isFlipped: boolean
  ends: StackPosition[]
  /** Of the bars among them. */
  bars: BarSize
  /** Which of the series that are shown it is. */
  rank: number
}

/** What ECharts is told to `use`. */
export type EChartsExtension = Extract<Parameters<typeof use>[0], unknown[]>[number]

interface FamilyBase {
  /** Charts and components of ECharts that it is drawn with; axes, tooltip and legend are always there. */
  parts: readonly EChartsExtension[]
}

/**
 * A kind of series on the axes of its picture, where kinds mix: bars and a line. Tooltip, arrow keys, legend and description are
 * those of all that stand there (`axes/`), made from the plots; a family says what of it is its own.
 */
export interface AxesFamily<P extends Plot = Plot> extends FamilyBase {
  on: 'axes'
  read(series: SpecSeries, reading: ReadContext): P
  /** The series of ECharts' option. */
  option(series: SpecSeries, plot: P, place: SeriesPlacement, around: RenderContext): Record<string, unknown>
  /** Series that belong to it and have no marks of their own: neither pointer nor arrow keys meet them. */
  beside?(series: SpecSeries, plot: P, place: SeriesPlacement, around: RenderContext): Record<string, unknown>[]
  /** Where a mark stands in the `data` of the series, when not at its own place. */
  toDataIndex?(plot: P, at: number): number
  /** The other way round. */
  fromDataIndex?(plot: P, index: number): number
  /** Of one mark, where it has more to say than one number; not asked where an axis has the tooltip. */
  tip?(plot: P, at: number, tooltip: SpecTooltip, around: RenderContext): TooltipContent
  /** Where a mark is more than a number at a place along the axis. */
  facts?(plot: P, at: number, axis: AxisType): MarkFacts | null
  /** The sentence for the picture, where all that stands on its axes is of this kind. */
  describe?(plots: readonly P[], said: { kind: string; tooltip: SpecTooltip }, around: RenderContext): string
  /** What a reader of that picture must know and cannot see, under it; its parts need the `TitleComponent`. */
  note?(plots: readonly P[], around: RenderContext): string | null
}

/** A kind of series that stands by itself, with what its marks are. `ofItems` has all of this for marks that are a plain list. */
export interface StandaloneFamily<M = unknown> extends FamilyBase {
  on: 'own'
  read(series: SpecSeries, reading: ReadContext): M
  option(series: SpecSeries, marks: M, around: RenderContext): Record<string, unknown>
  /** Words of the option beside its series: `radar`, `calendar`, `visualMap`. */
  components?(series: SpecSeries, marks: M, around: RenderContext): Record<string, unknown>
  /** How many marks the arrow keys reach. */
  size(marks: M): number
  isEmpty(marks: M): boolean
  legend(marks: M): LegendEntry[]
  /** What is left when the legend has switched these off. */
  without(marks: M, hidden: ReadonlySet<string>): M
  /** What is left when one part, by its id, fills the picture. */
  opened?(marks: M, id: string): M
  /** Which part a click on a mark opens; null for the whole, undefined where nothing changes. */
  opening?(marks: M, at: number): string | null | undefined
  tip(marks: M, at: number, tooltip: SpecTooltip, around: RenderContext): TooltipContent
  facts(marks: M, at: number): MarkFacts | null
  /** Null where nothing lies that way; from null to the first mark. */
  navigate(marks: M, at: number | null, move: Move): number | null
  describe(marks: M, said: { kind: string; tooltip: SpecTooltip }, around: RenderContext): string
  /** Both where ECharts counts the marks in another way: `atOf` is negative for what is no mark. */
  fromTarget?(marks: M, target: EChartsTarget): number
  toTarget?(marks: M, at: number, series: SpecSeries, around: RenderContext): EChartsTarget
}

/** A place along the axis, and the part of it that belongs to the place: up to the next one. */
export interface AxisInterval {
  at: number
  from: number | null
  to: number
}

/** Where notes stand. */
export interface NotePlacement {
  axis: AxisType
  isFlipped: boolean
  /** First and last place of the data, hidden or not: the axis reaches as far when the legend leaves nothing else. */
  span: readonly [number, number] | null
}

/**
 * A kind of series that is laid over the data on its axes and explains it. It has no marks: neither pointer nor arrow keys meet
 * it, and tooltip and screen reader say at each place of the data what it says there.
 */
export interface NoteFamily extends FamilyBase {
  on: 'notes'
  /** The series of ECharts' option, of all series of this kind that are shown: they share the room for their words. */
  option(all: readonly SpecSeries[], place: NotePlacement, around: RenderContext): Record<string, unknown>[]
  textsAt(series: SpecSeries, stretch: AxisInterval, axis: AxisType, write: (value: number) => string): string[]
  /** Places that the axis must have labels for as well. */
  reach(series: SpecSeries, place: NotePlacement): readonly number[]
}

// oxlint-disable-next-line typescript/no-explicit-any -- a family of any marks; only itself reads them
export type Family = AxesFamily<any> | StandaloneFamily<any> | NoteFamily

/** Says a kind of series that stands on axes; default export of its `family.ts`. */
export const defineAxesFamily = <P extends Plot>(family: Omit<AxesFamily<P>, 'on'>): AxesFamily<P> => ({
  on: 'axes',
  ...family,
})

/** Says a kind of series that stands by itself and whose marks are no plain list; default export of its `family.ts`. */
export const defineStandaloneFamily = <M>(family: Omit<StandaloneFamily<M>, 'on'>): StandaloneFamily<M> => ({
  on: 'own',
  ...family,
})

/** Says a kind of series that is laid over what stands on axes. */
export const defineNoteFamily = (family: Omit<NoteFamily, 'on'>): NoteFamily => ({ on: 'notes', ...family })
