import type { NativeFilter } from '@parquetry/model'
import { toast, toastError, useText } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { loadDashboard, saveDashboard } from '../data/calls.ts'
import { metadataBody } from '../document/save-body.ts'
import { saveErrorText } from '../edit/use-save.ts'
import { useActions, useBoard } from '../state/context.ts'
import { withNativeFilters } from './config.ts'
import { applyModeOf, type ApplyMode } from './use-filter-bar.ts'

/** Saves the filters of a dashboard at once, apart from the layout; while it is edited with everything else. */
export function useSaveFilters(onSaved: () => void) {
  const t = useText()
  const { settle, change } = useActions()
  const isEditing = useBoard((state) => state.isEditing)
  const dashboard = useBoard((state) => state.dashboard)
  return useMutation({
    mutationFn: async ({ filters, mode }: { filters: readonly NativeFilter[]; mode: ApplyMode }) => {
      const own = (dashboard.metadata.parquetry ?? {}) as object
      const isOwnMode = mode !== applyModeOf(dashboard.metadata)
      const metadata = withNativeFilters(
        { ...dashboard.metadata, ...(isOwnMode && { parquetry: { ...own, apply_filters: mode } }) },
        filters,
        dashboard.layout.nodes,
      )
      // While the dashboard is edited they are a step of that, saved and undone with the rest.
      if (isEditing) {
        change(({ nodes, settings }) => ({ nodes, settings: { ...settings, metadata } }))
        return null
      }
      await saveDashboard(dashboard.result.id, metadataBody(dashboard, metadata))
      return (await loadDashboard(String(dashboard.result.id))).dashboard
    },
    onSuccess: (saved) => {
      if (saved) {
        settle((before) => ({ ...saved, layout: before.layout }))
        toast(t('dashboard.filtersSaved', 'The filters were saved'))
      } else
        toast(t('dashboard.filtersChanged', 'The filters take effect when the dashboard is saved'), { kind: 'info' })
      onSaved()
    },
    onError: (error) => toastError(saveErrorText(t, error)),
  })
}
