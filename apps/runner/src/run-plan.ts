import type { InstanceLimits, Session } from '@parquetry/engines/drivers'
import { concat, type Frame } from '@parquetry/frame'
import type { Plan, Statement } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Job } from './job.ts'
import { applyPlanColumns } from './plan-columns.ts'
import { withStatementNumber } from './with-statement-number.ts'
import { gatherFrames, type Meter, readFrames } from './read-frames.ts'
import { type ResultMetadata, sendResult } from './send-result.ts'
import { createResultStream } from './result-stream.ts'
import { applyLayout, postProcessResult, type PostProcessedResult } from './post-process-result.ts'
import type { Sources } from './sources.ts'
import { withSession } from './with-session.ts'

/** Larger results are streamed if nothing depends on the whole result. */
const gatherRows = 100_000

/** State shared by the steps of a running plan. */
interface PlanRun {
  plan: Plan
  session: Session
  job: Job
  meter: Meter
  /** Limits for files, which are complete before they are sent. */
  files: InstanceLimits
}

/** Runs a plan and sends its response: header, bytes, end. @throws AppError */
export async function runPlan(plan: Plan, job: Job, sources: Sources): Promise<void> {
  const startedAt = performance.now()
  const meter: Meter = { engineMs: 0 }
  const buildMetadata = (own: Partial<ResultMetadata>): ResultMetadata => ({
    sql_rowcount: -1,
    truncated: false,
    labelMap: null,
    indexNames: null,
    stepError: null,
    ...own,
    engineMs: meter.engineMs,
    totalMs: performance.now() - startedAt,
  })
  job.setTimeLimit(plan.limits.timeoutMs)
  await withSession(plan, job, sources, async (session, statements) => {
    const run = { plan: { ...plan, statements: [...statements] }, session, job, meter, files: sources.limits }
    const statement = await runPrecedingStatements(run)
    if (isStreamed(plan)) return streamRows(run, statement, buildMetadata)
    const { frames, ...own } = await gatherResult(run, statement)
    if (isFile(plan)) return sendFile(run, frames, buildMetadata(own))
    await sendResult(plan, frames, buildMetadata(own), job)
  })
}

function isStreamed({ limits, steps, joins, layout, encode }: Plan): boolean {
  if (steps.length > 0 || joins.length > 0 || layout || encode.as === 'legacy') return false
  if (encode.as === 'frames') return encode.streamed === true
  return limits.rows > gatherRows || isFile({ encode })
}

const isFile = ({ encode }: Pick<Plan, 'encode'>): boolean => encode.as === 'xlsx' || encode.as === 'parquet'

/** Sends a file of a result that was shaped as a whole. */
async function sendFile({ plan, job, files }: PlanRun, frames: Frame[], metadata: ResultMetadata): Promise<void> {
  const table = await applyLayout(frames, plan)
  // The names of a layout are headings already.
  const sending = await createResultStream(table ? { ...plan, columns: [] } : plan, job, files)
  const shown = table ? [table.frame] : frames
  try {
    for (const frame of shown) await sending.frame(frame, metadata)
    await sending.end({ rowcount: shown.reduce((sum, { rows }) => sum + rows, 0), truncated: metadata.truncated })
  } finally {
    await sending.close?.()
  }
}

/**
 * Runs the statements before the last one. With several statements the last one gives the result; with joins the first one does,
 * and the others follow it.
 * @returns the statement whose result is read next
 */
async function runPrecedingStatements({ plan, session, job, meter }: PlanRun): Promise<Statement> {
  const [first] = plan.statements
  if (!first)
    throw new AppError('bad_request', {
      message: message('errors.runner.noStatement', 'There is no statement to run.'),
    })
  if (plan.joins.length > 0) return first
  const statementCount = plan.statements.length
  for (const [at, statement] of plan.statements.entries()) {
    job.progress = { statement: at + 1, of: statementCount, rows: 0 }
    if (statementCount > 1) job.send({ type: 'progress', ...job.progress })
    if (at === statementCount - 1) return statement
    await withStatementNumber(at, statementCount, async () => {
      const reading = readFrames(session, statement, { ...plan.limits, rows: 0 }, job, meter)
      while (!(await reading.next()).done);
    })
  }
  return first
}

async function gatherResult(
  { plan, session, job, meter }: PlanRun,
  statement: Statement,
): Promise<PostProcessedResult & Pick<ResultMetadata, 'sql_rowcount' | 'truncated'>> {
  const { statements, joins, limits } = plan
  const read = async (each: Statement) => {
    const { frames, rows, truncated } = await gatherFrames(session, each, limits, job, meter)
    return { frames: applyPlanToFrames(frames, plan), rows, truncated }
  }
  const statementCount = joins.length > 0 ? 1 : statements.length
  const { frames, rows, truncated } = await withStatementNumber(statementCount - 1, statementCount, () =>
    read(statement),
  )
  const results = [frames]
  for (const each of joins.length > 0 ? statements.slice(1) : []) results.push((await read(each)).frames)
  await job.yieldToEventLoop()
  return { ...postProcessResult(results, plan), sql_rowcount: rows, truncated }
}

/** A text metric becomes a number only if all its values are numbers, so the whole result is checked. */
export function applyPlanToFrames(frames: Frame[], { columns }: Pick<Plan, 'columns'>): Frame[] {
  const hasTextMetric = frames[0]?.columns.some(({ kind }, at) => kind === 'string' && columns[at]?.isMetric)
  return (hasTextMetric ? [concat(frames)] : frames).map((frame) => applyPlanColumns(frame, columns))
}

async function streamRows(
  { plan, session, job, meter, files }: PlanRun,
  statement: Statement,
  buildMetadata: (own: Partial<ResultMetadata>) => ResultMetadata,
): Promise<void> {
  const sending = await createResultStream(plan, job, files)
  const statementCount = plan.joins.length > 0 ? 1 : plan.statements.length
  try {
    const reading = readFrames(session, statement, plan.limits, job, meter)
    for (;;) {
      const { done, value } = await withStatementNumber(statementCount - 1, statementCount, () => reading.next())
      if (done) return await sending.end({ rowcount: value.rows, truncated: value.truncated })
      await sending.frame(applyPlanColumns(value, plan.columns), buildMetadata({}))
    }
  } finally {
    await sending.close?.()
  }
}
