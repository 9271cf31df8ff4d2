import type { DatasetDetail, DatasetProfile, DatasetUsage } from '@parquetry/model'
import { confirm, useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useState } from 'react'
import { boot } from '../boot.ts'
import { api } from '../api.ts'
import { managedDataset, notOwner } from '../dataset-words.ts'
import { can, isAdmin, owns } from '../rights.ts'
import { type Problem, problemsOf, readDocument } from './document.ts'
import { type Change, type Draft, dropDraft, isDirty, keepDraft, readDraft, reduceDraft, startDraft } from './draft.ts'
import { rebased } from './merge.ts'
import { type Saving, useSaving } from './use-saving.ts'

/** Why nobody edits it here: words for tooltips, undefined where the reader may edit. */
export function useReadOnly(detail: DatasetDetail): string | undefined {
  const t = useText()
  if (detail.is_managed_externally) return managedDataset(t)
  const may = can('can_write', 'Dataset') && (isAdmin || owns(detail.owners))
  return may ? undefined : notOwner(t)
}

export interface EditedProfile {
  data: DatasetProfile | undefined
  error: Error | null
  isFetching: boolean
  again(): void
}

export interface DatasetEditing {
  detail: DatasetDetail
  draft: Draft
  change(change: Change): void
  dirty: boolean
  /** Unsaved work of before a reload is on the page. */
  isRestored: boolean
  readOnly: string | undefined
  problems: Problem[]
  usage: DatasetUsage | undefined
  usageError: Error | null
  readUsage(): void
  profile: EditedProfile
  saving: Saving
  /** Puts my changes on what somebody else saved. */
  keepMine(): void
  takeTheirs(): void
  discard(): void
  /** Asks before unsaved work is left; the draft stays in the browser either way. */
  mayLeave(): Promise<boolean>
}

const start = (detail: DatasetDetail): Draft => startDraft(readDocument(detail), detail.changed_on)

/** State of the editor of one dataset that has been read. */
export function useDatasetEditor(detail: DatasetDetail, onSaved: () => void = () => undefined): DatasetEditing {
  const t = useText()
  const { id } = detail
  const readOnly = useReadOnly(detail)
  const [restored] = useState(() => (readOnly === undefined ? readDraft(id, boot.user.userId) : null))
  const [draft, change] = useReducer(reduceDraft, null, () => restored ?? start(detail))
  const dirty = isDirty(draft)

  useEffect(() => {
    if (readOnly !== undefined) return
    if (dirty) keepDraft(id, boot.user.userId, draft)
    else dropDraft(id, boot.user.userId)
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
  const saving = useSaving(id, (document, from) => {
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
    problems: problemsOf(draft.now),
    usage: usage.data,
    usageError: usage.error,
    readUsage: () => void usage.refetch(),
    profile: {
      data: profile.data,
      error: profile.error,
      isFetching: profile.isFetching,
      again: () => setForce(force + 1),
    },
    saving,
    keepMine() {
      if (!conflict) return
      const merged = rebased(draft.base, draft.now, conflict.document)
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
    mayLeave: () =>
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
