import { ApiError } from '@parquetry/client'
import { toast, toastError, useNavigation, useTranslate, type Translate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { userId } from '../../shared/rights.ts'
import { boot } from '../../shared/boot.ts'
import { messageOf } from '../../shared/errors.ts'
import { onReconnect } from '../../shared/online.ts'
import { loadDashboard, saveDashboard, type LoadedDashboard } from '../data/calls.ts'
import { ensureStored } from '../data/ensure-stored.ts'
import type { DashboardDocument } from '../document/read-dashboard.ts'
import { defaultPositionLimit, layoutFill, buildSaveBody } from '../document/save-body.ts'
import { useDashboard } from '../state/context.ts'
import { clearDashboardDraft } from './drafts.ts'
import { useImportImages } from './use-import-images.ts'

/** Maximum length of a layout in characters on this server. */
export const positionLimit = (): number => {
  const limit = boot.common.conf.SUPERSET_DASHBOARD_POSITION_DATA_LIMIT
  return typeof limit === 'number' && limit > 0 ? limit : defaultPositionLimit
}

/** True if roles decide who can view a dashboard. */
export const hasDashboardRoles = (): boolean =>
  boot.common.feature_flags.DASHBOARD_RBAC === true || boot.common.feature_flags.ENABLE_VIEWERS === true

/** Interval for retrying a save that got no response. */
const retryMs = 4000

export interface DashboardSaveState {
  isSaving: boolean
  /** The last save got no response; it is retried until there is one. */
  isWaiting: boolean
  /** Resolves to true if the dashboard was saved. */
  save(overwrite?: boolean): Promise<boolean>
  /** Their version, if another user saved in between. */
  conflict: LoadedDashboard | null
  closeConflict(): void
}

/** Saves the edited layout (DASH-056, DASH-057, DASH-086) and reports errors (DASH-077, DASH-080). */
export function useDashboardSave(): DashboardSaveState {
  const t = useTranslate()
  const { store } = useDashboard()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [conflict, setConflict] = useState<LoadedDashboard | null>(null)

  const keepImages = useImportImages()

  const saveEdited = async (overwrite: boolean, isRetry: boolean): Promise<boolean> => {
    let sent = store.getState()
    const { actions } = sent
    const layout = () => ({ ...sent.dashboard.layout, nodes: sent.history.present })
    if (layoutFill(layout(), positionLimit()) > 1) {
      toastError(t('dashboard.tooLarge', 'Your dashboard is too large. Reduce its size before saving it.'))
      return false
    }
    const done = async (saved: DashboardDocument): Promise<true> => {
      setWaiting(false)
      // Changes made during the save stay as unsaved work on top of it.
      const now = store.getState()
      const isCurrent = now.history.present === sent.history.present && now.settings.present === sent.settings.present
      if (isCurrent) {
        clearDashboardDraft(saved.result.id, userId)
        actions.load(saved)
      } else actions.rebase(saved)
      // DASH-014: the URL after a save is the one that links use.
      const name = encodeURIComponent(saved.result.slug || saved.result.id)
      // The page of another name replaces this one, whose buttons would be there for a moment.
      if (isCurrent && location.pathname.replace(/\/$/, '').endsWith(`/${name}`)) actions.setEditing(false)
      go(`/superset/dashboard/${name}/`, { replace: true })
      toast(t('dashboard.saved', 'This dashboard was saved successfully.'))
      await queries.invalidateQueries({ queryKey: ['dashboard'], refetchType: 'none' })
      return true
    }
    try {
      const id = await ensureStored(store)
      sent = store.getState()
      await saveDashboard(
        id,
        buildSaveBody(sent.dashboard, layout(), { overwrite, saved: sent.saved, hasRoles: hasDashboardRoles() }),
      )
      return await done((await loadDashboard(String(id))).dashboard)
    } catch (error) {
      const status = error instanceof ApiError ? error.status : null
      if (status !== 0) setWaiting(false)
      if (status === 409) {
        const [theirs, merge] = await Promise.all([
          loadDashboard(String(sent.dashboard.result.id)).catch((unread: unknown) =>
            toastError(saveErrorText(t, unread)),
          ),
          // If this code fails to load, as after an upgrade, the save counts as a conflict.
          import('../document/merge.ts').catch(() => null),
        ])
        if (!theirs) return false
        // If only the response of our save was lost, the server has exactly what was sent, which is no conflict.
        const mine = { ...sent.dashboard, layout: layout() }
        const differences = merge?.dashboardDifferences(mine, theirs.dashboard)
        if (differences?.length === 0) return done(theirs.dashboard)
        setConflict(theirs)
      } else if (status === 0) {
        setWaiting(true)
        if (!isRetry)
          toast(t('dashboard.saveWaits', 'No connection. The dashboard will be saved when you’re back online.'), {
            kind: 'warning',
          })
      } else toastError(saveErrorText(t, error))
      return false
    }
  }

  const save = async (overwrite = false, isRetry = false): Promise<boolean> => {
    setSaving(true)
    try {
      const { sayWhatFailed } = await keepImages()
      const isSaved = await saveEdited(overwrite, isRetry)
      if (isSaved) sayWhatFailed()
      return isSaved
    } finally {
      setSaving(false)
    }
  }
  const again = useRef<() => void>(undefined)
  useEffect(() => {
    again.current = isSaving ? undefined : () => void save(false, true)
  })
  useEffect(() => {
    if (!isWaiting) return
    const retry = () => again.current?.()
    const timer = setInterval(retry, retryMs)
    const end = onReconnect(retry)
    return () => {
      clearInterval(timer)
      end()
    }
  }, [isWaiting])
  return { isSaving, isWaiting, save, conflict, closeConflict: () => setConflict(null) }
}

/** Error text of a failed save. Errors that are not server responses are bugs, whose message does not help users (DASH-078). */
export const saveErrorText = (t: Translate, error: unknown): string =>
  error instanceof ApiError && error.status === 403
    ? t('dashboard.saveForbidden', 'You do not have permission to edit this dashboard')
    : t('dashboard.saveFailed', 'Sorry, there was an error saving this dashboard: {error}', {
        error:
          error instanceof ApiError
            ? messageOf(error)
            : t('dashboard.unknownError', 'Sorry, an unknown error occurred'),
      })
