import type { DashboardSearch } from '../pages.ts'
import { loadDashboard } from './calls.ts'
import { openDashboard, type OpenedDashboard } from './open-dashboard.ts'
import { readLinkState } from './read-link-state.ts'

const prefetched = new Map<string, { opened: Promise<OpenedDashboard>; at: number }>()
/** A prefetched dashboard not used by then belongs to a page that was never shown. */
const prefetchTtlMs = 10_000

/** A link to other filters opens another state of the same dashboard. */
const linkKey = (name: string, search: DashboardSearch, hash: string): string => JSON.stringify([name, search, hash])

/** Prefetches a dashboard: its charts are queried while the page is still loading. */
export function prefetchDashboard(name: string, search: DashboardSearch, hash: string): void {
  const opened = openByName(name, search, hash)
  prefetched.clear()
  prefetched.set(linkKey(name, search, hash), { opened, at: Date.now() })
  // The consumer reports the error.
  opened.catch(() => undefined)
}

/** Returns the prefetched dashboard of this link once; a page that is shown again loads it again. */
export function takePrefetchedDashboard(
  name: string,
  search: DashboardSearch,
  hash: string,
): Promise<OpenedDashboard> | undefined {
  const found = prefetched.get(linkKey(name, search, hash))
  prefetched.clear()
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
