import {
  parseExactJson,
  AppError,
  message,
  warmUpRoutes as routes,
  type QueryFilter,
  type WarmedChart,
} from '@parquetry/model'
import { can } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { App } from '../http/app.ts'
import { accessConditions, visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { localizeError } from '../settings/messages.ts'
import { and } from '../store/conditions.ts'
import { buildFramesResponse } from './frames-response.ts'
import { buildJsonResponse } from './json-response.ts'
import { chartResource, type ChartRow } from './chart-resource.ts'
import type { ChartDeps } from './deps.ts'
import { invalidateDatasets } from './invalidate-datasets.ts'
import { resolveQuery } from './resolve-query.ts'
import { buildSavedChartQuery, withTemporalColumns, type SavedChart } from './saved-chart-query.ts'

interface LaidOver {
  dashboard_id?: number | null
  extra_filters?: string | null
}

const fieldError = (field: string, text: string): AppError =>
  new AppError('bad_request', { message: `{'${field}': ['${text}']}` })

function parseFilters(text: string | null | undefined): QueryFilter[] {
  if (!text) return []
  try {
    const read: unknown = parseExactJson(text)
    if (Array.isArray(read)) return read as QueryFilter[]
  } catch {
    // Reported below.
  }
  throw fieldError('extra_filters', 'Not a valid JSON list.')
}

/** `PUT .../warm_up_cache` and `POST /api/v1/cachekey/invalidate`. */
export function warmUpRoutes(app: App, deps: ChartDeps): void {
  /** Warms both response formats: that of our own web client and that of all others. */
  async function warm(
    chart: SavedChart,
    { dashboard_id = null, extra_filters }: LaidOver,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<WarmedChart> {
    const filters = parseFilters(extra_filters)
    try {
      const extras = filters.length > 0 ? [{ filters }] : []
      const { context } = await buildSavedChartQuery(chart, {}, extras, dashboard_id)
      const resolved = await resolveQuery({ ...context, force: true }, deps, principal)
      await buildFramesResponse(resolved, signal)
      await buildJsonResponse(resolved, signal)
      return { chart_id: chart.id, viz_error: null, viz_status: 'success' }
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'query_stopped') throw error
      const viz_error = localizeError(error, deps.settings).message
      return { chart_id: chart.id, viz_error, viz_status: 'failed' }
    }
  }
  const canRead = async (principal: Principal, id: number): Promise<boolean> =>
    can(readContext(app, principal), ['can_read', 'Dataset'], { kind: 'dataset', id })

  async function warmChart(id: number, laidOver: LaidOver, principal: Principal, signal: AbortSignal) {
    const row = await visibleRow<ChartRow>(chartResource, id, readContext(app, principal))
    const [chart] = await withTemporalColumns(deps.db, [row as unknown as SavedChart])
    return [await warm(chart as SavedChart, laidOver, principal, signal)]
  }

  async function warmTable(
    { db_name, table_name, ...laidOver }: LaidOver & { db_name: string; table_name: string },
    principal: Principal,
    signal: AbortSignal,
  ) {
    const dataset = await deps.db
      .selectFrom('dataset')
      .innerJoin('database', 'database.id', 'dataset.database_id')
      .select('dataset.id')
      .where('database_name', '=', db_name)
      .where('table_name', '=', table_name)
      .executeTakeFirst()
    if (!dataset || !(await canRead(principal, dataset.id))) throw new AppError('not_found')
    const rows = await deps.db
      .selectFrom('chart')
      .selectAll()
      .where('datasource_id', '=', dataset.id)
      .where('datasource_type', '=', 'table')
      .where(and(accessConditions(chartResource, readContext(app, principal))))
      .orderBy('id')
      .execute()
    const result: WarmedChart[] = []
    // Runs sequentially: no one waits for these, and other queries run meanwhile.
    for (const chart of await withTemporalColumns(deps.db, rows))
      result.push(await warm(chart, laidOver, principal, signal))
    return result
  }

  serve(app, routes.chart, async ({ body: { chart_id, ...laidOver }, principal, signal }) => ({
    result: await warmChart(chart_id, laidOver, principal, signal),
  }))
  serve(app, routes.dataset, async ({ body, principal, signal }) => ({
    result: await warmTable(body, principal, signal),
  }))
  serve(app, routes.older, async ({ query: { slice_id, table_name, db_name, ...laidOver }, principal, signal }) => {
    if (slice_id === undefined && (!table_name || !db_name))
      throw new AppError('bad_request', {
        message: message('errors.chart.warmUpWhat', 'Name a chart by slice_id, or a table by table_name and db_name.'),
      })
    const warmed =
      slice_id === undefined
        ? await warmTable({ ...laidOver, table_name: table_name ?? '', db_name: db_name ?? '' }, principal, signal)
        : await warmChart(slice_id, laidOver, principal, signal)
    return warmed.map(({ chart_id, ...outcome }) => ({ slice_id: chart_id, ...outcome }))
  })

  serve(app, routes.invalidate, async ({ body, reply }) => {
    const datasetIds = (body.datasource_uids ?? []).flatMap((uid) => /^(\d{1,15})__table$/.exec(uid)?.[1] ?? [])
    for (const { database_name, datasource_name, schema } of body.datasources ?? []) {
      const found = await deps.db
        .selectFrom('dataset')
        .innerJoin('database', 'database.id', 'dataset.database_id')
        .select(['dataset.id', 'schema'])
        .where('database_name', '=', database_name)
        .where('table_name', '=', datasource_name)
        .execute()
      datasetIds.push(...found.filter((row) => !schema || row.schema === schema).map(({ id }) => String(id)))
    }
    await invalidateDatasets(deps, new Set(datasetIds.map(Number)))
    return reply.code(201).send({})
  })
}
