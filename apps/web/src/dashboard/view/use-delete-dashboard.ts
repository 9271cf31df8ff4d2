import { confirm, toastError, useNavigation, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { userId } from '../../shared/rights.ts'
import { messageOf } from '../../shared/errors.ts'
import { useDeleteToast } from '../../shared/history/use-delete-toast.ts'
import { removeDashboard } from '../data/calls.ts'
import { titleOf } from '../document/read-dashboard.ts'
import { clearDashboardDraft } from '../edit/drafts.ts'
import { useDashboard } from '../state/context.ts'

/** Deletes the open dashboard after confirmation, and opens the list of dashboards. */
export function useDeleteDashboard(): () => Promise<void> {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const { store } = useDashboard()
  const deleted = useDeleteToast()
  return async () => {
    const { dashboard } = store.getState()
    const { id } = dashboard.result
    const name = titleOf(dashboard) || t('app.untitled', '[ untitled dashboard ]')
    const yes = await confirm({
      title: t('dashboard.delete.title', 'Delete dashboard {name}?', { name }),
      body: [
        t('lists.dashboards.consequence', 'Existing links stop working. Charts are not deleted.'),
        t('lists.delete.kept', 'Deleted items can be restored from the trash for 30 days.'),
      ].join(' '),
      action: t('dashboard.delete.action', 'Delete dashboard'),
    })
    if (!yes) return
    try {
      await removeDashboard(id)
      clearDashboardDraft(id, userId)
      deleted('dashboard', [id], name)
      go('/dashboard/list/')
      // All queries except that of the page being left.
      void queries.invalidateQueries({ queryKey: ['dashboard'], predicate: ({ queryKey }) => queryKey[1] !== 'open' })
    } catch (error) {
      toastError(
        t('lists.delete.oneFailed', 'There was an issue deleting {name}: {message}', {
          name,
          message: messageOf(error),
        }),
      )
    }
  }
}
