import { useCallback } from 'react'
import { createPermalink } from '../data/calls.ts'
import { useDashboard } from '../state/context.ts'
import { activeTabs } from '../state/tabs.ts'

/** Parameters that a link omits, because the permalink itself stores their state. */
const ownParams = new Set(['native_filters_key', 'native_filters', 'permalink_key', 'edit', 'new', 'preselect_filters'])

/** Parameters of the address that a link to this view keeps. */
export const readUrlParams = (): [name: string, value: string][] =>
  [...new URLSearchParams(location.search)].filter(([name]) => !ownParams.has(name))

/** Creates a URL of exactly this view (SHARE-004); `anchor` is the node that it scrolls to. */
export function useShareLink(): (anchor?: string) => Promise<string> {
  const { store, shownColors } = useDashboard()
  return useCallback(
    async (anchor) => {
      const { dashboard, history, mask, openTabs } = store.getState()
      const { url } = await createPermalink(dashboard.result.id, {
        dataMask: mask,
        activeTabs: activeTabs(history.present, openTabs),
        urlParams: readUrlParams(),
        ...(Object.keys(shownColors).length > 0 && { labelSlots: shownColors }),
        ...(anchor !== undefined && { anchor }),
      })
      return url
    },
    [store, shownColors],
  )
}
