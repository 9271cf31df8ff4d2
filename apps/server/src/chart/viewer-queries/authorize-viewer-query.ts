import { AppError, message, type QueryObject, type ResultType } from '@parquetry/model'
import { findGrantedFilter, type AccessPath } from '../../access/access.ts'
import { readViewerRules } from '../../settings/viewer-rules.ts'
import { readCached } from '../../store/read-cache.ts'
import type { ChartDeps } from '../deps.ts'
import type { ResolvedQuery } from '../resolved-query.ts'
import { withTemporalColumns } from '../saved-chart-query.ts'
import { loadDashboardCharts, toFilteredDashboard } from '../stored-dashboard.ts'
import { isFilterValuesQuery } from './filter-values-query.ts'
import { readQuery } from './list-saved-queries.ts'
import { isSavedQuery, type ShownChart } from './saved-query.ts'

/**
 * Refuses a query of a principal who reads the dataset only as a viewer of a dashboard or chart (`ResolvedQuery.via`), unless it
 * is a query of that dashboard or chart: a saved query of the chart with what the filters of the dashboard may add, or a query for
 * the values of a native filter.
 * @param type  the type it is planned with, which may differ from the one in its context
 * @throws AppError `dataset_access`
 */
export async function authorizeViewerQuery(
  resolved: ResolvedQuery,
  query: QueryObject,
  type: ResultType,
): Promise<void> {
  if (resolved.via && !(await isOwnQuery(resolved, resolved.via, query, type))) throw foreignQuery()
}

const foreignQuery = (): AppError =>
  new AppError('dataset_access', {
    message: message(
      'errors.chart.foreignQuery',
      'You can see only what the dashboard shows. To query its data in another way, you need access to the dataset.',
    ),
  })

/** Result types that contain only the rows of a query, or its SQL. */
const ownResultTypes = new Set(['full', 'results', 'post_processed', 'query'])

/** Tests whether a query is one of the dashboard, chart or native filter of this path. */
export async function isOwnQuery(
  resolved: ResolvedQuery,
  via: AccessPath,
  query: QueryObject,
  type: ResultType,
): Promise<boolean> {
  const { context, dataset, principal, deps } = resolved
  if ('filterId' in via) {
    const access = { db: deps.db, principal, ...readViewerRules(deps.settings) }
    const granted = await findGrantedFilter(access, dataset.id, via)
    const planned = { ...context, result_type: type }
    return granted !== undefined && isFilterValuesQuery({ ...granted, dataset: dataset.id }, planned, query)
  }
  if (!ownResultTypes.has(type)) return false
  const shown = (await readShownCharts(deps, via)).get(via.sliceId ?? -1)
  if (shown?.chart.datasource_id !== dataset.id) return false
  return isSavedQuery(shown, readQuery(query), context.form_data ?? {}, dataset.columns)
}

type ChartPath = Extract<AccessPath, { sliceId: unknown }>
type ViewerDeps = Pick<ChartDeps, 'db' | 'settings'>

/** Returns the charts of a path by id, each with its dashboard. All principals share what was read. */
function readShownCharts(deps: ViewerDeps, path: ChartPath): Promise<ReadonlyMap<number, ShownChart>> {
  const { db } = deps
  return readCached(db, db, JSON.stringify(['shown charts', path.dashboardId ?? path]), () =>
    path.dashboardId === null ? readSingleChart(deps, path.sliceId) : readDashboardCharts(deps, path.dashboardId),
  )
}

async function readSingleChart({ db }: ViewerDeps, id: number | null): Promise<Map<number, ShownChart>> {
  const rows = await db.selectFrom('chart').selectAll().where('id', '=', id).execute()
  return new Map((await withTemporalColumns(db, rows)).map((chart) => [chart.id, { chart, dashboard: null }]))
}

async function readDashboardCharts(deps: ViewerDeps, id: number): Promise<Map<number, ShownChart>> {
  const stored = await deps.db.selectFrom('dashboard').selectAll().where('id', '=', id).executeTakeFirst()
  if (!stored) return new Map()
  const charts = await loadDashboardCharts(stored, deps)
  const dashboard = { filtered: toFilteredDashboard(stored, charts.keys(), deps.settings.flags), charts }
  return new Map([...charts].map(([chartId, chart]) => [chartId, { chart, dashboard }]))
}
