import type { SpecSeries } from '../families/family.ts'
import { toThemeColor } from '../paint.ts'
import type { RenderContext } from '../render-context.ts'
import type { Plot } from './plot.ts'

/** Common base of every series on axes: ECharts properties of the spec, name and drawn color. */
export function seriesBase(series: SpecSeries, plot: Plot, { theme }: RenderContext) {
  const {
    points: _,
    course: ________,
    key: __,
    data: ___,
    label: ____,
    format: _____,
    isAroundMiddle: ______,
    end: _______,
    ...own
  } = series
  return { ...own, name: plot.name, color: toThemeColor(plot.color, theme) }
}
