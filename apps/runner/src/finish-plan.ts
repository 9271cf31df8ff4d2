import type { InstanceLimits } from '@parquetry/engines/drivers'
import { type Budget, concat, type Frame, slice } from '@parquetry/frame'
import type { RunHeader, ShapePlan } from '@parquetry/model'
import type { Job } from './job.ts'
import { applyPlanColumns } from './plan-columns.ts'
import { applyLayout, postProcessResult } from './post-process-result.ts'
import { createResultStream } from './result-stream.ts'
import { type ResultToSend, sendResult } from './send-result.ts'

/** The rows of all statements of a plan, as the engine returned them. */
export interface GatheredResult extends Pick<RunHeader, 'sql_rowcount' | 'truncated' | 'engineMs'> {
  /** Frames of the statement that gives the result, then of one for each join; at least one frame each. */
  results: Frame[][]
  /** When the run began, as \`performance.now()\` of this process. */
  startedAt: number
}

/** Work for one value that is written as text, and for one that is parsed as a time or number. Frames are copied as they are. */
const writeWork = 10
const parseWork = 30

/** True if something depends on the whole result, so that its rows cannot be sent one frame after the other. */
export const dependsOnWhole = ({ steps, joins, layout, encode }: ShapePlan): boolean =>
  steps.length > 0 || joins.length > 0 || layout !== undefined || encode.as === 'legacy'

export const isFile = ({ encode }: Pick<ShapePlan, 'encode'>): boolean =>
  encode.as === 'xlsx' || encode.as === 'parquet'

/**
 * Does everything that follows the statements of a plan, and sends its response. It blocks the event loop for as long as the
 * budget allows.
 * @param files  limits for files, which are complete before they are sent
 * @throws AppError; TooMuchWork before anything is sent
 */
export async function finishPlan(
  { results, startedAt, ...read }: GatheredResult,
  plan: ShapePlan,
  job: Job,
  { budget, files }: { budget: Budget; files: InstanceLimits },
): Promise<void> {
  const converted = results.map((frames) => applyPlanToFrames(frames, plan, budget))
  const { frames, ...shaped } = postProcessResult(converted, plan, budget)
  const valueWork = plan.encode.as === 'frames' ? 1 : writeWork
  if (dependsOnWhole(plan))
    budget.spend(frames.reduce((sum, { rows, columns }) => sum + rows * columns.length * valueWork, 0))
  const metadata = { ...read, ...shaped, totalMs: performance.now() - startedAt }
  const result = { plan, frames, metadata, budget }
  await (isFile(plan) ? sendFile(result, job, files) : sendResult(result, job))
}

/**
 * Gives the frames of a statement the names and kinds of the plan. A text metric becomes a number only if all its values are
 * numbers, so the whole result is checked.
 * @throws TooMuchWork
 */
export function applyPlanToFrames(frames: Frame[], { columns }: Pick<ShapePlan, 'columns'>, budget: Budget): Frame[] {
  const isText = (index: number): boolean => frames[0]?.columns[index]?.kind === 'string'
  const rows = frames.reduce((sum, frame) => sum + frame.rows, 0)
  const parsed = columns.filter(
    ({ dateFormat, kind, isMetric }, index) => dateFormat || (isText(index) && (isMetric || kind === 'time')),
  )
  budget.spend(rows * parsed.length * parseWork)
  const hasTextMetric = columns.some(({ isMetric }, index) => isMetric && isText(index))
  return (hasTextMetric ? [concat(frames)] : frames).map((frame) => applyPlanColumns(frame, columns))
}

/** Rows that are written to a file at a time: texts that are stored once are written for every row. */
const fileRows = 2048

/** Sends a file of a result that was shaped as a whole. */
async function sendFile(
  { plan, frames, metadata, budget }: ResultToSend,
  job: Job,
  files: InstanceLimits,
): Promise<void> {
  const table = await applyLayout(frames, plan, budget)
  // The names of a layout are headings already.
  const sending = await createResultStream(table ? { ...plan, columns: [] } : plan, job, files)
  const shown = table ? [table.frame] : frames
  try {
    for (const frame of shown)
      for (let from = 0; from === 0 || from < frame.rows; from += fileRows)
        await sending.frame(slice(frame, from, from + fileRows), metadata)
    await sending.end({ rowcount: shown.reduce((sum, { rows }) => sum + rows, 0), truncated: metadata.truncated })
  } finally {
    await sending.close?.()
  }
}
