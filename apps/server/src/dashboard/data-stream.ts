import {
  AppError,
  dashboardHeartbeatMs,
  collectExtraFormData,
  message as sentence,
  toWire,
  type DashboardDataRequest,
  type FilteredDashboard,
  type QueryObject,
} from '@parquetry/model'
import { availableParallelism } from 'node:os'
import { runFramesQuery, encodeHead, planFramesQuery } from '../chart/frames-response.ts'
import { checkPrefetch } from '../chart/check-prefetch.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import type { ResolvedQuery } from '../chart/resolved-query.ts'
import type { PlannedQuery } from '../chart/run-query.ts'
import { buildSavedChartQuery, type SavedChart } from '../chart/saved-chart-query.ts'
import { loadDashboardCharts, type StoredDashboard, toFilteredDashboard } from '../chart/stored-dashboard.ts'
import { StreamAdmission, type StreamQuery } from '../chart/stream-admission.ts'
import { supportsSharedScans, SharedScans } from '../chart/shared-scans/shared-scans.ts'
import { Semaphore } from '../chart/shared-scans/semaphore.ts'
import { loadPrincipalById } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import { localizeError } from '../settings/messages.ts'
import { countAccessChanges } from '../store/changes.ts'
import { toAppError } from '../store/failure.ts'
import type { RefreshInterval } from './refresh-intervals.ts'
import type { StreamRecorder } from './stored-streams.ts'

interface StreamContext {
  deps: ChartDeps
  principal: Principal
  signal: AbortSignal
  /** May send form data that differs from the saved form. */
  canEdit: boolean
  /** Set for a prefetch: only queries that will be requested again unchanged are run. */
  isPrefetch?: boolean
  /** The charts of the dashboard, if they were read already. */
  charts?: ReadonlyMap<number, SavedChart>
  /** Collects the answer, to store it. */
  recorder?: StreamRecorder | undefined
  /** A user waits for the results: they are refused when a database is too busy, instead of waiting for long. */
  isInteractive?: boolean
  /** Set for a timed refresh. */
  interval?: RefreshInterval | undefined
}

/** Queries of a chart, planned as far as possible without their rows. */
interface PlannedChart {
  resolvedQuery: ResolvedQuery
  queries: { queryObject: QueryObject; name: string; planned: Promise<PlannedQuery> }[]
}

/**
 * Charts whose planning takes longer, because it queries a busy database, are left out of shared scans so that they do not delay
 * the others.
 */
const planningTimeoutMs = 1000

/**
 * Streams the results of the charts of a dashboard, each as soon as it is ready: cached results immediately, the others in
 * request order with as many queries at a time as the machine has cores. Queries over the same rows are
 * collected first and answered from one rollup where that is faster. The frames of two queries never interleave. A chart that fails sends its error
 * and does not affect the others.
 * Rights and row-level security rules are those of the moment in which a chart is sent.
 * @see packages/model/src/dashboard-stream.ts
 */
