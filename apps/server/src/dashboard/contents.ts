import type { DashboardChart, DashboardDataset, DatasetObject } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { type ChartRow, chartUrl } from '../chart/chart-resource.ts'
import { asHtml } from '../chart/description.ts'
import { buildFormData, readParams } from '../chart/form-data.ts'
import { readDatasetObject } from '../dataset/dataset-object.ts'
import { readDataset } from '../dataset/stored-dataset.ts'
import { splitNames } from '../http/columns.ts'
import { and, type Condition } from '../store/conditions.ts'
import { isDashboardShared, type AccessContext, datasetAccess } from '../access/access.ts'
import type { DashboardRow } from './dashboard-resource.ts'

/** Charts of a dashboard by id, each with a flag whether the viewer may read its data. */
async function fetchCharts(context: AccessContext, { id }: DashboardRow): Promise<(ChartRow & { isOpen: boolean })[]> {
  const { db, principal } = context
  const onDashboard: Condition = sql<SqlBool>`chart.id in (select chart_id from dashboard_chart where dashboard_id = ${id})`
  const { rows } = await sql<ChartRow>`select chart.* from chart where ${onDashboard} order by chart.id`.execute(db)
  const access = datasetAccess(principal)
  if (!access || (await isDashboardShared(context, id))) return rows.map((row) => ({ ...row, isOpen: true }))
  const readable = await sql<{ id: number }>`select dataset.id from dataset where ${and([
    access,
    sql<SqlBool>`dataset.id in (${sql.join([-1, ...rows.map(({ datasource_id }) => datasource_id)])})`,
  ])}`.execute(db)
  const ids = new Set(readable.rows.map((dataset) => dataset.id))
  return rows.map((row) => ({ ...row, isOpen: ids.has(row.datasource_id) }))
}

/**
 * `GET /api/v1/dashboard/{id}/charts`. For a chart whose data the viewer may not read, only what the layout shows is returned.
 */
export async function listDashboardCharts(context: AccessContext, dashboard: DashboardRow): Promise<DashboardChart[]> {
  const charts = await fetchCharts(context, dashboard)
  return charts.map(({ isOpen, ...chart }) => ({
    id: chart.id,
    uuid: chart.uuid,
    slice_name: chart.slice_name,
    slice_url: chartUrl(chart.id),
    cache_timeout: chart.cache_timeout,
    changed_on: chart.changed_on,
    description: isOpen ? chart.description : null,
    description_markeddown: isOpen ? asHtml(chart.description) : '',
    certified_by: chart.certified_by,
    certification_details: chart.certification_details,
    form_data: buildFormData(isOpen ? chart : { ...chart, params: null }),
  }))
}

const asList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
const metricFields = splitNames(`
      metric metric_2 metrics metrics_b percent_metrics secondary_metric size timeseries_limit_metric
      series_limit_metric x y
    `)
const columnFields = splitNames(`
      all_columns all_columns_x columns entity groupby order_by_cols series x_axis groupbyColumns groupbyRows
      groupby_b temporal_columns_lookup granularity_sqla
    `)

interface UsedNames {
  metrics: Set<string>
  columns: Set<string>
}

/** Collects the names of metrics and columns in a form or query object. */
function collectNames(form: Record<string, unknown>, used: UsedNames): void {
  for (const field of metricFields)
    for (const metric of asList(form[field])) {
      if (typeof metric === 'string') used.metrics.add(metric)
      else {
        const { column } = (metric ?? {}) as { column?: { column_name?: unknown } }
        if (typeof column?.column_name === 'string') used.columns.add(column.column_name)
      }
    }
  for (const field of columnFields)
    for (const column of asList(form[field])) if (typeof column === 'string') used.columns.add(column)
  for (const filter of ['adhoc_filters', 'adhoc_filters_b'].flatMap((field) => asList(form[field]))) {
    const { subject } = (filter ?? {}) as { subject?: unknown }
    if (typeof subject === 'string') used.columns.add(subject)
  }
  for (const filter of asList(form['filters'])) {
    const { col } = (filter ?? {}) as { col?: unknown }
    if (typeof col === 'string') used.columns.add(col)
  }
}

function listUsedNames(charts: readonly ChartRow[]): UsedNames {
  const used: UsedNames = { metrics: new Set(), columns: new Set() }
  for (const { params, query_context } of charts) {
    collectNames(readParams(params), used)
    for (const query of asList(readParams(query_context)['queries']))
      if (typeof query === 'object' && query !== null) collectNames(query as Record<string, unknown>, used)
  }
  return used
}

/**
 * Reduces a dataset object to the columns and metrics that charts use; `column_names` and `column_types` cover all its columns.
 */
function pickUsed(object: DatasetObject, used: UsedNames): DashboardDataset {
  const { metrics, columns, verbose_map, description: _, ...rest } = object
  const usedColumns = columns.filter(({ column_name }) => used.columns.has(column_name))
  const usedMetrics = metrics.filter(({ metric_name }) => used.metrics.has(metric_name))
  const names = new Set([
    '__timestamp',
    ...usedColumns.map(({ column_name }) => column_name),
    ...usedMetrics.map(({ metric_name }) => metric_name),
  ])
  const types = new Set(columns.flatMap(({ type_generic }) => (type_generic === null ? [] : [type_generic])))
  return {
    ...rest,
    columns: usedColumns,
    metrics: usedMetrics,
    column_names: columns.map(({ column_name }) => column_name),
    column_types: [...types].toSorted((a, b) => a - b),
    verbose_map: Object.fromEntries(Object.entries(verbose_map).filter(([name]) => names.has(name))),
  }
}

/** `GET /api/v1/dashboard/{id}/datasets`: the datasets whose data the viewer may read, in the order of the charts. */
export async function listDashboardDatasets(
  context: AccessContext,
  dashboard: DashboardRow,
): Promise<DashboardDataset[]> {
  const charts = (await fetchCharts(context, dashboard)).filter(({ isOpen }) => isOpen)
  const byDataset = new Map<number, ChartRow[]>()
  for (const chart of charts) {
    const list = byDataset.get(chart.datasource_id)
    if (list) list.push(chart)
    else byDataset.set(chart.datasource_id, [chart])
  }
  const found: DashboardDataset[] = []
  for (const [id, using] of byDataset) {
    const stored = await readDataset(context.db, id)
    if (stored) found.push(pickUsed(await readDatasetObject(context.db, stored), listUsedNames(using)))
  }
  return found
}
