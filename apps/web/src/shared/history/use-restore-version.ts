import type { VersionedKind } from '@parquetry/model'
import { confirm, toast, toastError, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../errors.ts'
import { formatTimestamp } from '../formats.ts'
import { restoreVersion } from './calls.ts'

/**
 * Restores a version of an object after a confirmation, and reports the result.
 * @param onRestored  lets the page that shows the object reread it
 */
export function useRestoreVersion(kind: VersionedKind, id: number, onRestored?: () => Promise<void> | void) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [restoring, setRestoring] = useState<number | null>(null)
  const restore = async (n: number, at: Date): Promise<void> => {
    const yes = await confirm({
      title: t('history.restore.title', 'Restore the version from {at}?', { at: formatTimestamp(at) }),
      body: t(
        'history.restore.body',
        'It becomes the latest version. The current version stays in the list, so you can undo this.',
      ),
      action: t('history.restore', 'Restore'),
      danger: false,
    })
    if (!yes) return
    setRestoring(n)
    try {
      await restoreVersion(kind, id, n)
      await queries.invalidateQueries({ queryKey: [kind], predicate: ({ queryKey }) => queryKey[1] !== 'open' })
      await onRestored?.()
      toast(t('history.restored', 'Version from {at} restored', { at: formatTimestamp(at) }))
    } catch (failure) {
      toastError(
        t('history.restoreFailed', 'Could not restore the version: {message}', { message: messageOf(failure) }),
      )
    } finally {
      setRestoring(null)
    }
  }
  return { restore, restoring }
}
