import { chartsBelow, type LayoutNodes } from './dashboard-layout.ts'
import type { DataMask } from './dashboard-stream.ts'

/** Which charts a filter reaches: those below the containers of `rootPath` but for the excluded ones. */
export interface FilterScope {
  rootPath?: string[]
  excluded?: number[]
  [key: string]: unknown
}

/** An entry of `native_filter_configuration`; open, unknown keys are kept. */
export interface NativeFilter {
  id: string
  /** Absent in old documents: a filter. */
  type?: 'NATIVE_FILTER' | 'DIVIDER'
  name?: string
  /** Of a divider. */
  title?: string
  description?: string
  /** `filter_select`, `filter_time`, `filter_range`, `filter_timecolumn`, `filter_timegrain`, `filter_groupby`. */
  filterType?: string
  targets?: { datasetId?: number; column?: { name?: string } }[]
  controlValues?: Record<string, unknown>
  defaultDataMask?: { extraFormData?: Record<string, unknown>; filterState?: Record<string, unknown> }
  cascadeParentIds?: string[]
  scope?: FilterScope
  chartsInScope?: number[]
  [key: string]: unknown
}

/** What deciding on filters needs of a dashboard: its tree, and the parsed `json_metadata`. */
export interface FilteredDashboard {
  nodes: LayoutNodes
  metadata: {
    native_filter_configuration?: unknown
    chart_configuration?: unknown
    cross_filters_enabled?: unknown
    [key: string]: unknown
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Filters and dividers of a dashboard in their order; entries without an id are skipped. */
export const nativeFilters = ({ metadata }: FilteredDashboard): NativeFilter[] =>
  Array.isArray(metadata.native_filter_configuration)
    ? metadata.native_filter_configuration.filter((f): f is NativeFilter => isObject(f) && typeof f.id === 'string')
    : []

/** Charts that a scope reaches, by the tree as it is now; a scope without `rootPath` is the whole dashboard. */
export function chartsInScope(nodes: LayoutNodes, scope: FilterScope | undefined): number[] {
  const excluded = new Set(scope?.excluded ?? [])
  const reached = (scope?.rootPath ?? ['ROOT_ID']).flatMap((id) => chartsBelow(nodes, id))
  return [...new Set(reached)].filter((id) => !excluded.has(id))
}

/** Charts that a click in this chart filters; never the chart itself. */
export function chartsCrossFilteredBy({ nodes, metadata }: FilteredDashboard, chartId: number): number[] {
  const configuration = isObject(metadata.chart_configuration)
    ? metadata.chart_configuration[String(chartId)]
    : undefined
  const cross = isObject(configuration) && isObject(configuration.crossFilters) ? configuration.crossFilters : undefined
  const scope = isObject(cross?.scope) ? (cross.scope as FilterScope) : undefined
  return chartsInScope(nodes, scope).filter((id) => id !== chartId)
}

/** Charts that an entry of the data mask reaches; `id` names a native filter or, as a number, the clicked chart. */
export function chartsReachedBy(dashboard: FilteredDashboard, id: string): number[] {
  const filter = nativeFilters(dashboard).find((each) => each.id === id)
  if (filter) return filter.type === 'DIVIDER' ? [] : chartsInScope(dashboard.nodes, filter.scope)
  if (!/^\d+$/.test(id) || dashboard.metadata.cross_filters_enabled === false) return []
  return chartsCrossFilteredBy(dashboard, Number(id))
}

/**
 * The `extraFormData` of every mask entry that reaches a chart: native filters in their order, then cross-filters. What server
 * and client lay over the chart's form (`withFilters`); an id that the dashboard does not know reaches nobody.
 */
export function extraFormDataFor(
  dashboard: FilteredDashboard,
  mask: DataMask,
  chartId: number,
): Record<string, unknown>[] {
  const order = nativeFilters(dashboard).map((filter) => filter.id)
  const ids = Object.keys(mask).toSorted((a, b) => rank(order, a) - rank(order, b))
  return ids.flatMap((id) => {
    const extra = mask[id]?.extraFormData
    return extra && Object.keys(extra).length > 0 && chartsReachedBy(dashboard, id).includes(chartId) ? [extra] : []
  })
}

const rank = (order: string[], id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
