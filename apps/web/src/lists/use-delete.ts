import { versionedKinds } from '@parquetry/model'
import { confirm, toast, toastError, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { useDeleteToast } from '../shared/history/use-delete-toast.ts'
import { isAccountResource } from '../shared/use-resource.ts'
import { idsPerCall, type ListDefinition, type ListRow } from './definition.ts'

const maxNames = 3

export interface Deletion<Row> {
  /** True if the rows were deleted. */
  confirmAndDelete(rows: Row[]): Promise<boolean>
  busy: boolean
}

/** Confirms with the count and dependents, deletes, and reports the result (LIST-036 to LIST-038). */
export function useDelete<Row extends ListRow>(definition: ListDefinition<Row>): Deletion<Row> {
  const t = useTranslate()
  const queries = useQueryClient()
  const deleted = useDeleteToast()
  const [busy, setBusy] = useState(false)
  const { resource, nouns, nameOf, consequence, remove, failures } = definition

  const confirmDeletion = async (rows: Row[]): Promise<boolean> => {
    const [first] = rows
    // Past queries can be removed only from the history in SQL Lab.
    if (!first || resource === 'query') return false
    const what = rows.length === 1 ? `${nouns.one} ${nameOf(first)}` : nouns.count(rows.length)
    setBusy(true)
    const depends = await consequence?.(rows, t).catch(() => undefined)
    setBusy(false)
    const failed = (message: string): void =>
      toastError(
        rows.length === 1
          ? t('lists.delete.oneFailed', 'There was an issue deleting {name}: {message}', {
              name: nameOf(first),
              message,
            })
          : t('lists.delete.failed', 'There was an issue deleting: {message}', { message }),
      )
    if (depends?.blocked) {
      failed(depends.text)
      return false
    }
    const kind = remove ? undefined : versionedKinds.find((each) => each === resource)
    const yes = await confirm({
      title: t('lists.delete.title', 'Delete {what}?', { what }),
      body: kind
        ? [depends?.text, t('lists.delete.kept', 'Deleted items can be restored from the trash for 30 days.')]
            .filter(Boolean)
            .join(' ')
        : (depends?.text ?? t('lists.delete.forGood', 'This cannot be undone.')),
      action: t('lists.delete.action', 'Delete {what}', { what: rows.length === 1 ? nouns.one : what }),
      ...(depends?.typed && rows.length === 1 && { typed: nameOf(first) }),
    })
    if (!yes) return false

    setBusy(true)
    try {
      if (remove) await remove(rows)
      else if (rows.length === 1 || resource === 'database' || resource === 'tag' || isAccountResource(resource)) {
        for (const row of rows) await api.del(`/api/v1/${resource}/:id`, { params: { id: row.id } })
      } else {
        for (let index = 0; index < rows.length; index += idsPerCall)
          await api.del(`/api/v1/${resource}/`, { q: rows.slice(index, index + idsPerCall).map(({ id }) => id) })
      }
      const names = rows.length <= maxNames ? rows.map(nameOf).join(', ') : nouns.count(rows.length)
      if (kind)
        deleted(
          kind,
          rows.map(({ id }) => id),
          names,
        )
      else toast(t('lists.deleted', 'Deleted: {names}', { names }))
      return true
    } catch (error) {
      if (failures) toastError(`${failures.remove} ${messageOf(error)}`)
      else failed(messageOf(error))
      return false
    } finally {
      setBusy(false)
      await queries.invalidateQueries({ queryKey: [resource] })
    }
  }
  return { confirmAndDelete: confirmDeletion, busy }
}
