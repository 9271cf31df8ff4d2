import type { DashboardSearch } from '../pages.ts'
import { loadDashboard } from './calls.ts'
import { openDashboard, type OpenedDashboard } from './open-dashboard.ts'
import { readLinkState } from './read-link-state.ts'

const prefetched = new Map<string, { opened: Promise<OpenedDashboard>; at: number }>()
/** A prefetched dashboard not used by then belongs to a page that was never shown. */
const prefetchTtlMs = 10_000

/** The key includes search and hash because links with other filters open another state. */
const linkKey = (idOrSlug: string, search: DashboardSearch, hash: string): string =>
  JSON.stringify([idOrSlug, search, hash])

/** Prefetches a dashboard: its charts are queried while the page is still loading. */
export function prefetchDashboard(idOrSlug: string, search: DashboardSearch, hash: string): void {
  const opened = openByName(idOrSlug, search, hash)
  prefetched.clear()
  prefetched.set(linkKey(idOrSlug, search, hash), { opened, at: Date.now() })
  // The consumer reports the error.
  opened.catch(() => undefined)
}

/** Returns the prefetched dashboard of this link once; a page that is shown again loads it again. */
export function takePrefetchedDashboard(
  idOrSlug: string,
  search: DashboardSearch,
  hash: string,
): Promise<OpenedDashboard> | undefined {
  const found = prefetched.get(linkKey(idOrSlug, search, hash))
  prefetched.clear()
  return found && Date.now() - found.at < prefetchTtlMs ? found.opened : undefined
}

/**
 * Loads a dashboard with the state of its link, and queries its charts.
 * @param idOrSlug id, slug or uuid
 * @param hash the node that the URL links to, or ''
 * @throws ApiError
 */
export async function openByName(
  idOrSlug: string,
  search: DashboardSearch,
  hash: string,
  signal?: AbortSignal,
): Promise<OpenedDashboard> {
  const current = await loadDashboard(idOrSlug, signal)
  const { loaded, version } =
    search.version === undefined
      ? { loaded: current, version: undefined }
      : await (await import('./load-version.ts')).loadVersion(current, search.version, signal)
  const start = await readLinkState(idOrSlug, search, hash, loaded)
  signal?.throwIfAborted()
  return openDashboard(loaded, { ...start, version })
}
