import type { DataMask, LayoutNodes } from '@parquetry/model'
import { preselectedMasks } from '../filters/filter-boxes.ts'
import type { DashboardSearch } from '../pages.ts'
import { revealNode, type OpenTabs } from '../state/tabs.ts'
import { readFilterState, readPermalink, type LoadedDashboard } from './calls.ts'
import { parseRisonMask, readLinkPart } from './link-part.ts'
import type { OpenDashboardOptions } from './open-dashboard.ts'

/**
 * Reads the state that the link contains. The dashboard also opens without a part that is missing, and says so.
 * @param idOrSlug id, slug or uuid of the dashboard
 * @param hash the node that the URL links to, or ''
 */
export async function readLinkState(
  idOrSlug: string,
  search: DashboardSearch,
  hash: string,
  { dashboard }: LoadedDashboard,
): Promise<OpenDashboardOptions> {
  const { nodes } = dashboard.layout
  const { permalinkKey, nativeFiltersKey } = search
  const [permalink, stored] = await Promise.all([
    readLinkPart(permalinkKey, readPermalink),
    readLinkPart(nativeFiltersKey, (key) => readFilterState(idOrSlug, key)),
  ])
  const written = parseRisonMask(search.nativeFilters)
  const state = permalink.value?.state
  const anchor = hash || state?.anchor || findChartNode(nodes, search.focusedChart)
  const openTabs = [...(state?.activeTabs ?? []), ...(anchor ? [anchor] : [])].reduce<OpenTabs>(
    (open, id) => revealNode(nodes, id, open),
    {},
  )
  const preselected = preselectedMasks(dashboard.charts, search.preselectFilters)
  // The later ones override the earlier ones, which therefore are not missed.
  const masks = [written, { ...permalink, value: state?.dataMask ?? null }, stored]
  const inForce = masks.findLast(({ value, missing }) => value !== null || missing !== null)
  return {
    mask: Object.assign({}, preselected, ...masks.map(({ value }) => value)) as DataMask,
    openTabs,
    isEditing: search.edit,
    anchor,
    missingFilters: inForce?.missing ?? null,
    labelSlots: state?.labelSlots ?? {},
  }
}

const findChartNode = (nodes: LayoutNodes, chartId: number | undefined): string | undefined =>
  chartId === undefined ? undefined : Object.values(nodes).find(({ meta }) => meta.chartId === chartId)?.id