export async function* dashboardStream(
  dashboard: StoredDashboard,
  request: DashboardDataRequest,
  context: StreamContext,
): AsyncGenerator<Uint8Array> {
  const rightsVersion = countAccessChanges(context.deps.db)
  const { recorder } = context
  const charts = context.charts ?? (await loadDashboardCharts(dashboard, context.deps))
  const filtered = toFilteredDashboard(dashboard, charts.keys(), context.deps.settings.flags)
  // One instant for the whole dashboard: ranges relative to now begin and end at the same time in all of its charts.
  const startedAt = context.interval?.now ?? context.deps.now()
  const streamContext = { ...context, deps: { ...context.deps, now: () => startedAt } }
  const admission = context.isInteractive ? new StreamAdmission(context.deps.runners) : null
  const sharedScans = new SharedScans(
    context.deps.runners,
    new Semaphore(availableParallelism()),
    context.signal,
    (source) => admission?.queueOptions(source) ?? {},
  )
  const resolvedCharts = request.charts.map((part) => ({
    part,
    chart: resolveChart(part, charts.get(part.id), dashboard, filtered, request, streamContext),
  }))
  for (const { chart } of resolvedCharts) chart.catch(() => {})
  const replan = (part: ChartPart) =>
    reloadPrincipal(context).then((principal) =>
      resolveChart(part, charts.get(part.id), dashboard, filtered, request, { ...streamContext, principal }),
    )
  const planned = collectPlanned(resolvedCharts.map(({ chart }) => chart))
  try {
    // The first message is sent when the dashboard is admitted, so that a refusal has an error status.
    await admission?.admitAll(() => resolvedCharts.map(({ chart }) => listPlanned(chart)))
    void sharedScans.addQueries(planned).catch(() => {})
    let done = 0
    const first = encodeHead({ type: 'progress', done, of: resolvedCharts.length })
    recorder?.add(first)
    yield first
    for await (const item of streamAsSettled(resolvedCharts, ({ part, chart }) =>
      runWithCurrentRights(chart, rightsVersion, context.deps.db, {
        run: (planned) => runChart(part.id, planned, { sharedScans, admission }, context),
        replan: () => replan(part),
      }),
    )) {
      if (context.signal.aborted) return
      if (item === 'beat') {
        recorder?.stop()
        yield encodeHead({ type: 'beat' })
        continue
      }
      done += 1
      const part = Buffer.concat([...item, encodeHead({ type: 'progress', done, of: resolvedCharts.length })])
      recorder?.add(part)
      yield part
    }
  } finally {
    admission?.close()
  }
  const end = encodeHead({ type: 'done' })
  recorder?.add(end)
  yield end
  recorder?.finish()
  if (!context.isPrefetch)
    sharedScans
      .cacheRollups()
      .catch((error: unknown) => context.deps.log.error({ err: error }, 'could not store rollups'))
}

/** The queries of a chart; none when they are not planned within `planningTimeoutMs`. */
async function listPlanned(chart: Promise<PlannedChart>): Promise<StreamQuery[]> {
  const planned = chart.then(({ resolvedQuery, queries }) =>
    Promise.all(queries.map(async (query) => ({ resolvedQuery, planned: await query.planned }))),
  )
  return withPlanningTimeout(planned)
}

/** The principal of the stream with the roles, groups and attributes of now. @throws AppError `forbidden` */
async function reloadPrincipal({ deps, principal }: StreamContext): Promise<Principal> {
  if (principal.id === null) return principal
  const { session } = principal
  const current = await loadPrincipalById(deps.db, principal.id)
  if (!current) throw new AppError('forbidden')
  return { ...current, ...(session !== undefined && { session }) }
}

/** Runs a chart, and again while a change of rights or row-level security rules has changed its queries. */
async function runWithCurrentRights<T>(
  firstPlan: Promise<PlannedChart>,
  firstVersion: number,
  db: ChartDeps['db'],
  { run, replan }: { run(plan: Promise<PlannedChart>): Promise<T>; replan(): Promise<PlannedChart> },
): Promise<T> {
  let [plan, version] = [firstPlan, firstVersion]
  let result = await run(plan)
  for (let current = countAccessChanges(db); current !== version; current = countAccessChanges(db)) {
    version = current
    const next = replan()
    if (await hasSameQueries(plan, next)) continue
    plan = next
    result = await run(plan)
  }
  return result
}

/** False also when one of them is refused. */
async function hasSameQueries(first: Promise<PlannedChart>, second: Promise<PlannedChart>): Promise<boolean> {
  const describe = async (chart: Promise<PlannedChart>) => {
    const planned = await Promise.all((await chart).queries.map((query) => query.planned))
    return JSON.stringify(planned.map(({ plan }) => plan.statements))
  }
  const [before, after] = await Promise.allSettled([describe(first), describe(second)])
  return before.status === 'fulfilled' && after.status === 'fulfilled' && before.value === after.value
}

type ChartPart = DashboardDataRequest['charts'][number]

