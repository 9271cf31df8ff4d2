import { ApiError } from '@parquetry/client'
import { toast, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { boot } from '../boot.ts'
import { api } from '../api.ts'
import { buildDatasetPatch, readDocument, type DatasetDocument } from './document.ts'
import { clearDatasetDraft, type DatasetDraft } from './draft.ts'
import { fetchDataset } from './read-dataset.ts'

export interface SaveConflict {
  document: DatasetDocument
  from: string
  who: string
}

export interface DatasetSaveState {
  isSaving: boolean
  save(draft: DatasetDraft, carry: boolean): Promise<boolean>
  /** Error message of the server (DSET-043, DSET-044). */
  error: string | null
  closeError(): void
  /** Another user saved since the draft began. */
  conflict: SaveConflict | null
  closeConflict(): void
}

/** Saves the changes and rereads the dataset. */
export function useDatasetSave(
  id: number,
  onSaved: (document: DatasetDocument, from: string) => void,
): DatasetSaveState {
  const t = useTranslate()
  const queries = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [conflict, setConflict] = useState<SaveConflict | null>(null)

  const save = async ({ base, now, from }: DatasetDraft, carry: boolean): Promise<boolean> => {
    setSaving(true)
    try {
      const body = { ...buildDatasetPatch(base, now), changed_on: from, ...(carry && { carry_renames: true }) }
      const { carried } = await api.put('/api/v1/dataset/:id', { params: { id }, body })
      const detail = await fetchDataset(id)
      clearDatasetDraft(id, boot.user.userId)
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
        const detail = await fetchDataset(id)
        setConflict({ document: readDocument(detail), from: detail.changed_on, who: detail.changed_by_name })
      } else setError((failure instanceof Error && failure.message) || t('dataset.failed', 'An error has occurred'))
      return false
    } finally {
      setSaving(false)
    }
  }
  return { isSaving, save, error, closeError: () => setError(null), conflict, closeConflict: () => setConflict(null) }
}
