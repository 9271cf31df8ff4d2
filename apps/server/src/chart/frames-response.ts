import { encodeMessage } from '@parquetry/frame/wire'
import type { DashboardStreamHead, QueryHead, QueryObject } from '@parquetry/model'
import { computeColtypes, formatLocalIso } from '@parquetry/query'
import { fetchAnnotations } from './annotations.ts'
import { resultTypeOf, type ResolvedQuery } from './resolved-query.ts'
import { planQuery, runPlannedQuery, type PlannedQuery } from './run-query.ts'
import type { PlanExecutor } from '../cache/run-cached.ts'

export const encodeHead = (head: DashboardStreamHead): Uint8Array => encodeMessage(head)

/** Plans a query for `runFramesQuery`. */
export const planFramesQuery = (
  resolved: ResolvedQuery,
  query: QueryObject,
  signal: AbortSignal,
): Promise<PlannedQuery> => planQuery(resolved, query, { as: 'frames' }, resultTypeOf(resolved.context, query), signal)

/**
 * Returns the response to one query as messages: its head, then the frames of the runner or cache unchanged.
 * @param options  plan of the query if it exists already, and how to run it
 */
export async function runFramesQuery(
  resolved: ResolvedQuery,
  query: QueryObject,
  frameRef: { chart: number; query: number; name: string },
  signal: AbortSignal,
  options: { planned: Promise<PlannedQuery>; run?: PlanExecutor } = {
    planned: planFramesQuery(resolved, query, signal),
  },
): Promise<Uint8Array[]> {
  const runPromise = options.planned.then((planned) => runPlannedQuery(resolved, planned, signal, options.run))
  const [{ run, applied_filters, rejected_filters, ends_at }, annotations] = await Promise.all([
    runPromise,
    fetchAnnotations(resolved, query, signal),
  ])
  const types = computeColtypes(run.header.columns, resolved.dataset)
  const head: QueryHead = {
    type: 'frame',
    ...frameRef,
    header: {
      ...run.header,
      columns: run.header.columns.map((column, index) => ({ ...column, generic: types[index] ?? column.generic })),
    },
    is_cached: run.isCached,
    cached_dttm: run.isCached ? run.cachedAt : null,
    until: Math.min(ends_at ?? Infinity, wallClock(run.cachedAt, resolved.deps.settings.timeZone)),
    applied_filters,
    rejected_filters,
    ...(annotations && { annotations }),
  }
  return [encodeHead(head), run.body]
}

/** Converts a UTC time to the server's local time, encoded like times of databases without a zone. */
const wallClock = (utc: string, timeZone: string): number =>
  Date.parse(`${formatLocalIso(Date.parse(`${utc}Z`), timeZone)}Z`)

/** Returns the messages of a dashboard's stream for one chart, as our own web client requests them from `chart/data`. */
export async function buildFramesResponse(resolved: ResolvedQuery, signal: AbortSignal): Promise<Buffer> {
  const sliceId = resolved.context.form_data?.['slice_id']
  const chart = typeof sliceId === 'number' ? sliceId : 0
  const parts = await Promise.all(
    resolved.context.queries.map((query, index) =>
      runFramesQuery(resolved, query, { chart, query: index, name: String(index) }, signal),
    ),
  )
  return Buffer.concat([...parts.flat(), encodeHead({ type: 'end', chart }), encodeHead({ type: 'done' })])
}
