import { ApiError } from '@parquetry/client'
import { toast, toastError, useText, type Translate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { boot } from '../../shared/boot.ts'
import { messageOf } from '../../shared/errors.ts'
import { loadDashboard, saveDashboard, type LoadedDashboard } from '../data/calls.ts'
import { defaultPositionLimit, layoutFill, saveBody } from '../document/save-body.ts'
import { useDashboard } from '../state/context.ts'
import { dropDraft } from './drafts.ts'

/** Characters that a layout may have on this server. */
export const positionLimit = (): number => {
  const limit = boot.common.conf.SUPERSET_DASHBOARD_POSITION_DATA_LIMIT
  return typeof limit === 'number' && limit > 0 ? limit : defaultPositionLimit
}

/** Whether roles decide who sees a dashboard. */
export const hasDashboardRoles = (): boolean => boot.common.feature_flags.DASHBOARD_RBAC === true

export interface Saving {
  isSaving: boolean
  /** True when it is saved. */
  save(overwrite?: boolean): Promise<boolean>
  /** Theirs, when somebody saved in between. */
  conflict: LoadedDashboard | null
  closeConflict(): void
}

/** Saves the edited layout (DASH-056, DASH-057, DASH-086) and says what went wrong (DASH-077, DASH-080). */
export function useSave(): Saving {
  const t = useText()
  const { store } = useDashboard()
  const queries = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<LoadedDashboard | null>(null)

  const save = async (overwrite = false): Promise<boolean> => {
    const { dashboard, saved: seen, history, settings, actions } = store.getState()
    const { id } = dashboard.result
    const layout = { ...dashboard.layout, nodes: history.present }
    if (layoutFill(layout, positionLimit()) > 1) {
      toastError(t('dashboard.tooLarge', 'Your dashboard is too large. Reduce its size before saving it.'))
      return false
    }
    setSaving(true)
    try {
      await saveDashboard(id, saveBody(dashboard, layout, { overwrite, saved: seen, hasRoles: hasDashboardRoles() }))
      const { dashboard: saved } = await loadDashboard(String(id))
      // What was changed while the save was on its way stays as unsaved work on top of it.
      const now = store.getState()
      const isCurrent = now.history.present === history.present && now.settings.present === settings.present
      if (isCurrent) {
        dropDraft(id)
        actions.load(saved)
        actions.setEditing(false)
      } else actions.rebase(saved)
      toast(t('dashboard.saved', 'This dashboard was saved successfully.'))
      await queries.invalidateQueries({ queryKey: ['dashboard'], refetchType: 'none' })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) setConflict(await loadDashboard(String(id)))
      else toastError(saveErrorText(t, error))
      return false
    } finally {
      setSaving(false)
    }
  }
  return { isSaving, save, conflict, closeConflict: () => setConflict(null) }
}

/** What a failed save says. An error that is no answer of the server is ours, and its words help nobody (DASH-078). */
export const saveErrorText = (t: Translate, error: unknown): string =>
  error instanceof ApiError && error.status === 403
    ? t('dashboard.saveForbidden', 'You do not have permission to edit this dashboard')
    : t('dashboard.saveFailed', 'Sorry, there was an error saving this dashboard: {error}', {
        error:
          error instanceof ApiError
            ? messageOf(error)
            : t('dashboard.unknownError', 'Sorry, an unknown error occurred'),
      })
