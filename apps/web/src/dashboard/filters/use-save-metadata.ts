import { toast, toastError, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { loadDashboard, saveDashboard } from '../data/calls.ts'
import type { Metadata } from '../document/read-dashboard.ts'
import { buildMetadataBody } from '../document/save-body.ts'
import { saveErrorText } from '../edit/use-dashboard-save.ts'
import { useActions, useDashboardState } from '../state/context.ts'

/**
 * Saves settings of a dashboard immediately, separately from the layout. While the dashboard is edited they become an undo step
 * and are saved with the rest. A failed call changes nothing and shows the reason.
 */
export function useSaveMetadata<T>(change: (metadata: Metadata, input: T) => Metadata, onSaved: () => void) {
  const t = useTranslate()
  const { updateDocument, change: edit } = useActions()
  const isEditing = useDashboardState((state) => state.isEditing)
  const dashboard = useDashboardState((state) => state.dashboard)
  return useMutation({
    mutationFn: async (input: T) => {
      const metadata = change(dashboard.metadata, input)
      if (isEditing) {
        edit(({ nodes, settings }) => ({ nodes, settings: { ...settings, metadata } }))
        return null
      }
      await saveDashboard(dashboard.result.id, buildMetadataBody(dashboard, metadata))
      return (await loadDashboard(String(dashboard.result.id))).dashboard
    },
    onSuccess: (saved) => {
      if (saved) {
        updateDocument((before) => ({ ...saved, layout: before.layout }))
        toast(t('dashboard.filtersSaved', 'Filters saved'))
      } else
        toast(t('dashboard.filtersChanged', 'Filter changes take effect when you save the dashboard'), { kind: 'info' })
      onSaved()
    },
    onError: (error) => toastError(saveErrorText(t, error)),
  })
}
