import { useEffect, useRef } from 'react'
import { dashboard as page } from '../pages.ts'
import { usePage } from '../../shared/page.ts'
import { getTabId } from '../../shared/tab-id.ts'
import { enqueueFilterSave, saveFilterState } from '../data/calls.ts'
import { newDashboardId } from '../document/read-dashboard.ts'
import { useDashboard } from '../state/context.ts'

/** Throttle interval: changes within it are stored together, and later ones do not delay earlier ones. */
const afterMs = 200

/**
 * Stores the applied filters under a key in the URL, so that a reload or a copied URL shows the same.
 * @param isGone  the server no longer has the key in the URL, and would store nothing under it
 * @param isVersion  the page shows an earlier version, whose filters belong to no address
 */
export function useFilterLink(isGone: boolean, isVersion: boolean): void {
  const { store } = useDashboard()
  const { search, setSearch } = usePage(page)
  const latest = useRef({ key: (!isGone && search.nativeFiltersKey) || null, setSearch })
  useEffect(() => {
    latest.current.setSearch = setSearch
  })
  useEffect(() => {
    // A duplicated tab takes its own id before it stores anything.
    getTabId()
    let timer: ReturnType<typeof setTimeout> | undefined
    const saveState = async (keepalive: boolean): Promise<string> => {
      clearTimeout(timer)
      timer = undefined
      const { dashboard, mask } = store.getState()
      return saveFilterState(dashboard.result.id, latest.current.key, mask, keepalive)
    }
    let isUnmounted = false
    const saveAndUpdateUrl = async () => {
      const key = await saveState(false)
      latest.current.key = key
      // The user may have moved to another page by then.
      if (!isUnmounted) latest.current.setSearch({ native_filters_key: key, native_filters: null }, { replace: true })
    }
    // If a request fails, the URL only lacks the filters.
    const unsubscribe = store.subscribe((now, before) => {
      if (now.mask === before.mask || isVersion || now.dashboard.result.id === newDashboardId) return
      timer ??= setTimeout(() => void enqueueFilterSave(saveAndUpdateUrl).catch(() => undefined), afterMs)
    })
    const hasUnsaved = () => timer !== undefined && latest.current.key !== null
    /** The page cannot wait for earlier requests when it closes. */
    const saveOnClose = () => {
      if (hasUnsaved()) void saveState(true).catch(() => undefined)
    }
    addEventListener('pagehide', saveOnClose)
    return () => {
      isUnmounted = true
      unsubscribe()
      removeEventListener('pagehide', saveOnClose)
      // Usually the URL already contains the key, so going back finds the filters.
      if (hasUnsaved()) void enqueueFilterSave(() => saveState(true)).catch(() => undefined)
      clearTimeout(timer)
    }
  }, [store, isVersion])
}
