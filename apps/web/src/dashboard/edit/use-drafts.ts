import { useEffect, useState } from 'react'
import { dashboardSettingsOf } from '../document/settings.ts'
import { userId } from '../../shared/rights.ts'
import { useDashboard } from '../state/context.ts'
import type { DashboardState } from '../state/store.ts'
import { clearDashboardDraft, storeDashboardDraft, readDashboardDraft, type DashboardDraft } from './drafts.ts'
import { isUnsaved, withPendingEdit } from './use-pending-edit.ts'

const autosaveMs = 2000

/** Stores the edited layout, including text being typed, in the browser every two seconds while it differs from the saved one. */
export function useDraftAutosave(): void {
  const { store } = useDashboard()
  useEffect(() => {
    const parts = ({ history, settings, writing }: DashboardState) => [history.present, settings.present, writing]
    let storedParts = parts(store.getState())
    const storeDraft = () => {
      const state = store.getState()
      const { dashboard, saved, settings, isEditing } = state
      if (!isEditing || parts(state).every((part, index) => part === storedParts[index])) return
      storedParts = parts(state)
      if (!isUnsaved(state)) return clearDashboardDraft(dashboard.result.id, userId)
      const layout = { ...dashboard.layout, nodes: withPendingEdit(state) }
      const from = dashboard.result.changed_on ?? null
      const { dashboard_title: title = null } = saved.result
      const base = { layout: saved.layout, settings: dashboardSettingsOf(saved), title }
      storeDashboardDraft(dashboard.result.id, userId, {
        layout,
        settings: settings.present,
        base,
        from,
        at: Date.now(),
      })
    }
    const timer = setInterval(storeDraft, autosaveMs)
    addEventListener('pagehide', storeDraft)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', storeDraft)
      storeDraft()
    }
  }, [store])
}

export interface DraftRecovery {
  draft: DashboardDraft
  /** The dashboard was saved after the draft was started. */
  isOutdated: boolean
  restore(): void
  discard(): void
}

/** Offers the unsaved work of an earlier visit to users who may edit; null once it is restored or discarded. */
export function useDraftRecovery(): DraftRecovery | null {
  const { store, rights } = useDashboard()
  const { id, changed_on = null } = store.getState().dashboard.result
  const [draft, setDraft] = useState(() => (rights.edit ? readDashboardDraft(id, userId) : null))
  if (!draft) return null
  return {
    draft,
    isOutdated: draft.from !== changed_on,
    restore: () => {
      setDraft(null)
      const { actions } = store.getState()
      // A save can then detect what was saved in between and tell it apart from the changes of the draft.
      actions.setBaseRevision(draft.base, draft.from)
      actions.setEditing(true)
      actions.change(({ settings }) => ({ nodes: draft.layout.nodes, settings: draft.settings ?? settings }))
    },
    discard: () => {
      setDraft(null)
      clearDashboardDraft(id, userId)
    },
  }
}
