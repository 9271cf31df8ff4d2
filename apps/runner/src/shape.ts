import { concat, type Frame, joinOffsets, postProcess } from '@parquetry/frame'
import type { Plan, RunHeader } from '@parquetry/model'

/** The rows of an answer and what shaping them told. */
export interface Shaped extends Pick<RunHeader, 'labelMap' | 'indexNames' | 'stepError'> {
  /** At least one; all with the same columns. */
  frames: Frame[]
}

/**
 * Joins the time offsets and carries out the steps of a plan, for which the whole result must be there; what needs neither
 * stays in the frames in which it came.
 * @param results frames of the first statement, then of one for each join
 */
export function shape([frames = [], ...offsets]: Frame[][], { joins, steps, limits }: Plan): Shaped {
  const plain = { labelMap: null, indexNames: null, stepError: null }
  if (joins.length === 0 && steps.length === 0) return { frames, ...plain }
  const results = joins.map((join, at) => ({ frame: concat(offsets[at] ?? []), join }))
  const joined = joinOffsets(concat(frames), results)
  if (steps.length === 0) return { frames: [joined], ...plain }
  const { frame, ...told } = postProcess(joined, steps, { cells: limits.cells })
  return { frames: [frame], ...told }
}
