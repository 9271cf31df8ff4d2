import { encodeRecordHead } from '@parquetry/engines/channel'
import { Budget, TooMuchWork } from '@parquetry/frame'
import type { Session } from '@parquetry/engines/drivers'
import type { Plan, SharedScanHead, SharedScanPlan, SharedScanQuery } from '@parquetry/model'
import { AppError, toWire } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { Job } from './job.ts'
import { createSizeCheck, gatherFrames, type Meter } from './read-frames.ts'
import { applyPlanToFrames } from './finish-plan.ts'
import { inlineWork } from './run-plan.ts'
import { encodeResult } from './send-result.ts'
import { postProcessResult } from './post-process-result.ts'
import type { Sources } from './sources.ts'
import { withSession } from './with-session.ts'

/**
 * Builds the rollup, unless it is cached, and sends each response as soon as it is ready. A failed response does not affect the
 * others.
 * @throws AppError if the rollup fails, `result_too_large` if it has too many groups, `unsupported` if the database cannot build
 * one
 */
export async function runSharedScan(shared: SharedScanPlan, job: Job, sources: Sources): Promise<void> {
  const { source, rollup, table, maxGroups, queries, cacheKey, limits } = shared
  job.setTimeLimit(limits.timeoutMs)
  const statements = queries.flatMap(({ plan }) => plan.statements)
  if (source.kind === 'embedded') await sources.checkOwn(source, statements, table)
  const { rollups } = sources
  const sendAll = (session: Session) => sendResults(session, shared, job)
  if (cacheKey === undefined || !(await rollups.use(cacheKey, job.signal, sendAll))) {
    const { tablesVersion } = rollups
    const sessionRequest = { source, statements: [rollup], limits: { rows: maxGroups, timeoutMs: limits.timeoutMs } }
    await withSession(sessionRequest, job, sources, async (session, [checked = rollup], hold) => {
      const groups = await buildRollup(session, checked, shared)
      await sendAll(session)
      if (cacheKey !== undefined && !job.signal.aborted && rollups.add(cacheKey, { session, groups }, tablesVersion))
        hold()
    })
  }
  job.send({ type: 'end' })
}

async function sendResults(session: Session, { table, queries }: SharedScanPlan, job: Job): Promise<void> {
  const floating = await findFloatingColumns(session, table, queries)
  job.send({ type: 'header', header: {} })
  for (const [at, query] of queries.entries()) {
    const { head, pieces } = await encodeResultOrError(at, query, session, floating, job)
    job.signal.throwIfAborted()
    await job.sendBytes(
      encodeRecordHead(
        head,
        pieces.reduce((sum, { length }) => sum + length, 0),
      ),
    )
    for (const chunk of pieces) await job.sendBytes(chunk)
  }
}

/** @returns its number of groups */
async function buildRollup(
  session: Session,
  statement: SharedScanPlan['rollup'],
  { table, types, maxGroups, limits }: SharedScanPlan,
): Promise<number> {
  if (!session.createTempTable) throw new AppError('unsupported')
  const groups = await session.createTempTable({ name: table, statement, types }, { ...limits, rows: maxGroups })
  if (groups > maxGroups)
    throw new AppError('result_too_large', {
      message: message('errors.runner.groups', 'The shared query returns more than {max, number} groups.', {
        max: maxGroups,
      }),
    })
  return groups
}

/** Columns of the rollup that are not exact numbers, if a response needs exact ones. */
async function findFloatingColumns(
  session: Session,
  table: string,
  queries: readonly SharedScanQuery[],
): Promise<ReadonlySet<string>> {
  if (queries.every(({ exact }) => exact.length === 0)) return new Set()
  const described = await session.describe({ what: 'columns', sql: `SELECT * FROM "${table}"` })
  const columns = described.what === 'columns' ? described.columns : []
  return new Set(columns.filter(({ type }) => !isExact(type)).map(({ name }) => name))
}

async function encodeResultOrError(
  queryIndex: number,
  query: SharedScanQuery,
  session: Session,
  floating: ReadonlySet<string>,
  job: Job,
): Promise<{ head: SharedScanHead; pieces: Uint8Array[] }> {
  try {
    if (query.exact.some((column) => floating.has(column)))
      throw new AppError('unsupported', {
        message: message(
          'errors.runner.inexactSums',
          'This result is made of sums that may differ in the last digits.',
        ),
      })
    const { header, pieces } = await runQuery(query, session, job)
    return { head: { queryIndex, header }, pieces }
  } catch (error) {
    job.signal.throwIfAborted()
    const reason = error instanceof TooMuchWork ? new AppError('unsupported', { cause: error }) : error
    return { head: { queryIndex, error: toWire(reason) }, pieces: [] }
  }
}

async function runQuery({ plan: input, inexact }: SharedScanQuery, session: Session, job: Job) {
  const startedAt = performance.now()
  const meter: Meter = { engineMs: 0 }
  const [statement] = input.statements
  if (!statement) throw new AppError('bad_request')
  const { frames, rows, truncated } = await gatherFrames(session, statement, input.limits, {
    job,
    meter,
    checkSize: createSizeCheck(input.limits),
  })
  if (truncated && inexact.some((column) => !isExact(frames[0]!.columns[column]?.type ?? '')))
    throw new AppError('unsupported', {
      message: message('errors.runner.inexactOrder', 'The order of this result depends on the last digits of a sum.'),
    })
  const plan = input as Plan
  const budget = new Budget({ cells: plan.limits.cells, work: inlineWork })
  const { frames: all, ...shaped } = postProcessResult([applyPlanToFrames(frames, plan, budget)], plan, budget)
  const { engineMs } = meter
  const metadata = { ...shaped, sql_rowcount: rows, truncated: false, engineMs, totalMs: performance.now() - startedAt }
  return encodeResult({ plan, frames: all, metadata, budget }, job)
}

/** Sums of integers and decimals are exact in any order of addition. */
const isExact = (type: string): boolean => /INT$|INTEGER$|^DECIMAL/.test(type)
