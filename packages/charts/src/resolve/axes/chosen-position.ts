import { toPlainCell } from '../marks.ts'
import { fadedOpacity, isFaded } from '../paint.ts'
import type { RenderContext } from '../render-context.ts'
import { positionValue, type Plot } from './plot.ts'

/** True if marks at some positions of this plot's axis filter others. */
export const hasChosenPositions = (plot: Plot, selected: RenderContext['selected']): boolean =>
  selected?.[plot.xColumn] !== undefined

/** True if marks filter others, and this position of the axis is not among them. */
export function isAtOtherPosition(plot: Plot, index: number, selected: RenderContext['selected']): boolean {
  const chosen = selected?.[plot.xColumn]
  return chosen !== undefined && ![chosen].flat().includes(toPlainCell(positionValue(plot, index)))
}

/** Opacity of a series that is drawn as a whole: faded if another one filters, or if single positions do. */
export const seriesOpacity = (plot: Plot, selected: RenderContext['selected']): number | undefined =>
  isFaded(plot.key, selected) || hasChosenPositions(plot, selected) ? fadedOpacity : undefined
