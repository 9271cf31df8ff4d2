import type { Spec } from '../../define.ts'
import type { SpecSeries } from '../families/family.ts'
import type { Plot } from './plot.ts'
import type { RenderContext } from '../render-context.ts'
import { endLabelWidth } from './end-labels.ts'

/** In pixels from the edges of the picture. */
export interface GridOption extends Record<string, unknown> {
  left: number
  right: number
  top: number
  bottom: number
}

/** Where the plot stands: labels and axis names stay inside; lines leave room for their names at the right. */
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
    const text = Math.min(endLabelWidth, around.width * 0.25, name.length * 6 + 10)
    // that of a line which ends before others stands over the plot
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

/** About what the labels of the other axis take. */
const beside = 60

/** How many places along the axis a line has, up to its last number. */
const countToLastValue = ({ y }: Plot): number => y.findLastIndex((value) => value !== null) + 1
