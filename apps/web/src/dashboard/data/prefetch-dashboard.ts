import { decodeRison, type DataMask, type LayoutNodes } from '@parquetry/model'
import { preselectedMasks } from '../filters/filter-boxes.ts'
import type { DashboardSearch } from '../pages.ts'
import { revealNode, type OpenTabs } from '../state/tabs.ts'
import { loadDashboard, readFilterState, readPermalink } from './calls.ts'
import { openDashboard, type OpenDashboardOptions, type OpenedDashboard } from './open-dashboard.ts'

const prefetched = new Map<string, { opened: Promise<OpenedDashboard>; at: number }>()
/** A prefetched dashboard not used by then belongs to a page that was never shown. */
const prefetchTtlMs = 10_000

/** Prefetches a dashboard: its charts are queried while the page is still loading. */
export function prefetchDashboard(name: string, search: DashboardSearch, hash: string): void {
  const opened = openByName(name, search, hash)
  prefetched.set(name, { opened, at: Date.now() })
  // The consumer reports the error.
  opened.catch(() => undefined)
}

/** Returns the prefetched dashboard of this name once; a page that is shown again loads it again. */
export function takePrefetchedDashboard(name: string): Promise<OpenedDashboard> | undefined {
  const found = prefetched.get(name)
  prefetched.delete(name)
  return found && Date.now() - found.at < prefetchTtlMs ? found.opened : undefined
}

/**
 * @param name id, slug or uuid
 * @param hash the node that the URL links to, or ''
 * @throws ApiError
 */
export async function openByName(
  name: string,
  search: DashboardSearch,
  hash: string,
  signal?: AbortSignal,
): Promise<OpenedDashboard> {
  const loaded = await loadDashboard(name, signal)
  const start = await readLinkState(name, search, hash, loaded)
  signal?.throwIfAborted()
  return openDashboard(loaded, start)
}

/** Reads the state that the link contains. Missing parts are skipped, so that the dashboard still opens. */
async function readLinkState(
  name: string,
  search: DashboardSearch,
  hash: string,
  loaded: Awaited<ReturnType<typeof loadDashboard>>,
): Promise<OpenDashboardOptions> {
  const { nodes } = loaded.dashboard.layout
  const state = search.permalinkKey ? (await readPermalink(search.permalinkKey).catch(() => null))?.state : undefined
  const storedMask = search.nativeFiltersKey
    ? await readFilterState(name, search.nativeFiltersKey).catch(() => null)
    : null
  const anchor = hash || state?.anchor || findChartNode(nodes, search.focusedChart)
  const openTabs = [...(state?.activeTabs ?? []), ...(anchor ? [anchor] : [])].reduce<OpenTabs>(
    (open, id) => revealNode(nodes, id, open),
    {},
  )
  const preselected = preselectedMasks(loaded.dashboard.charts, search.preselectFilters)
  const mask: DataMask = { ...preselected, ...parseRisonMask(search.nativeFilters), ...state?.dataMask, ...storedMask }
  return {
    mask,
    openTabs,
    isEditing: search.edit,
    anchor,
  }
}

const findChartNode = (nodes: LayoutNodes, chartId: number | undefined): string | undefined =>
  chartId === undefined ? undefined : Object.values(nodes).find(({ meta }) => meta.chartId === chartId)?.id

/** DASH-015: reads filters written into the URL; empty if they are invalid. */
function parseRisonMask(text: string | undefined): DataMask {
  if (!text) return {}
  try {
    const value = decodeRison(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as unknown as DataMask) : {}
  } catch {
    return {}
  }
}
