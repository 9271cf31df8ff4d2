import type { InstanceLimits, Session } from '@parquetry/engines/drivers'
import { Budget, TooMuchWork } from '@parquetry/frame'
import type { Plan, Statement } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { dependsOnWhole, finishPlan, type GatheredResult, isFile } from './finish-plan.ts'
import { handOver } from './hand-over.ts'
import type { Job } from './job.ts'
import { applyPlanColumns } from './plan-columns.ts'
import { withStatementNumber } from './with-statement-number.ts'
import { createSizeCheck, gatherFrames, type Meter, readFrames } from './read-frames.ts'
import type { ResultMetadata } from './send-result.ts'
import { createResultStream } from './result-stream.ts'
import type { Sources } from './sources.ts'
import { withSession } from './with-session.ts'

/** Larger results are streamed if nothing depends on the whole result. */
const gatherRows = 100_000

/**
 * Work that may follow a statement in this process, in units of a budget: a tenth of a second, at most half a second, in which the
 * statements of other users wait.
 */
export const inlineWork = 10_000_000

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
    const gathered = await gatherResult(run, statement, startedAt)
    const budget = new Budget({ cells: plan.limits.cells, work: inlineWork })
    try {
      await finishPlan(gathered, plan, job, { budget, files: sources.limits })
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error
      await handOver(gathered, job, sources.limits)
    }
  })
}

function isStreamed(plan: Plan): boolean {
  if (dependsOnWhole(plan)) return false
  if (plan.encode.as === 'frames') return plan.encode.streamed === true
  return plan.limits.rows > gatherRows || isFile(plan)
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
      message: message('errors.runner.noStatement', 'Nothing to run: the text contains no statement.'),
    })
  if (plan.joins.length > 0) return first
  const statementCount = plan.statements.length
  for (const [at, statement] of plan.statements.entries()) {
    job.progress = { statement: at + 1, statementCount, rows: 0 }
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
  startedAt: number,
): Promise<GatheredResult> {
  const { statements, joins, limits } = plan
  const checkSize = createSizeCheck(limits)
  const read = (each: Statement) => gatherFrames(session, each, limits, { job, meter, checkSize })
  const statementCount = joins.length > 0 ? 1 : statements.length
  const { frames, rows, truncated } = await withStatementNumber(statementCount - 1, statementCount, () =>
    read(statement),
  )
  const results = [frames]
  for (const each of joins.length > 0 ? statements.slice(1) : []) results.push((await read(each)).frames)
  await job.yieldToEventLoop()
  return { results, sql_rowcount: rows, truncated, engineMs: meter.engineMs, startedAt }
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
