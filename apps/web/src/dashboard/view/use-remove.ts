import { confirm, toastError, useNavigation, useText } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { userId } from '../../shared/rights.ts'
import { messageOf } from '../../shared/errors.ts'
import { useDeleted } from '../../shared/history/use-deleted.ts'
import { removeDashboard } from '../data/calls.ts'
import { titleOf } from '../document/read-dashboard.ts'
import { dropDraft } from '../edit/drafts.ts'
import { useDashboard } from '../state/context.ts'

/** Asks, deletes the open dashboard, and goes to the list of those that are left. */
export function useRemove(): () => Promise<void> {
  const t = useText()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const { store } = useDashboard()
  const deleted = useDeleted()
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
      dropDraft(id, userId)
      deleted('dashboard', [id], name)
      go('/dashboard/list/')
      // All but the page that is left.
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
