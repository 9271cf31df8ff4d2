import { chartsBelow, type LayoutNodes } from './dashboard-layout.ts'
import type { DataMask } from './dashboard-stream.ts'

/** Charts that a filter reaches: those below the containers of `rootPath` except the excluded ones. */
export interface FilterScope {
  rootPath?: string[]
  excluded?: number[]
  [key: string]: unknown
}

/** An entry of `native_filter_configuration`. Unknown keys are preserved. */
export interface NativeFilter {
  id: string
  /** Absent in old documents, which means `NATIVE_FILTER`. */
  type?: 'NATIVE_FILTER' | 'DIVIDER'
  name?: string
  /** Dividers only. */
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

/** Parts of a dashboard that determine its filters: the layout tree and the parsed `json_metadata`. */
export interface FilteredDashboard {
  nodes: LayoutNodes
  metadata: {
    native_filter_configuration?: unknown
    chart_configuration?: unknown
    global_chart_configuration?: unknown
    cross_filters_enabled?: unknown
    /** Filter boxes only: chart id -> column -> scope. */
    filter_scopes?: unknown
    [key: string]: unknown
  }
}

/** Key in a form opened from a dashboard that lists the settings inherited from the dashboard. */
export const inheritedSettings = 'inherited_settings'

/**
 * By setting: `own` is the chart's saved value and `given` the dashboard's value, which replaces it until the user changes it. An
 * absent value means that the setting is not set.
 */
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

/** Validators of filter fields. Invalid fields are ignored, because other tools may have written anything. */
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

/** Removes parents that depend on their own child: filters that wait for each other would never get a value. */
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
    const acyclicParents = cascadeParentIds.filter((parent) => !leadsTo(parent, id))
    parents.set(id, acyclicParents)
    return acyclicParents.length === cascadeParentIds.length ? filter : { ...filter, cascadeParentIds: acyclicParents }
  })
}

/**
 * Returns the filters and dividers of a dashboard in order. Entries without an id, invalid fields and cyclic parents are dropped.
 */
export const readNativeFilters = ({ metadata }: FilteredDashboard): NativeFilter[] =>
  Array.isArray(metadata.native_filter_configuration)
    ? removeCycles(
        metadata.native_filter_configuration.flatMap((filter: unknown) => {
          if (!isObject(filter) || typeof filter.id !== 'string') return []
          const fields = Object.entries(filter)
          const valid = fields.every(isValidField) ? filter : Object.fromEntries(fields.filter(isValidField))
          return [valid as unknown as NativeFilter]
        }),
      )
    : []

/** Returns the charts in a scope according to the current tree. A scope without a `rootPath` covers the whole dashboard. */
export function chartsInScope(nodes: LayoutNodes, scope: FilterScope | undefined): number[] {
  const excluded = new Set(Array.isArray(scope?.excluded) ? scope.excluded : [])
  const rootPath = Array.isArray(scope?.rootPath) ? scope.rootPath : ['ROOT_ID']
  const reached = rootPath.flatMap((id) => (typeof id === 'string' ? chartsBelow(nodes, id) : []))
  return [...new Set(reached)].filter((id) => !excluded.has(id))
}

/** Returns the metadata without the filters that feature flags disable. Stored metadata is not changed. */
export const applyFilterFlags = (
  metadata: FilteredDashboard['metadata'],
  flags: Readonly<Record<string, boolean | undefined>>,
): FilteredDashboard['metadata'] => ({
  ...metadata,
  ...(flags['DASHBOARD_NATIVE_FILTERS'] === false && { native_filter_configuration: [] }),
  ...(flags['DASHBOARD_CROSS_FILTERS'] === false && { cross_filters_enabled: false }),
})

/** Returns the chart's own cross-filter scope, or undefined when it uses the global scope. */
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

/** Returns the cross-filter scope of charts without their own scope. */
export function globalCrossFilterScope({ metadata }: Pick<FilteredDashboard, 'metadata'>): FilterScope | undefined {
  const { global_chart_configuration: all } = metadata
  return isObject(all) && isObject(all.scope) ? (all.scope as FilterScope) : undefined
}

/** Returns the charts that a click in this chart filters; never includes the chart itself. */
export function listCrossFilteredCharts(dashboard: FilteredDashboard, chartId: number): number[] {
  const scope = ownCrossFilterScope(dashboard, chartId) ?? globalCrossFilterScope(dashboard)
  return chartsInScope(dashboard.nodes, scope).filter((id) => id !== chartId)
}

/**
 * Returns the charts in scope of a filter box column, or undefined when the box defines no scope for it and its cross-filter
 * scope applies.
 */
function boxScope({ nodes, metadata }: FilteredDashboard, chartId: string, column: string): number[] | undefined {
  const columns = isObject(metadata.filter_scopes) ? metadata.filter_scopes[chartId] : undefined
  const scope = isObject(columns) && Object.hasOwn(columns, column) ? columns[column] : undefined
  if (!isObject(scope)) return undefined
  const rootPath = Array.isArray(scope.scope) ? scope.scope.filter((id): id is string => typeof id === 'string') : []
  const excluded = Array.isArray(scope.immune) ? scope.immune.filter((id): id is number => typeof id === 'number') : []
  return chartsInScope(nodes, { rootPath, excluded })
}

/** Names that `filter_scopes` uses for time fields. */
const boxTimes: Readonly<Record<string, string>> = {
  time_range: '__time_range',
  granularity_sqla: '__time_col',
  time_grain_sqla: '__time_grain',
}

/** Returns the part of a filter box's entry that reaches a chart, column by column. */
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

/** Returns the charts that a data mask entry reaches; `id` is a native filter id or the numeric id of the clicked chart. */
export function listFilteredCharts(dashboard: FilteredDashboard, id: string): number[] {
  const filter = readNativeFilters(dashboard).find((each) => each.id === id)
  if (filter) return filter.type === 'DIVIDER' ? [] : chartsInScope(dashboard.nodes, filter.scope)
  if (!/^\d+$/.test(id) || dashboard.metadata.cross_filters_enabled === false) return []
  return listCrossFilteredCharts(dashboard, Number(id))
}

/**
 * Returns the `extraFormData` of every mask entry that reaches a chart: native filters in order, then cross-filters. Server and
 * client apply it to the chart's form (`withFilters`). Entries with unknown ids reach no charts.
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

/**
 * Returns the part of an entry's `extraFormData` that reaches a chart: all, nothing, or, for a filter box, the columns in scope.
 */
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
