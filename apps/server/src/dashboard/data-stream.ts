import { namedQueries, openForm, withFilters } from '@parquetry/charts'
import {
  AppError,
  dashboardBeatMs,
  extraFormDataFor,
  readLayout,
  toWire,
  withUnplaced,
  type DashboardDataRequest,
  type FilteredDashboard,
  type QueryContext,
  type QueryObject,
} from '@parquetry/model'
import { readSavedContext } from '@parquetry/query'
import type { Selectable } from 'kysely'
import { availableParallelism } from 'node:os'
import { framesOf, message } from '../chart/answer-frames.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { formDataOf } from '../chart/form-data.ts'
import { openQuestion } from '../chart/open-question.ts'
import type { Principal } from '../access/principal.ts'
import { failureOf } from '../store/failure.ts'
import type { ChartTable, DashboardTable } from '../store/tables.ts'

export type Dashboard = Selectable<DashboardTable>
type TemporalColumn = { column_name: string; is_dttm: true }
/** With the temporal columns of its dataset. */
export type Chart = Selectable<ChartTable> & { columns: TemporalColumn[] }

interface Asker {
  deps: ChartDeps
  principal: Principal
  signal: AbortSignal
  /** May send forms that are not saved so. */
  mayEdit: boolean
}

/**
 * Answers the charts of a dashboard in the order asked, as many at a time as the machine has cores, each as soon as it is ready;
 * the answers of two queries never interleave. A chart that fails says so and harms no other.
 * @see packages/model/src/dashboard-stream.ts
 */
export async function* dashboardStream(
  dashboard: Dashboard,
  request: DashboardDataRequest,
  asker: Asker,
): AsyncGenerator<Uint8Array> {
  const charts = await chartsOf(dashboard, asker.deps)
  const filtered = filteredOf(dashboard, charts.keys())
  const asked = request.charts.map((part) => ({ part, chart: charts.get(part.id) }))
  let done = 0
  for await (const answer of inParallel(asked, availableParallelism(), ({ part, chart }) =>
    answerOf(part, chart, dashboard, filtered, request, asker),
  )) {
    if (asker.signal.aborted) return
    if (answer === 'beat') {
      yield message({ type: 'beat' })
      continue
    }
    done += 1
    yield Buffer.concat([...answer, message({ type: 'progress', done, of: asked.length })])
  }
  yield message({ type: 'done' })
}

async function answerOf(
  part: DashboardDataRequest['charts'][number],
  chart: Chart | undefined,
  dashboard: Dashboard,
  filtered: FilteredDashboard,
  request: DashboardDataRequest,
  asker: Asker,
): Promise<Uint8Array[]> {
  try {
    if (!chart) throw new AppError('not_found', { message: 'This chart is not on the dashboard.' })
    if (part.form_data && !asker.mayEdit) throw new AppError('forbidden')
    const extras = extraFormDataFor(filtered, request.data_mask ?? {}, chart.id)
    const { context, names } = await queryContextOf(chart, part, extras, dashboard.id)
    const question = await openQuestion({ ...context, force: request.force === true }, asker.deps, asker.principal)
    const parts = await Promise.all(
      context.queries.map((query, index) =>
        framesOf(question, query, { chart: chart.id, query: index, name: names[index] ?? String(index) }, asker.signal),
      ),
    )
    return [...parts.flat(), message({ type: 'end', chart: chart.id })]
  } catch (error) {
    if (!(error instanceof AppError))
      asker.deps.log.error({ err: error, chart: part.id }, 'a chart of a dashboard failed')
    return [
      message({
        type: 'error',
        chart: part.id,
        error: toWire(failureOf(error)),
      }),
    ]
  }
}

/** What a chart asks by its own definition, and how its queries are called; of a type that nobody draws, what is saved. */
export async function queryContextOf(
  chart: Chart,
  part: Omit<DashboardDataRequest['charts'][number], 'id'>,
  extras: Record<string, unknown>[],
  dashboardId: number,
): Promise<{ context: QueryContext; names: string[] }> {
  const stored = { ...formDataOf(chart), ...part.form_data }
  const form_data = { slice_id: chart.id, dashboardId }
  const datasource = { id: chart.datasource_id, type: chart.datasource_type }
  const opened = await openForm(stored, chart)
  if (opened) {
    const queries = namedQueries(opened.chart, withFilters(opened.form, extras), part.state ?? {})
    return { context: { datasource, queries: Object.values(queries), form_data }, names: Object.keys(queries) }
  }
  if (!chart.query_context)
    throw new AppError('invalid_query', { message: 'This visualization type is not supported.' })
  const saved = readSavedContext(JSON.parse(chart.query_context))
  return {
    context: { datasource, queries: saved.queries as QueryObject[], form_data },
    names: saved.queries.map((_, index) => String(index)),
  }
}

/** The charts of a dashboard by id. */
export async function chartsOf({ id }: Dashboard, deps: ChartDeps): Promise<Map<number, Chart>> {
  const rows = await deps.db
    .selectFrom('chart')
    .innerJoin('dashboard_chart', 'dashboard_chart.chart_id', 'chart.id')
    .selectAll('chart')
    .where('dashboard_chart.dashboard_id', '=', id)
    .execute()
  const columns = await temporalColumns(rows, deps)
  return new Map(rows.map((chart) => [chart.id, { ...chart, columns: columns.get(chart.datasource_id) ?? [] }]))
}

/** Temporal columns by dataset. */
async function temporalColumns(
  charts: readonly { datasource_id: number }[],
  { db }: ChartDeps,
): Promise<Map<number, TemporalColumn[]>> {
  if (charts.length === 0) return new Map()
  const rows = await db
    .selectFrom('dataset_column')
    .select(['dataset_id', 'column_name'])
    .where('is_dttm', '=', 1)
    .where('dataset_id', 'in', [...new Set(charts.map(({ datasource_id }) => datasource_id))])
    .orderBy('id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ dataset_id }) => dataset_id)].map(([id, columns]) => [
      id,
      columns.map(({ column_name }) => ({ column_name, is_dttm: true })),
    ]),
  )
}

/** What deciding on filters needs of it. */
export const filteredOf = (
  { position_json, json_metadata }: Dashboard,
  charts: Iterable<number>,
): FilteredDashboard => ({
  nodes: withUnplaced(readLayout(position_json).nodes, charts),
  metadata: JSON.parse(json_metadata || '{}') as FilteredDashboard['metadata'],
})

/** Results in the order in which they are ready; `beat` when none was for a while. */
async function* inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R | 'beat'> {
  const waiting = [...items]
  const running = new Set<Promise<{ self: Promise<unknown>; value: R }>>()
  const startNext = (): void => {
    const item = waiting.shift()
    if (item === undefined) return
    const self: Promise<{ self: Promise<unknown>; value: R }> = work(item).then((value) => ({ self, value }))
    running.add(self)
  }
  for (let n = 0; n < width; n += 1) startNext()
  while (running.size > 0) {
    const beat = Promise.withResolvers<'beat'>()
    const timer = setTimeout(() => beat.resolve('beat'), dashboardBeatMs)
    const first = await Promise.race([...running, beat.promise])
    clearTimeout(timer)
    if (first === 'beat') yield first
    else {
      running.delete(first.self as Promise<{ self: Promise<unknown>; value: R }>)
      startNext()
      yield first.value
    }
  }
}
