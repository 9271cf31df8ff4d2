import { useEffect, useRef } from 'react'
import { dashboard as page } from '../pages.ts'
import { usePage } from '../../shared/page.ts'
import { saveFilterState } from '../data/calls.ts'
import { useDashboard } from '../state/context.ts'

/** Throttle interval: changes within it are stored together, and later ones do not delay earlier ones. */
const afterMs = 200

/** Id of this browser tab, so that its state has one entry on the server. */
function tabId(): string {
  const key = 'parquetry.tab'
  const known = sessionStorage.getItem(key)
  if (known) return known
  const made = String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
  sessionStorage.setItem(key, made)
  return made
}

/** Stores the applied filters under a key in the URL, so that a reload or a copied URL shows the same. */
export function useFilterLink(): void {
  const { store } = useDashboard()
  const { search, setSearch } = usePage(page)
  const latest = useRef({ key: search.nativeFiltersKey ?? null, setSearch })
  useEffect(() => {
    latest.current.setSearch = setSearch
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const saveState = async (keepalive: boolean): Promise<string> => {
      clearTimeout(timer)
      timer = undefined
      const { dashboard, mask } = store.getState()
      return saveFilterState(dashboard.result.id, latest.current.key, tabId(), mask, keepalive)
    }
    let isUnmounted = false
    const saveAndUpdateUrl = async () => {
      const key = await saveState(false)
      latest.current.key = key
      // The user may have moved to another page by then.
      if (!isUnmounted) latest.current.setSearch({ native_filters_key: key, native_filters: null }, { replace: true })
    }
    // Requests run one after another, so that no older state reaches the server last. If one fails, the URL only lacks the
    // filters.
    let saveQueue = Promise.resolve()
    const unsubscribe = store.subscribe((now, before) => {
      if (now.mask === before.mask) return
      timer ??= setTimeout(() => void (saveQueue = saveQueue.then(saveAndUpdateUrl).catch(() => undefined)), afterMs)
    })
    /** Sends a pending change when the page closes; usually the URL already contains the key. */
    const flush = () => {
      if (timer !== undefined && latest.current.key !== null) void saveState(true).catch(() => undefined)
    }
    addEventListener('pagehide', flush)
    return () => {
      isUnmounted = true
      unsubscribe()
      removeEventListener('pagehide', flush)
      flush()
      clearTimeout(timer)
    }
  }, [store])
}
