import type { Spec } from '../../define.ts'
import type { SpecSeries } from '../families/family.ts'
import type { Plot } from './plot.ts'
import type { RenderContext } from '../render-context.ts'
import { endLabelWidth } from './end-labels.ts'

/** Distances in pixels from the edges of the chart. */
export interface GridOption extends Record<string, unknown> {
  left: number
  right: number
  top: number
  bottom: number
}

/** Position of the plot: labels and axis names stay inside; lines leave space for their names at the right. */
export function gridOption(
  spec: Spec,
  all: readonly { series: SpecSeries; plot: Plot }[],
  isFlipped: boolean,
  around: RenderContext,
): GridOption {
  const series = all.map((each) => each.series)
  const end = all.reduce((last, { plot }) => Math.max(last, countToLastValue(plot)), 0)
  const named = all.filter((each) => each.series.endLabel)
  const names = named.reduce((most, { series: { name = '' }, plot }) => {
    const text = Math.min(endLabelWidth(around), name.length * 6 + 10)
    // the name of a line that ends before the others overlaps the plot area
    const over = end > 0 ? (1 - countToLastValue(plot) / end) * (around.width - beside) : 0
    return Math.max(most, text - over)
  }, 0)
  return {
    left: 8,
    right: 12 + names + (isFlipped && series.some(({ label }) => label) ? 36 : 0),
    top: 12,
    bottom: 8 + (Array.isArray(spec.dataZoom) ? 36 : 0),
    outerBoundsMode: 'same',
    outerBoundsContain: 'all',
    outerBoundsClampWidth: '40%',
  }
}

/** Approximate width of the labels of the other axis. */
const beside = 60

/** Number of positions along the axis that a line covers, up to its last number. */
const countToLastValue = ({ y }: Plot): number => y.findLastIndex((value) => value !== null) + 1
