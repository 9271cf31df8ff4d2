import {
  type Budget,
  concat,
  type Frame,
  joinOffsets,
  postProcess,
  type PostProcessedTable,
  buildPostProcessedTable,
} from '@parquetry/frame'
import type { RunHeader, ShapePlan } from '@parquetry/model'

/** The rows of a response and the facts from shaping them. */
export interface PostProcessedResult extends Pick<RunHeader, 'labelMap' | 'indexNames' | 'stepError'> {
  /** At least one; all with the same columns. */
  frames: Frame[]
}

/**
 * Joins the time offsets and runs the steps of a plan, which need the whole result; without both, the frames stay as they came.
 * @param results frames of the first statement, then of one for each join
 * @throws AppError of a step; TooMuchWork
 */
export function postProcessResult(
  [frames = [], ...offsets]: Frame[][],
  { joins, steps }: ShapePlan,
  budget: Budget,
): PostProcessedResult {
  const plain = { labelMap: null, indexNames: null, stepError: null }
  if (joins.length === 0 && steps.length === 0) return { frames, ...plain }
  const results = joins.map((join, index) => ({ frame: concat(offsets[index] ?? []), join }))
  const joined = joinOffsets(concat(frames), results, budget)
  if (steps.length === 0) return { frames: [joined], ...plain }
  const { frame, ...metadata } = postProcess(joined, steps, budget)
  return { frames: [frame], ...metadata }
}

/** Returns the layout that the plan requests, made of the whole result; null if its chart shows rows as they are. */
export async function applyLayout(
  frames: readonly Frame[],
  { layout }: ShapePlan,
  budget: Budget,
): Promise<PostProcessedTable | null> {
  if (!layout) return null
  const { formatter } = await import('@parquetry/charts')
  return buildPostProcessedTable(concat([...frames]), layout.form, {
    headings: new Map(Object.entries(layout.headings)),
    format: formatter,
    budget,
  })
}
