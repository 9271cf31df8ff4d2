import {
  AppError,
  chartsBelow,
  listFilteredCharts,
  readNativeFilters,
  rootId,
  type DataMask,
  type FilteredDashboard,
  type NativeFilter,
} from '@parquetry/model'
import { LRUCache } from 'lru-cache'
import { hasPermission, requesterKey, type Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { dashboardStream } from './data-stream.ts'
import type { DashboardOpener } from './open-dashboard.ts'
import type { StoredStreams } from './stored-streams.ts'

/** The prefetch is aborted if the page has not requested its data after this time. */
const prefetchTimeoutMs = 5_000

/**
 * Time that the request of the page has to join the prefetched queries. Then the prefetch is aborted, and only the request keeps
 * them running.
 */
const handOverMs = 1_000

/** A page that is opened again within this time starts no prefetch. */
const cooldownMs = 5_000

/**
 * Runs the queries of a dashboard while the browser still loads its scripts, through the same path and with the same rights as
 * the request that the page sends a moment later. That request joins queries in flight and finds finished results in the cache.
 * Queries that it could not reuse are not prefetched: uncached results, time ranges that end now, charts that wait for a filter.
 */
export class PrefetchedDashboards {
  readonly #deps: ChartDeps
  readonly #opener: DashboardOpener
  readonly #stored: StoredStreams
  readonly #started = new LRUCache<string, AbortController>({ max: 1000, ttl: cooldownMs })

  constructor(deps: ChartDeps, opener: DashboardOpener, stored: StoredStreams) {
    this.#deps = deps
    this.#opener = opener
    this.#stored = stored
  }

  /** Never fails. Only tests await it. */
  async prefetch(principal: Principal, idOrSlug: string): Promise<void> {
    if (principal.kind === 'guest' || !hasPermission(principal, ['can_read', 'Dashboard'])) return
    try {
      const opened = await this.#opener.open(principal, idOrSlug)
      const { dashboard, charts, filtered } = opened
      const key = prefetchKey(principal, dashboard.id)
      if (this.#started.has(key)) return
      const initialCharts = listInitialCharts(filtered).filter((id) => charts.has(id))
      const request = { charts: initialCharts.map((id) => ({ id })), data_mask: buildDefaultMask(filtered) }
      const signature = await this.#opener.sign(principal, opened)
      if (await this.#stored.has({ dashboard: opened, signature, body: request, canEdit: false })) return
      const controller = new AbortController()
      this.#started.set(key, controller)
      const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(prefetchTimeoutMs)])
      const context = {
        deps: this.#deps,
        principal,
        signal,
        canEdit: false,
        isPrefetch: true,
        isInteractive: true,
        charts,
      }
      for await (const part of dashboardStream(dashboard, request, context)) void part
    } catch (error) {
      if (!(error instanceof AppError)) this.#deps.log.error({ err: error }, 'could not prefetch a dashboard')
    }
  }

  /** Aborts the prefetch shortly after the page has requested its data. */
  handOver(principal: Principal, dashboardId: number): void {
    const controller = this.#started.get(prefetchKey(principal, dashboardId))
    if (controller) setTimeout(() => controller.abort(), handOverMs).unref()
  }
}

const prefetchKey = (principal: Principal, dashboardId: number): string => `${requesterKey(principal)} ${dashboardId}`

/** Data mask of a dashboard that opens with its default filter values. */
export const buildDefaultMask = (filtered: FilteredDashboard): DataMask =>
  Object.fromEntries(readNativeFilters(filtered).map(({ id, defaultDataMask = {} }) => [id, defaultDataMask]))

/** Charts in layout order, except those in tabs that are not in `tabs`; all charts without `tabs`. */
export function listVisibleCharts({ nodes }: FilteredDashboard, tabs: readonly string[] | undefined): number[] {
  const hidden = Object.values(nodes).filter(({ id, type }) => type === 'TAB' && tabs && !tabs.includes(id))
  const hiddenCharts = new Set(hidden.flatMap(({ id }) => chartsBelow(nodes, id)))
  return chartsBelow(nodes, rootId).filter((id) => !hiddenCharts.has(id))
}

/** Charts queried as soon as the page opens: those in first tabs that do not wait for a filter value. */
function listInitialCharts(filtered: FilteredDashboard): number[] {
  const { nodes } = filtered
  const tabs = Object.values(nodes).flatMap(({ type, children }) =>
    type === 'TABS' ? (children.find((id) => Object.hasOwn(nodes, id)) ?? []) : [],
  )
  const waiting = readNativeFilters(filtered).filter(isAwaitingValue)
  const waitingCharts = new Set(waiting.flatMap(({ id }) => listFilteredCharts(filtered, id)))
  return [...new Set(listVisibleCharts(filtered, tabs))].filter((id) => !waitingCharts.has(id))
}

/** A filter whose charts are not queried without a value, and which has none yet. */
function isAwaitingValue({ controlValues = {}, defaultDataMask = {} }: NativeFilter): boolean {
  const { value = null } = defaultDataMask.filterState ?? {}
  const isEmpty = Array.isArray(value) ? value.length === 0 : value === null || value === ''
  return isEmpty && (controlValues['enableEmptyFilter'] === true || controlValues['defaultToFirstItem'] === true)
}
