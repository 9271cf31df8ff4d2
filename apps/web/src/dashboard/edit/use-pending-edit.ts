import { layoutNode, type LayoutMeta, type LayoutNodes } from '@parquetry/model'
import { useEffect } from 'react'
import { setMeta } from '../layout/commands.ts'
import { isChanged } from '../layout/history.ts'
import { useActions } from '../state/context.ts'
import type { DashboardState } from '../state/store.ts'

/**
 * Includes text being typed into a node in drafts and in checks for unsaved changes.
 * @param text  null while nothing is typed
 */
export function usePendingEdit(node: string, field: keyof LayoutMeta, text: string | null): void {
  const { write } = useActions()
  const isWriting = text !== null
  useEffect(() => {
    if (text !== null) write({ node, meta: { [field]: text } })
  }, [write, node, field, text])
  useEffect(() => (isWriting ? () => write(null) : undefined), [write, isWriting])
}

/** Layout including the text being typed. */
export function withPendingEdit({ history, writing }: Pick<DashboardState, 'history' | 'writing'>): LayoutNodes {
  const nodes = history.present
  return writing && layoutNode(nodes, writing.node) ? setMeta(nodes, writing.node, writing.meta) : nodes
}

/** True if the edited state differs from the saved one. */
export const isUnsaved = (state: Pick<DashboardState, 'history' | 'writing'>): boolean =>
  isChanged(state.history) || withPendingEdit(state) !== state.history.present
