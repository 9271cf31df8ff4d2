import { useEffect, useRef } from 'react'
import { dashboard as page } from '../pages.ts'
import { usePage } from '../../shared/page.ts'
import { saveFilterState } from '../data/calls.ts'
import { useDashboard } from '../state/context.ts'

/** What changes within this time is kept together; a later change does not put an earlier one off. */
const afterMs = 200

/** Names this tab of the browser, so that its state has one entry on the server; a copied tab gets a name of its own. */
function tabId(): string {
  const key = 'parquetry.tab'
  const known = sessionStorage.getItem(key)
  if (known) return known
  const made = String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
  sessionStorage.setItem(key, made)
  return made
}

/** Keeps the filters in force under a key in the address, so that a reload and a copied address show the same. */
export function useFilterLink(): void {
  const { store } = useDashboard()
  const { search, setSearch } = usePage(page)
  const latest = useRef({ key: search.nativeFiltersKey ?? null, setSearch })
  useEffect(() => {
    latest.current.setSearch = setSearch
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = async (keepalive: boolean): Promise<string> => {
      clearTimeout(timer)
      timer = undefined
      const { dashboard, mask } = store.getState()
      return saveFilterState(dashboard.result.id, latest.current.key, tabId(), mask, keepalive)
    }
    let isGone = false
    const keepAndName = async () => {
      const key = await keep(false)
      latest.current.key = key
      // By then the address may be that of another page.
      if (!isGone) latest.current.setSearch({ native_filters_key: key, native_filters: null }, { replace: true })
    }
    // One after the other, so that no older state comes to the server last. Without a key the address only lacks the filters.
    let kept = Promise.resolve()
    const unsubscribe = store.subscribe((now, before) => {
      if (now.mask === before.mask) return
      timer ??= setTimeout(() => void (kept = kept.then(keepAndName).catch(() => undefined)), afterMs)
    })
    /** Whoever leaves before that comes back to an address that has the key already, mostly. */
    const flush = () => {
      if (timer !== undefined && latest.current.key !== null) void keep(true).catch(() => undefined)
    }
    addEventListener('pagehide', flush)
    return () => {
      isGone = true
      unsubscribe()
      removeEventListener('pagehide', flush)
      flush()
      clearTimeout(timer)
    }
  }, [store])
}
