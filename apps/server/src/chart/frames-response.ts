import { encodeMessage } from '@parquetry/frame/wire'
import type { DashboardStreamHead, QueryHead, QueryObject } from '@parquetry/model'
import { computeColtypes, formatLocalIso } from '@parquetry/query'
import { fetchAnnotations } from './annotations.ts'
import { resultTypeOf, type ResolvedQuery } from './resolved-query.ts'
import { planQuery, runPlannedQuery, type PlannedQuery } from './run-query.ts'
import type { PlanExecutor } from '../cache/run-cached.ts'

export const encodeHead = (head: DashboardStreamHead): Uint8Array => encodeMessage(head)

/** A query as it is planned for `framesOf`. */
export const planFramesQuery = (
  question: ResolvedQuery,
  query: QueryObject,
  signal: AbortSignal,
): Promise<PlannedQuery> => planQuery(question, query, { as: 'frames' }, resultTypeOf(question.context, query), signal)

/**
 * One query's answer as messages: its head, then the runner's or the cache's frames as they are.
 * @param asked  where it was planned before, and how it is run
 */
export async function runFramesQuery(
  question: ResolvedQuery,
  query: QueryObject,
  place: { chart: number; query: number; name: string },
  signal: AbortSignal,
  asked: { planned: Promise<PlannedQuery>; run?: PlanExecutor } = { planned: planFramesQuery(question, query, signal) },
): Promise<Uint8Array[]> {
  const answered = asked.planned.then((planned) => runPlannedQuery(question, planned, signal, asked.run))
  const [{ run, applied_filters, rejected_filters, ends_at }, annotations] = await Promise.all([
    answered,
    fetchAnnotations(question, query, signal),
  ])
  const types = computeColtypes(run.header.columns, question.dataset)
  const head: QueryHead = {
    type: 'frame',
    ...place,
    header: {
      ...run.header,
      columns: run.header.columns.map((column, index) => ({ ...column, generic: types[index] ?? column.generic })),
    },
    is_cached: run.isCached,
    cached_dttm: run.isCached ? run.cachedAt : null,
    until: Math.min(ends_at ?? Infinity, wallClock(run.cachedAt, question.deps.settings.timeZone)),
    applied_filters,
    rejected_filters,
    ...(annotations && { annotations }),
  }
  return [encodeHead(head), run.body]
}

/** The clock on the server's wall at this moment, as the times of databases without a zone are read. */
const wallClock = (utc: string, timeZone: string): number =>
  Date.parse(`${formatLocalIso(Date.parse(`${utc}Z`), timeZone)}Z`)

/** The same messages as of a dashboard's stream, for one chart: what our own web client asks `chart/data` for. */
export async function buildFramesResponse(question: ResolvedQuery, signal: AbortSignal): Promise<Buffer> {
  const sliceId = question.context.form_data?.['slice_id']
  const chart = typeof sliceId === 'number' ? sliceId : 0
  const parts = await Promise.all(
    question.context.queries.map((query, index) =>
      runFramesQuery(question, query, { chart, query: index, name: String(index) }, signal),
    ),
  )
  return Buffer.concat([...parts.flat(), encodeHead({ type: 'end', chart }), encodeHead({ type: 'done' })])
}
