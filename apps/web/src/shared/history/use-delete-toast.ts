import type { VersionedKind } from '@parquetry/model'
import { toast, toastError, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../errors.ts'
import { restoreTrashed } from './calls.ts'

/** Shows what was deleted in a toast that can restore it. */
export function useDeleteToast(): (kind: VersionedKind, ids: readonly number[], names: string) => void {
  const t = useTranslate()
  const queries = useQueryClient()
  return (kind, ids, names) => {
    const undo = async () => {
      try {
        for (const id of ids) await restoreTrashed(kind, id)
        toast(t('history.back', 'Restored: {names}', { names }))
      } catch (error) {
        toastError(t('history.backFailed', 'Could not restore everything: {message}', { message: messageOf(error) }), {
          label: t('history.openTrash', 'Open trash'),
          run: () => location.assign('/trash/'),
        })
      }
      await queries.invalidateQueries({ queryKey: [kind] })
      await queries.invalidateQueries({ queryKey: ['trash'] })
    }
    toast(t('lists.deleted', 'Deleted: {names}', { names }), {
      action: { label: t('history.undo', 'Undo'), run: () => void undo() },
    })
  }
}
