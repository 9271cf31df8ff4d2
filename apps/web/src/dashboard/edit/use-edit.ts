import { toast, useTranslate } from '@parquetry/ui'
import type { LayoutNodes } from '@parquetry/model'
import { useCallback } from 'react'
import { reachesUndoLimit } from '../layout/history.ts'
import { changesScope } from '../layout/scope-change.ts'
import { useDashboard } from '../state/context.ts'
import { scopeChangedText, undoLimitText } from './texts.ts'

/**
 * Makes one undoable change and shows its warnings: the last undo slot is used (DASH-064), the moved item is in the scope of
 * other filters (DASH-032). Returns true if something changed.
 */
export function useEdit() {
  const { store } = useDashboard()
  const t = useTranslate()
  return useCallback(
    (change: (nodes: LayoutNodes) => LayoutNodes, moved?: string): boolean => {
      const { history: before, dashboard, actions } = store.getState()
      const after = actions.edit(change)
      if (after === before) return false
      if (reachesUndoLimit(before, after)) toast(undoLimitText(t), { kind: 'warning' })
      if (moved !== undefined && changesScope(before.present, after.present, moved, dashboard.metadata)) {
        toast(scopeChangedText(t), { kind: 'info' })
      }
      return true
    },
    [store, t],
  )
}
