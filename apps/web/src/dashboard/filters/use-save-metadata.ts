import { toast, toastError, useText } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { loadDashboard, saveDashboard } from '../data/calls.ts'
import type { Metadata } from '../document/read-dashboard.ts'
import { metadataBody } from '../document/save-body.ts'
import { saveErrorText } from '../edit/use-save.ts'
import { useActions, useBoard } from '../state/context.ts'

/** Saves settings of a dashboard at once, apart from the layout. A call that fails leaves everything as it was, and says why. */
export function useSaveMetadata<T>(change: (metadata: Metadata, asked: T) => Metadata, onSaved: () => void) {
  const t = useText()
  const { settle } = useActions()
  const dashboard = useBoard((state) => state.dashboard)
  return useMutation({
    mutationFn: async (asked: T) => {
      await saveDashboard(dashboard.result.id, metadataBody(dashboard, change(dashboard.metadata, asked)))
      return (await loadDashboard(String(dashboard.result.id))).dashboard
    },
    onSuccess: (saved) => {
      settle((before) => ({ ...saved, layout: before.layout }))
      toast(t('dashboard.filtersSaved', 'The filters were saved'))
      onSaved()
    },
    onError: (error) => toastError(saveErrorText(t, error)),
  })
}
