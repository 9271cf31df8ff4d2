import type { DatasetDetail, DatasetProfile, DatasetUsage } from '@parquetry/model'
import { confirm, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useState } from 'react'
import { boot } from '../boot.ts'
import { api } from '../api.ts'
import { managedDatasetText, notOwnerText } from '../dataset-texts.ts'
import { can, isOwner } from '../rights.ts'
import { type DocumentProblem, validateDocument, readDocument } from './document.ts'
import {
  type DatasetChange,
  type DatasetDraft,
  clearDatasetDraft,
  isDatasetDirty,
  storeDatasetDraft,
  readDatasetDraft,
  reduceDatasetDraft,
  startDatasetDraft,
} from './draft.ts'
import { rebaseDocument } from './merge.ts'
import { type DatasetSaveState, useDatasetSave } from './use-dataset-save.ts'

/** Returns why the user cannot edit the dataset, for tooltips; undefined if they can. */
export function useReadOnlyReason(detail: DatasetDetail): string | undefined {
  const t = useTranslate()
  if (detail.is_managed_externally) return managedDatasetText(t)
  const may = can('can_write', 'Dataset') && isOwner(detail.editors)
  return may ? undefined : notOwnerText(t)
}

export interface ProfileState {
  data: DatasetProfile | undefined
  error: Error | null
  isFetching: boolean
  refresh(): void
}

export interface DatasetEditorState {
  detail: DatasetDetail
  draft: DatasetDraft
  change(change: DatasetChange): void
  dirty: boolean
  /** Unsaved changes were restored after a reload. */
  isRestored: boolean
  readOnly: string | undefined
  problems: DocumentProblem[]
  usage: DatasetUsage | undefined
  usageError: Error | null
  refreshUsage(): void
  profile: ProfileState
  saving: DatasetSaveState
  /** Rebases my changes onto the version that another user saved. */
  mergeMine(): void
  takeTheirs(): void
  discard(): void
  /** Asks for confirmation before leaving unsaved changes; the draft stays in the browser either way. */
  confirmLeave(): Promise<boolean>
}

const start = (detail: DatasetDetail): DatasetDraft => startDatasetDraft(readDocument(detail), detail.changed_on)

/** Editor state of one loaded dataset. */
export function useDatasetEditor(detail: DatasetDetail, onSaved: () => void = () => undefined): DatasetEditorState {
  const t = useTranslate()
  const { id } = detail
  const readOnly = useReadOnlyReason(detail)
  const [restored] = useState(() => (readOnly === undefined ? readDatasetDraft(id, boot.user.userId) : null))
  const [draft, change] = useReducer(reduceDatasetDraft, null, () => restored ?? start(detail))
  const dirty = isDatasetDirty(draft)

  useEffect(() => {
    if (readOnly !== undefined) return
    if (dirty) storeDatasetDraft(id, boot.user.userId, draft)
    else clearDatasetDraft(id, boot.user.userId)
  }, [id, draft, dirty, readOnly])

  const usage = useQuery({
    queryKey: ['dataset', id, 'usage'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/dataset/:id/usage', { params: { id }, signal })).result,
  })
  const [force, setForce] = useState(0)
  const profile = useQuery({
    queryKey: ['dataset', id, 'profile', force],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/dataset/:id/profile', {
          params: { id },
          query: force > 0 ? { force: 'true' } : {},
          signal,
        })
      ).result,
    retry: false,
    staleTime: Infinity,
    placeholderData: (before) => before,
  })
  const saving = useDatasetSave(id, (document, from) => {
    change({ type: 'saved', document, from })
    onSaved()
  })
  const { conflict, closeConflict } = saving
  return {
    detail,
    draft,
    change,
    dirty,
    isRestored: restored !== null && dirty,
    readOnly,
    problems: validateDocument(draft.now),
    usage: usage.data,
    usageError: usage.error,
    refreshUsage: () => void usage.refetch(),
    profile: {
      data: profile.data,
      error: profile.error,
      isFetching: profile.isFetching,
      refresh: () => setForce(force + 1),
    },
    saving,
    mergeMine() {
      if (!conflict) return
      const merged = rebaseDocument(draft.base, draft.now, conflict.document)
      change({ type: 'saved', document: conflict.document, from: conflict.from })
      change({ type: 'replace', document: merged })
      closeConflict()
    },
    takeTheirs() {
      if (!conflict) return
      change({ type: 'saved', document: conflict.document, from: conflict.from })
      closeConflict()
    },
    discard: () => change({ type: 'discard' }),
    confirmLeave: () =>
      dirty
        ? confirm({
            title: t('dataset.leave', 'Leave with unsaved changes?'),
            body: t('dataset.leaveBody', 'Your changes stay in this browser and will be restored when you come back.'),
            action: t('dataset.leaveAction', 'Leave'),
            danger: false,
          })
        : Promise.resolve(true),
  }
}