async function resolveChart(
  part: ChartPart,
  chart: SavedChart | undefined,
  dashboard: StoredDashboard,
  filtered: FilteredDashboard,
  request: DashboardDataRequest,
  { deps, principal, signal, canEdit, isPrefetch, recorder, isInteractive = false, interval }: StreamContext,
): Promise<PlannedChart> {
  if (!chart)
    throw new AppError('not_found', {
      message: sentence('errors.dashboard.chartNotOnIt', 'This chart is not on the dashboard.'),
    })
  if (part.form_data && !canEdit) throw new AppError('forbidden')
  const extras = collectExtraFormData(filtered, request.data_mask ?? {}, chart.id)
  const { context, names } = await buildSavedChartQuery(chart, part, extras, dashboard.id)
  const resolved: ResolvedQuery = {
    ...(await resolveQuery({ ...context, force: request.force === true }, deps, principal)),
    isInteractive,
    ...(recorder && { recordedRuns: [] }),
    ...(interval && { notBefore: interval.notBefore }),
  }
  const queries = context.queries.map((query, index) => {
    const planned = planFramesQuery(resolved, query, signal)
    planned.catch(() => {})
    return { queryObject: query, name: names[index] ?? String(index), planned }
  })
  if (isPrefetch) await checkPrefetch(resolved, await Promise.all(queries.map(({ planned }) => planned)))
  return { resolvedQuery: resolved, queries }
}

/**
 * Queries of sources that support shared scans, as far as they are planned within `planningTimeoutMs`. A query that cannot be planned
 * reports its error with its chart.
 */
async function collectPlanned(
  charts: readonly Promise<PlannedChart>[],
): Promise<{ resolvedQuery: ResolvedQuery; planned: PlannedQuery }[]> {
  const plannedCharts = charts.map((chart) =>
    chart
      .then(async ({ resolvedQuery, queries }) => {
        if (!supportsSharedScans(resolvedQuery)) return []
        const planned = await Promise.all(queries.map((query) => query.planned))
        return planned.map((each) => ({ resolvedQuery, planned: each }))
      })
      .catch(() => []),
  )
  return (await Promise.all(plannedCharts.map(withPlanningTimeout))).flat()
}

/** An empty list when it takes longer than `planningTimeoutMs`. */
async function withPlanningTimeout<T>(list: Promise<T[]>): Promise<T[]> {
  const timeout = Promise.withResolvers<T[]>()
  const timer = setTimeout(() => timeout.resolve([]), planningTimeoutMs)
  try {
    return await Promise.race([list, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function runChart(
  id: number,
  plannedChart: Promise<PlannedChart>,
  { sharedScans, admission }: { sharedScans: SharedScans; admission: StreamAdmission | null },
  { deps, signal, recorder }: StreamContext,
): Promise<Uint8Array[]> {
  try {
    const { resolvedQuery, queries } = await plannedChart
    const parts = await Promise.all(
      queries.map(({ queryObject, name, planned }, query) => {
        const execute = sharedScans.createExecutor(planned)
        const run = admission?.wrap(execute) ?? execute
        return runFramesQuery(resolvedQuery, queryObject, { chart: id, query, name }, signal, { planned, run })
      }),
    )
    recorder?.addChart(resolvedQuery)
    return [...parts.flat(), encodeHead({ type: 'end', chart: id })]
  } catch (error) {
    recorder?.stop()
    if (!(error instanceof AppError)) deps.log.error({ err: error, chart: id }, 'a chart of a dashboard failed')
    const translated = localizeError(toAppError(error), deps.settings)
    return [encodeHead({ type: 'error', chart: id, error: toWire(translated) })]
  }
}

/** Yields results in the order in which they are ready, and `beat` when none was ready for a while. */
async function* streamAsSettled<T, R>(items: readonly T[], work: (item: T) => Promise<R>): AsyncGenerator<R | 'beat'> {
  const running = new Set<Promise<{ self: Promise<unknown>; value: R }>>()
  for (const item of items) {
    const self: Promise<{ self: Promise<unknown>; value: R }> = work(item).then((value) => ({ self, value }))
    running.add(self)
  }
  while (running.size > 0) {
    const heartbeat = Promise.withResolvers<'beat'>()
    const timer = setTimeout(() => heartbeat.resolve('beat'), dashboardHeartbeatMs)
    const first = await Promise.race([...running, heartbeat.promise])
    clearTimeout(timer)
    if (first === 'beat') yield first
    else {
      running.delete(first.self as Promise<{ self: Promise<unknown>; value: R }>)
      yield first.value
    }
  }
}
