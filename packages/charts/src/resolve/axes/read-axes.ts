import type { Frame } from '@parquetry/frame'
import type { Spec } from '../../define.ts'
import type { ReadContext } from '../families/family.ts'
import { categoryFormat, type SpecAxis } from './axis-option.ts'
import type { AxisOrder } from './sort-plots.ts'

/** Input for reading series, including the axis that they run along. */
export interface AxesContext extends ReadContext {
  /** Order of the names along the axis. */
  order?: AxisOrder | undefined
  /** False for a chart without axes. */
  hasAxes: boolean
}

/** Reads the axes. The data runs along x, or along y if only y has names or times. */
export function readAxes(spec: Spec, frames: Record<string, Frame>, locale: string): AxesContext {
  const [x] = [spec.xAxis].flat() as (SpecAxis | undefined)[]
  const [y] = [spec.yAxis].flat() as (SpecAxis | undefined)[]
  const isDimension = (axis?: SpecAxis) => axis?.type === 'category' || axis?.type === 'time'
  const isFlipped = isDimension(y) && !isDimension(x)
  const along = isFlipped ? y : x
  const type = along?.type ?? 'value'
  const format = along && (type === 'category' ? categoryFormat(along) : along.format)
  return {
    frames,
    locale,
    axis: { type, format, unfinished: along?.unfinished },
    isFlipped,
    ...(type === 'category' && { order: along?.order }),
    hasAxes: along !== undefined,
  }
}
