import type { Spec } from '../../define.ts'
import type { SpecSeries } from '../families/family.ts'
import type { Surroundings } from '../surroundings.ts'
import { endLabelWidth } from './end-labels.ts'

/** In pixels from the edges of the picture. */
export interface GridOption extends Record<string, unknown> {
  left: number
  right: number
  top: number
  bottom: number
}

/** Where the plot stands: labels and axis names stay inside; lines leave room for their names at the right. */
export function gridOption(spec: Spec, series: SpecSeries[], isFlipped: boolean, around: Surroundings): GridOption {
  const names = series.some(({ endLabel }) => endLabel)
    ? Math.min(endLabelWidth, around.width * 0.25, Math.max(...series.map(({ name = '' }) => name.length * 6 + 10)))
    : 0
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
