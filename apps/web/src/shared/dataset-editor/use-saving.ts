import { ApiError } from '@parquetry/client'
import { toast, useText } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { boot } from '../boot.ts'
import { api } from '../api.ts'
import { changesOf, readDocument, type DatasetDocument } from './document.ts'
import { dropDraft, type Draft } from './draft.ts'
import { readDataset } from './read-dataset.ts'

export interface Theirs {
  document: DatasetDocument
  from: string
  who: string
}

export interface Saving {
  isSaving: boolean
  save(draft: Draft, carry: boolean): Promise<boolean>
  /** What the server said (DSET-043, DSET-044). */
  error: string | null
  closeError(): void
  /** Somebody saved since the draft began. */
  conflict: Theirs | null
  closeConflict(): void
}

/** Posts what changed, and reads the dataset anew. */
export function useSaving(id: number, onSaved: (document: DatasetDocument, from: string) => void): Saving {
  const t = useText()
  const queries = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [conflict, setConflict] = useState<Theirs | null>(null)

  const save = async ({ base, now, from }: Draft, carry: boolean): Promise<boolean> => {
    setSaving(true)
    try {
      const body = { ...changesOf(base, now), changed_on: from, ...(carry && { carry_renames: true }) }
      const { carried } = await api.put('/api/v1/dataset/:id', { params: { id }, body })
      const detail = await readDataset(id)
      dropDraft(id, boot.user.userId)
      onSaved(readDocument(detail), detail.changed_on)
      toast(
        carried && carried.charts.length + carried.dashboards.length > 0
          ? t(
              'dataset.savedAndCarried',
              'The dataset has been saved. The new names are now used in {n, plural, one {# chart or dashboard} other {# charts and dashboards}}.',
              {
                n: carried.charts.length + carried.dashboards.length,
              },
            )
          : t('dataset.saved', 'The dataset has been saved'),
      )
      for (const kind of ['dataset', 'chart', 'dashboard', 'suggestions'])
        void queries.invalidateQueries({ queryKey: [kind] })
      return true
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) {
        const detail = await readDataset(id)
        setConflict({ document: readDocument(detail), from: detail.changed_on, who: detail.changed_by_name })
      } else setError((failure instanceof Error && failure.message) || t('dataset.failed', 'An error has occurred'))
      return false
    } finally {
      setSaving(false)
    }
  }
  return { isSaving, save, error, closeError: () => setError(null), conflict, closeConflict: () => setConflict(null) }
}
