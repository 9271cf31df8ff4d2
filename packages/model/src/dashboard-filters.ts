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
    global_chart_configuration?: unknown
    cross_filters_enabled?: unknown
    /** Of filter boxes: chart id -> column -> which charts it reaches. */
    filter_scopes?: unknown
    [key: string]: unknown
  }
}

/** The key under which a form that was opened from a dashboard says which of its settings are those of the dashboard. */
export const inheritedSettings = 'inherited_settings'

/** By setting: what the chart has of its own, and what stands in its place as long as nobody changes it. Nothing is no setting. */
export type InheritedSettings = Record<string, { own?: unknown; given?: unknown }>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): boolean => typeof value === 'string'
const isArrayOf =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(fits)
const isTarget = (target: unknown): boolean =>
  isObject(target) && (target.column === undefined || target.column === null || isObject(target.column))

/** What fields of a filter have to be to count. Others are as if they were not there: other tools may have written anything. */
const fieldChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  title: isText,
  description: isText,
  filterType: isText,
  targets: isArrayOf(isTarget),
  adhoc_filters: isArrayOf(isObject),
  controlValues: isObject,
  defaultDataMask: isObject,
  cascadeParentIds: isArrayOf(isText),
  scope: isObject,
  chartsInScope: Array.isArray,
  tabsInScope: Array.isArray,
}

const isValidField = ([field, value]: [string, unknown]): boolean =>
  value === undefined || !Object.hasOwn(fieldChecks, field) || fieldChecks[field]!(value)

/** The same without those parents that depend on their own child: of filters that wait for each other none would ever have a value. */
function removeCycles(filters: readonly NativeFilter[]): NativeFilter[] {
  const parents = new Map<string, readonly string[]>()
  const leadsTo = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return (parents.get(from) ?? []).some((id) => leadsTo(id, to, seen))
  }
  return filters.map((filter) => {
    const { id, cascadeParentIds = [] } = filter
    const kept = cascadeParentIds.filter((parent) => !leadsTo(parent, id))
    parents.set(id, kept)
    return kept.length === cascadeParentIds.length ? filter : { ...filter, cascadeParentIds: kept }
  })
}

/**
 * Filters and dividers of a dashboard in their order; entries without an id are skipped. Fields that are none, and parents that
 * wait for their own child, are left out.
 */
export const readNativeFilters = ({ metadata }: FilteredDashboard): NativeFilter[] =>
  Array.isArray(metadata.native_filter_configuration)
    ? removeCycles(
        metadata.native_filter_configuration.flatMap((filter: unknown) => {
          if (!isObject(filter) || typeof filter.id !== 'string') return []
          const fields = Object.entries(filter)
          const kept = fields.every(isValidField) ? filter : Object.fromEntries(fields.filter(isValidField))
          return [kept as unknown as NativeFilter]
        }),
      )
    : []

/** Charts that a scope reaches, by the tree as it is now; a scope without a `rootPath` is the whole dashboard. */
export function chartsInScope(nodes: LayoutNodes, scope: FilterScope | undefined): number[] {
  const excluded = new Set(Array.isArray(scope?.excluded) ? scope.excluded : [])
  const rootPath = Array.isArray(scope?.rootPath) ? scope.rootPath : ['ROOT_ID']
  const reached = rootPath.flatMap((id) => (typeof id === 'string' ? chartsBelow(nodes, id) : []))
  return [...new Set(reached)].filter((id) => !excluded.has(id))
}

/** The metadata as far as the feature flags let filters count: what is off filters nothing, and stays stored. */
export const applyFilterFlags = (
  metadata: FilteredDashboard['metadata'],
  flags: Readonly<Record<string, boolean | undefined>>,
): FilteredDashboard['metadata'] => ({
  ...metadata,
  ...(flags['DASHBOARD_NATIVE_FILTERS'] === false && { native_filter_configuration: [] }),
  ...(flags['DASHBOARD_CROSS_FILTERS'] === false && { cross_filters_enabled: false }),
})

/** The scope that clicks in this chart have of their own; undefined when they reach what clicks in all charts do. */
export function ownCrossFilterScope(
  { metadata }: Pick<FilteredDashboard, 'metadata'>,
  chartId: number,
): FilterScope | undefined {
  const configuration = isObject(metadata.chart_configuration)
    ? metadata.chart_configuration[String(chartId)]
    : undefined
  const cross = isObject(configuration) && isObject(configuration.crossFilters) ? configuration.crossFilters : undefined
  return isObject(cross?.scope) ? (cross.scope as FilterScope) : undefined
}

