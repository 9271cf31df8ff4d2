import type { ChartTheme } from './theme.ts'
import type { Translate } from './text.ts'

/** Context that is known to the host but not to specs: changing it reruns neither `spec` nor a query. */
export interface RenderContext {
  theme: ChartTheme
  locale: string
  timeZone: string
  translate: Translate
  /** Size of the plot in CSS pixels. */
  width: number
  height: number
  /** Series or slices hidden in the legend. */
  hidden?: ReadonlySet<string>
  /** Id of the part that fills the chart, for types whose parts can be opened; null for the whole. */
  opened?: string | null
  /** Key of the mark that filters others; the other marks are faded. */
  selected?: Record<string, unknown> | null
  /** False with reduced motion and without a browser. */
  animate?: boolean
  /** The chart is drawn once and has no pointer interaction. */
  isStill?: boolean
  /** Rows of a table to draw, where it continues over several pages. */
  tableRows?: TableRows | undefined
  /** All rows of a table follow elsewhere in the same file, which the sentence about omitted rows says. */
  hasFullTable?: boolean
}

/** Rows `from` to before `to`; its totals follow the last ones. */
export interface TableRows {
  from: number
  to: number
  isLast: boolean
}
