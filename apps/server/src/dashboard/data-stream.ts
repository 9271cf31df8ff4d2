import {
  AppError,
  dashboardBeatMs,
  extraFormDataFor,
  message as sentence,
  readLayout,
  toWire,
  underFlags,
  withUnplaced,
  type DashboardDataRequest,
  type FilteredDashboard,
  type QueryObject,
} from '@parquetry/model'
import type { Selectable } from 'kysely'
import { availableParallelism } from 'node:os'
import { framesOf, message, planFrames } from '../chart/answer-frames.ts'
import { checkAskedAhead } from '../chart/ask-ahead.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { openQuestion } from '../chart/open-question.ts'
import type { Question } from '../chart/question.ts'
import type { PlannedQuery } from '../chart/run-query.ts'
import { savedQuestion, withColumns, type SavedChart } from '../chart/saved-question.ts'
import { hasLevels, Together } from '../chart/together/together.ts'
import { Turns } from '../chart/together/turns.ts'
import type { Principal } from '../access/principal.ts'
import { failureOf } from '../store/failure.ts'
import type { DashboardTable } from '../store/tables.ts'
import { declaredMask } from './declared-mask.ts'
import { metadataOf } from './metadata.ts'

export type Dashboard = Selectable<DashboardTable>

interface Asker {
  deps: ChartDeps
  principal: Principal
  signal: AbortSignal
  /** May send forms that are not saved so. */
  mayEdit: boolean
  /** Nobody waits for it yet: only what will be asked again and be the same is asked. */
  isAhead?: boolean
}

/** What a chart asks, planned as far as it can be without its rows. */
interface OpenedChart {
  question: Question
  queries: { asked: QueryObject; name: string; planned: Promise<PlannedQuery> }[]
}

/** Plans that take longer, because a busy database is asked for them, hold up nobody: they are not looked at together. */
const planningMs = 1000

/**
 * Answers the charts of a dashboard, each as soon as it is ready: what is kept at once, then in the order asked as many questions at a
 * time as the machine has cores; those over the same rows wait for each other, and come from one level where that is faster. The answers of two queries never
 * interleave. A chart that fails says so and harms no other.
 * @see packages/model/src/dashboard-stream.ts
 */
export async function* dashboardStream(
  dashboard: Dashboard,
  request: DashboardDataRequest,
  asker: Asker,
): AsyncGenerator<Uint8Array> {
  const charts = await chartsOf(dashboard, asker.deps)
  const filtered = filteredOf(dashboard, charts.keys(), asker.deps.settings.flags)
  const mask = request.data_mask ?? {}
  const data_mask = asker.principal.kind === 'guest' ? declaredMask(filtered, charts, mask) : mask
  // One instant for the whole board: what is relative to now begins and ends at the same time in all of its charts.
  const at = asker.deps.now()
  const asking = { ...asker, deps: { ...asker.deps, now: () => at } }
  const together = new Together(asker.deps.runners, new Turns(availableParallelism()), asker.signal)
  const opened = request.charts.map((part) => ({
    id: part.id,
    chart: openChart(part, charts.get(part.id), dashboard, filtered, { ...request, data_mask }, asking),
  }))
  void together.look(plannedSoon(opened.map(({ chart }) => chart))).catch(() => {})
  let done = 0
  for await (const answer of inParallel(opened, ({ id, chart }) => answerOf(id, chart, together, asker))) {
    if (asker.signal.aborted) return
    if (answer === 'beat') {
      yield message({ type: 'beat' })
      continue
    }
    done += 1
    yield Buffer.concat([...answer, message({ type: 'progress', done, of: opened.length })])
  }
  yield message({ type: 'done' })
  if (!asker.isAhead)
    together
      .keepLevels()
      .catch((error: unknown) => asker.deps.log.error({ err: error }, 'could not store aggregation levels'))
}

