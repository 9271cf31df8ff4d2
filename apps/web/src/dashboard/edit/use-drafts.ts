import { useEffect, useState } from 'react'
import { isChanged } from '../layout/history.ts'
import { useDashboard } from '../state/context.ts'
import { dropDraft, keepDraft, readDraft, type LayoutDraft } from './drafts.ts'

const everyMs = 2000

/** Keeps the edited layout in the browser every two seconds while it differs from the saved one. */
export function useKeptDraft(): void {
  const { store } = useDashboard()
  useEffect(() => {
    let kept: unknown = store.getState().history.present
    const keep = () => {
      const { dashboard, history, isEditing } = store.getState()
      if (!isEditing || history.present === kept) return
      kept = history.present
      if (!isChanged(history)) return dropDraft(dashboard.result.id)
      const layout = { ...dashboard.layout, nodes: history.present }
      keepDraft(dashboard.result.id, { layout, from: dashboard.result.changed_on ?? null, at: Date.now() })
    }
    const timer = setInterval(keep, everyMs)
    addEventListener('pagehide', keep)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [store])
}

export interface DraftOffer {
  draft: LayoutDraft
  /** Somebody saved the dashboard after the draft was begun. */
  isOutdated: boolean
  restore(): void
  discard(): void
}

/** What an earlier visit left unsaved, to whom may edit; null once it was answered. */
export function useDraftOffer(): DraftOffer | null {
  const { store, rights } = useDashboard()
  const { id, changed_on = null } = store.getState().dashboard.result
  const [draft, setDraft] = useState(() => (rights.edit ? readDraft(id) : null))
  if (!draft) return null
  return {
    draft,
    isOutdated: draft.from !== changed_on,
    restore: () => {
      setDraft(null)
      const { actions } = store.getState()
      // Saving then finds what was saved in between, and asks.
      actions.settle((dashboard) => ({
        ...dashboard,
        result: { ...dashboard.result, changed_on: draft.from ?? undefined },
      }))
      actions.setEditing(true)
      actions.edit(() => draft.layout.nodes)
    },
    discard: () => {
      setDraft(null)
      dropDraft(id)
    },
  }
}