/** What clicks reach in charts that have no scope of their own. */
export function globalCrossFilterScope({ metadata }: Pick<FilteredDashboard, 'metadata'>): FilterScope | undefined {
  const { global_chart_configuration: all } = metadata
  return isObject(all) && isObject(all.scope) ? (all.scope as FilterScope) : undefined
}

/** Charts that a click in this chart filters; never the chart itself. */
export function listCrossFilteredCharts(dashboard: FilteredDashboard, chartId: number): number[] {
  const scope = ownCrossFilterScope(dashboard, chartId) ?? globalCrossFilterScope(dashboard)
  return chartsInScope(dashboard.nodes, scope).filter((id) => id !== chartId)
}

/** Which charts a column of a filter box reaches; undefined where the box says nothing of it: all that its clicks would. */
function boxScope({ nodes, metadata }: FilteredDashboard, chartId: string, column: string): number[] | undefined {
  const columns = isObject(metadata.filter_scopes) ? metadata.filter_scopes[chartId] : undefined
  const said = isObject(columns) && Object.hasOwn(columns, column) ? columns[column] : undefined
  if (!isObject(said)) return undefined
  const rootPath = Array.isArray(said.scope) ? said.scope.filter((id): id is string => typeof id === 'string') : []
  const excluded = Array.isArray(said.immune) ? said.immune.filter((id): id is number => typeof id === 'number') : []
  return chartsInScope(nodes, { rootPath, excluded })
}

/** How `filter_scopes` name what is no column. */
const boxTimes: Readonly<Record<string, string>> = {
  time_range: '__time_range',
  granularity_sqla: '__time_col',
  time_grain_sqla: '__time_grain',
}

/** What of a filter box's entry reaches a chart, column by column. */
function scopeBoxFormData(
  dashboard: FilteredDashboard,
  id: string,
  extra: Record<string, unknown>,
  chartId: number,
): Record<string, unknown> {
  const reaches = (column: string) => boxScope(dashboard, id, column)?.includes(chartId) ?? true
  const filters = Array.isArray(extra.filters)
    ? extra.filters.filter((filter: unknown) => !isObject(filter) || reaches(String(filter.col)))
    : undefined
  return Object.fromEntries(
    Object.entries({ ...extra, ...(filters && { filters }) }).filter(
      ([key, value]) => !(key in boxTimes && !reaches(boxTimes[key]!)) && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

/** Charts that an entry of the data mask reaches; `id` names a native filter or, as a number, the clicked chart. */
export function listFilteredCharts(dashboard: FilteredDashboard, id: string): number[] {
  const filter = readNativeFilters(dashboard).find((each) => each.id === id)
  if (filter) return filter.type === 'DIVIDER' ? [] : chartsInScope(dashboard.nodes, filter.scope)
  if (!/^\d+$/.test(id) || dashboard.metadata.cross_filters_enabled === false) return []
  return listCrossFilteredCharts(dashboard, Number(id))
}

/**
 * The `extraFormData` of every mask entry that reaches a chart: native filters in their order, then cross-filters. What server
 * and client lay over the chart's form (`withFilters`); an id that the dashboard does not know reaches nobody.
 */
export function collectExtraFormData(
  dashboard: FilteredDashboard,
  mask: DataMask,
  chartId: number,
): Record<string, unknown>[] {
  const order = readNativeFilters(dashboard).map((filter) => filter.id)
  const ids = Object.keys(mask).toSorted((a, b) => rank(order, a) - rank(order, b))
  return ids.flatMap((id) => {
    const extra = scopeExtraFormData(dashboard, id, mask[id]?.extraFormData ?? {}, chartId)
    return Object.keys(extra).length > 0 ? [extra] : []
  })
}

/** What of one entry's `extraFormData` reaches a chart: all, nothing, or of a filter box the columns that have it in scope. */
export function scopeExtraFormData(
  dashboard: FilteredDashboard,
  id: string,
  extra: Record<string, unknown>,
  chartId: number,
): Record<string, unknown> {
  if (Object.keys(extra).length === 0 || !listFilteredCharts(dashboard, id).includes(chartId)) return {}
  return hasBoxScopes(dashboard, id) ? scopeBoxFormData(dashboard, id, extra, chartId) : extra
}

const hasBoxScopes = ({ metadata }: FilteredDashboard, id: string): boolean =>
  isObject(metadata.filter_scopes) && Object.hasOwn(metadata.filter_scopes, id)

const rank = (order: string[], id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
