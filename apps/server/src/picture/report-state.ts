import {
  layoutNode,
  type DataMask,
  type DataMaskEntry,
  type LayoutNodes,
  readLayout,
  type ReportExtra,
} from '@parquetry/model'
import type { StoredDashboard } from '../chart/stored-dashboard.ts'

/** Filters and tabs of a dashboard that a report sends; undefined for its defaults and for all tabs. */
export interface DashboardState {
  dataMask?: DataMask | undefined
  tabs?: string[] | undefined
}

/** Returns the state that a report has stored for its dashboard. Tabs that are gone are ignored. */
export function readDashboardState(
  { dashboard: state = {} }: ReportExtra,
  { position_json }: Pick<StoredDashboard, 'position_json'>,
): DashboardState {
  const chosen = (state.nativeFilters ?? []).flatMap(readNativeFilter)
  const dataMask = { ...(state.dataMask as DataMask | undefined), ...Object.fromEntries(chosen) }
  const anchors = readAnchors(state.anchor)
  const wanted = anchors.length > 0 ? anchors : (state.activeTabs ?? [])
  const { nodes } = readLayout(position_json)
  const tabs = wanted.filter((id) => layoutNode(nodes, id)?.type === 'TAB')
  return {
    ...((state.dataMask || chosen.length > 0) && { dataMask }),
    ...(tabs.length > 0 && { tabs: completeTabs(nodes, tabs) }),
  }
}

/** An anchor is the id of a tab, or a list of them as JSON. */
function readAnchors(anchor: string | null | undefined): string[] {
  if (!anchor) return []
  try {
    const value: unknown = JSON.parse(anchor)
    if (Array.isArray(value)) return value.filter((each): each is string => typeof each === 'string')
  } catch {
    // A plain id.
  }
  return [anchor]
}

/** Adds the tabs around the given ones, and in containers of which no tab was chosen all of them. */
function completeTabs(nodes: LayoutNodes, chosen: readonly string[]): string[] {
  const shown = new Set<string>()
  const parents = new Map(Object.values(nodes).flatMap(({ id, children }) => children.map((child) => [child, id])))
  for (const tab of chosen)
    for (let id: string | undefined = tab; id !== undefined && !shown.has(id); id = parents.get(id)) shown.add(id)
  const visit = (id: string): void => {
    const node = layoutNode(nodes, id)
    if (!node) return
    const own = node.children.filter((child) => shown.has(child))
    const visible = node.type !== 'TABS' || own.length === 0 ? node.children : own
    for (const child of visible) {
      if (node.type === 'TABS') shown.add(child)
      visit(child)
    }
  }
  for (const tab of chosen) visit(tab)
  return [...shown].filter((id) => layoutNode(nodes, id)?.type === 'TAB')
}

/** Returns the entry of the data mask for a filter as Superset stores it with a report. */
function readNativeFilter(filter: Record<string, unknown>): [string, DataMaskEntry][] {
  const { nativeFilterId: id, filterType, columnName: col } = filter
  const values = Array.isArray(filter['filterValues']) ? (filter['filterValues'] as unknown[]) : []
  if (typeof id !== 'string' || values.length === 0) return []
  const [first, second] = values
  const label = values.map(String).join(', ')
  const entry = (extraFormData: Record<string, unknown>, value: unknown = values): [string, DataMaskEntry][] => [
    [id, { id, extraFormData, filterState: { label, value } }],
  ]
  switch (filterType) {
    case 'filter_time':
      return entry({ time_range: first }, first)
    case 'filter_timegrain':
      return entry({ time_grain_sqla: first })
    case 'filter_timecolumn':
      return entry({ granularity_sqla: first })
    case 'filter_range': {
      const limits = [
        ...(first === null || first === undefined ? [] : [{ col, op: '>=', val: first }]),
        ...(second === null || second === undefined ? [] : [{ col, op: '<=', val: second }]),
      ]
      return entry({ filters: limits })
    }
    default:
      return entry({ filters: [{ col, op: 'IN', val: values }] })
  }
}
