import {
  addExtras,
  baseQuery,
  buildDownloadContext,
  loadStoredForm,
  namedQueries,
  withFilters,
  type ChartForm,
} from '@parquetry/charts'
import { AppError, parseExactJson, type FilteredDashboard, type QueryFilter, type QueryObject } from '@parquetry/model'
import { readQueryContext, readSavedContext } from '@parquetry/query'
import { buildFormData } from '../form-data.ts'
import type { SavedChart } from '../saved-chart-query.ts'
import { formatPart, isSameQuery, subtractFilters, withoutMark } from './compare-queries.ts'
import { areDeclaredExtras, isEmpty, type ExtraFormData } from './declared-extras.ts'

/** A chart as its viewers see it: by itself, or on a dashboard. */
export interface ShownChart {
  chart: SavedChart
  dashboard: { filtered: FilteredDashboard; charts: ReadonlyMap<number, SavedChart> } | null
}

/**
 * Tests whether a query is one of the saved chart, with what the filters of its dashboard may add. The additions are taken from the
 * query itself: they are added to the saved chart again, and the resulting queries are compared.
 * @param form  form data of the request, which names the x-axis of some queries
 */
export async function isSavedQuery(shown: ShownChart, query: QueryObject, form: ChartForm): Promise<boolean> {
  const saved = await listSavedQueries(shown.chart, null)
  // The x-axis of the form decides which column a time range filters.
  if (!saved.axes.includes(formatPart(form['x_axis']))) return false
  const tried = new Set<string>()
  for (const base of saved.queries) {
    const extras = findExtras(base, query)
    if (!extras || tried.has(formatPart(extras))) continue
    tried.add(formatPart(extras))
    if (!areDeclaredExtras(shown, extras)) continue
    const { queries, isPaged } = isEmpty(extras) ? saved : await listSavedQueries(shown.chart, extras)
    if (queries.some((each) => isSameQuery(query, each, { isPaged }))) return true
  }
  return false
}

interface SavedQueries {
  queries: QueryObject[]
  /** Allowed x-axes of the form, as `formatPart` writes them. */
  axes: readonly string[]
  /** Users may turn pages and sort them. */
  isPaged: boolean
}

const queriesByChart = new WeakMap<SavedChart, Promise<SavedQueries>>()

/**
 * Returns the queries of a saved chart: those of its form, for drawing and for files, and those of the query context that a
 * client stored with it.
 */
export function listSavedQueries(chart: SavedChart, extras: ExtraFormData | null): Promise<SavedQueries> {
  if (extras) return buildSavedQueries(chart, [extras])
  const found = queriesByChart.get(chart) ?? buildSavedQueries(chart, [])
  queriesByChart.set(chart, found)
  return found
}

async function buildSavedQueries(chart: SavedChart, extras: readonly ExtraFormData[]): Promise<SavedQueries> {
  const form = buildFormData(chart)
  // Clients that do not know the dataset use the temporal columns that are stored with the form.
  const opened = await Promise.all([loadStoredForm(form, chart), loadStoredForm(form)])
  const stored = opened.filter((each) => each !== undefined)
  const sources = [
    ...stored.map((each) => () => Object.values(namedQueries(each.chart, withFilters(each.form, extras)))),
    ...stored.map((each) => () => buildDownloadContext(each.chart, withFilters(each.form, extras), 'csv').queries),
    () => readSavedContext(parseExactJson(chart.query_context ?? '')).queries.map((query) => withExtras(query, extras)),
  ]
  const queries = sources.flatMap((list) => readOrNone(() => list().map(readQuery)))
  const axes = [undefined, form['x_axis'], ...stored.map((each) => each.form['x_axis'])].map(formatPart)
  return { queries, axes, isPaged: stored.some((each) => each.form['server_pagination'] === true) }
}

/** Adds extras to a query of a stored query context in the way that dashboards do. */
function withExtras(query: QueryObject, extras: readonly ExtraFormData[]): QueryObject {
  const { applied_time_extras } = baseQuery(withFilters({}, extras))
  return { ...addExtras(query, extras), applied_time_extras: { ...query.applied_time_extras, ...applied_time_extras } }
}

/** Returns no queries for a saved form that cannot be read. */
function readOrNone<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError || error instanceof SyntaxError) return []
    throw error
  }
}

/** Normalizes a query in the way that queries of requests are read. */
export function readQuery(query: QueryObject): QueryObject {
  const datasource = { id: 0, type: 'table' }
  const [read] = readQueryContext({ datasource, queries: [JSON.parse(JSON.stringify(query))] }).queries
  return read!
}

/** Returns the extras that turn the base into the query; null if no extras do. */
export function findExtras(base: QueryObject, query: QueryObject): ExtraFormData | null {
  const own = subtractFilters(query.filters ?? [], base.filters ?? [])
  const inLayers = subtractFilters(listLayerFilters(query), listLayerFilters(base))
  if (!own || !inLayers) return null
  const filters = own.length > 0 ? own : inLayers
  const { interactive_groupby: groupby } = query as { interactive_groupby?: unknown }
  // A filter may also have set a time setting that equals the saved one.
  const applied = query.applied_time_extras ?? {}
  const added = (name: string, value: unknown, saved: unknown) => applied[name] ?? (value === saved ? null : value)
  const time = {
    time_range: added('__time_range', query.time_range, base.time_range),
    granularity_sqla: added('__time_col', query.granularity, base.granularity),
    time_grain_sqla: added('__time_grain', query.extras?.time_grain_sqla, base.extras?.time_grain_sqla),
  }
  return {
    ...(filters.length > 0 && { filters: filters.map(withoutMark) }),
    ...Object.fromEntries(Object.entries(time).filter(([, value]) => Boolean(value))),
    ...(Array.isArray(groupby) && groupby.length > 0 && { interactive_groupby: groupby }),
  }
}

/** Returns the filters that a chart passes on to the charts in its annotation layers. */
const listLayerFilters = ({ annotation_layers }: QueryObject): QueryFilter[] => {
  const layers = (annotation_layers ?? []) as { overrides?: { filters?: unknown } | null }[]
  const lists = layers.map((layer) => layer.overrides?.filters)
  return (lists.find((list) => Array.isArray(list)) as QueryFilter[] | undefined) ?? []
}