async function openChart(
  part: DashboardDataRequest['charts'][number],
  chart: SavedChart | undefined,
  dashboard: Dashboard,
  filtered: FilteredDashboard,
  request: DashboardDataRequest,
  { deps, principal, signal, mayEdit, isAhead }: Asker,
): Promise<OpenedChart> {
  if (!chart)
    throw new AppError('not_found', {
      message: sentence('errors.dashboard.chartNotOnIt', 'This chart is not on the dashboard.'),
    })
  if (part.form_data && !mayEdit) throw new AppError('forbidden')
  const extras = extraFormDataFor(filtered, request.data_mask ?? {}, chart.id)
  const { context, names } = await savedQuestion(chart, part, extras, dashboard.id)
  const question = await openQuestion({ ...context, force: request.force === true }, deps, principal)
  const queries = context.queries.map((asked, index) => {
    const planned = planFrames(question, asked, signal)
    planned.catch(() => {})
    return { asked, name: names[index] ?? String(index), planned }
  })
  if (isAhead) await checkAskedAhead(question, await Promise.all(queries.map(({ planned }) => planned)))
  return { question, queries }
}

/**
 * The queries of sources that can be asked together, as far as they are planned in a short while; one that cannot be planned says so
 * when it is answered.
 */
async function plannedSoon(
  charts: readonly Promise<OpenedChart>[],
): Promise<{ question: Question; planned: PlannedQuery }[]> {
  const soon = charts.map((chart) =>
    chart
      .then(async ({ question, queries }) => {
        if (!hasLevels(question)) return []
        const planned = await Promise.all(queries.map((query) => query.planned))
        return planned.map((each) => ({ question, planned: each }))
      })
      .catch(() => []),
  )
  const late = Promise.withResolvers<[]>()
  const timer = setTimeout(() => late.resolve([]), planningMs)
  const found = await Promise.all(soon.map((each) => Promise.race([each, late.promise])))
  clearTimeout(timer)
  return found.flat()
}

async function answerOf(
  id: number,
  opening: Promise<OpenedChart>,
  together: Together,
  { deps, signal }: Asker,
): Promise<Uint8Array[]> {
  try {
    const { question, queries } = await opening
    const parts = await Promise.all(
      queries.map(({ asked, name, planned }, query) =>
        framesOf(question, asked, { chart: id, query, name }, signal, { planned, run: together.runOf(planned) }),
      ),
    )
    return [...parts.flat(), message({ type: 'end', chart: id })]
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.error({ err: error, chart: id }, 'a chart of a dashboard failed')
    return [message({ type: 'error', chart: id, error: toWire(failureOf(error)) })]
  }
}

/** The charts of a dashboard by id. */
export async function chartsOf({ id }: Dashboard, deps: ChartDeps): Promise<Map<number, SavedChart>> {
  const rows = await deps.db
    .selectFrom('chart')
    .innerJoin('dashboard_chart', 'dashboard_chart.chart_id', 'chart.id')
    .selectAll('chart')
    .where('dashboard_chart.dashboard_id', '=', id)
    .execute()
  return new Map((await withColumns(deps.db, rows)).map((chart) => [chart.id, chart]))
}

/** What deciding on filters needs of it. */
export const filteredOf = (
  { position_json, json_metadata }: Dashboard,
  charts: Iterable<number>,
  flags: Readonly<Record<string, boolean>>,
): FilteredDashboard => ({
  nodes: withUnplaced(readLayout(position_json).nodes, charts),
  metadata: underFlags(metadataOf(json_metadata), flags),
})

/** Results in the order in which they are ready; `beat` when none was for a while. */
async function* inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): AsyncGenerator<R | 'beat'> {
  const running = new Set<Promise<{ self: Promise<unknown>; value: R }>>()
  for (const item of items) {
    const self: Promise<{ self: Promise<unknown>; value: R }> = work(item).then((value) => ({ self, value }))
    running.add(self)
  }
  while (running.size > 0) {
    const beat = Promise.withResolvers<'beat'>()
    const timer = setTimeout(() => beat.resolve('beat'), dashboardBeatMs)
    const first = await Promise.race([...running, beat.promise])
    clearTimeout(timer)
    if (first === 'beat') yield first
    else {
      running.delete(first.self as Promise<{ self: Promise<unknown>; value: R }>)
      yield first.value
    }
  }
}
