import type { ChartTheme } from './theme.ts'
import type { Translate } from './text.ts'

/** What the host knows and a spec must not: nothing of it runs `spec` or a query again when it changes. */
export interface RenderContext {
  theme: ChartTheme
  locale: string
  timeZone: string
  translate: Translate
  /** Of the plot, in CSS pixels. */
  width: number
  height: number
  /** Series or slices that the legend has switched off. */
  hidden?: ReadonlySet<string>
  /** Id of the part that fills the picture, of kinds whose parts can be opened; null for the whole. */
  opened?: string | null
  /** Key of the mark that filters others; the other marks are faded. */
  selected?: Record<string, unknown> | null
  /** False under reduced motion and without a browser. */
  animate?: boolean
  /** Drawn once, where nothing points at it. */
  isStill?: boolean
}
