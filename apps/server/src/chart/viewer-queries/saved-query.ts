import type { ChartForm } from '@parquetry/charts'
import type { FilteredDashboard, PlannerColumn, QueryFilter, QueryObject } from '@parquetry/model'
import type { SavedChart } from '../saved-chart-query.ts'
import { formatPart, isSameQuery, subtractFilters, withoutMark } from './compare-queries.ts'
import { areDeclaredExtras, isEmpty, type ExtraFormData } from './declared-extras.ts'
import { listSavedQueries } from './list-saved-queries.ts'

/** A chart as its viewers see it: by itself, or on a dashboard. */
export interface ShownChart {
  chart: SavedChart
  dashboard: { filtered: FilteredDashboard; charts: ReadonlyMap<number, SavedChart> } | null
}

/**
 * Tests whether a query is one of the saved chart, with what the filters of its dashboard may add. The additions are taken from the
 * query itself: they are added to the saved chart again, and the resulting queries are compared.
 * @param form  form data of the request, which names the x-axis of some queries
 * @param columns  the columns of the dataset
 */
export async function isSavedQuery(
  shown: ShownChart,
  query: QueryObject,
  form: ChartForm,
  columns?: readonly Pick<PlannerColumn, 'column_name'>[],
): Promise<boolean> {
  const saved = await listSavedQueries(shown.chart, null)
  // The x-axis of the form decides which column a time range filters.
  if (!saved.axes.includes(formatPart(form['x_axis']))) return false
  const tried = new Set<string>()
  for (const base of saved.queries) {
    const extras = findExtras(base, query)
    if (!extras || tried.has(formatPart(extras))) continue
    tried.add(formatPart(extras))
    if (!(await areDeclaredExtras(shown, extras, columns))) continue
    const { queries, isPaged } = isEmpty(extras) ? saved : await listSavedQueries(shown.chart, extras)
    if (queries.some((each) => isSameQuery(query, each, { isPaged }))) return true
  }
  return false
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
  const added = (name: string, value: unknown, saved: unknown) =>
    applied[name] || ((value ?? null) === (saved ?? null) ? null : value)
  const time = {
    time_range: added('__time_range', query.time_range, base.time_range),
    granularity_sqla: added('__time_col', query.granularity, base.granularity),
    time_grain_sqla: added('__time_grain', query.extras?.time_grain_sqla, base.extras?.time_grain_sqla),
  }
  return {
    ...(filters.length > 0 && { filters: filters.map(withoutMark) }),
    ...Object.fromEntries(Object.entries(time).filter(([, value]) => (value ?? null) !== null)),
    ...(Array.isArray(groupby) && groupby.length > 0 && { interactive_groupby: groupby }),
  }
}

/** Returns the filters that a chart passes on to the charts in its annotation layers. */
const listLayerFilters = ({ annotation_layers }: QueryObject): QueryFilter[] => {
  const layers = (annotation_layers ?? []) as { overrides?: { filters?: unknown } | null }[]
  const lists = layers.map((layer) => layer.overrides?.filters)
  return (lists.find((list) => Array.isArray(list)) as QueryFilter[] | undefined) ?? []
}
