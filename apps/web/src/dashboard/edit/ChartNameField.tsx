import type { LayoutNode } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { renameChart } from '../layout/commands.ts'
import { useDashboard } from '../state/context.ts'
import { stopRenaming } from './renaming.ts'
import { useEdit } from './use-edit.ts'
import { usePendingEdit } from './use-pending-edit.ts'
import styles from './Edit.module.css'

/** Field over the title of a chart for its name on this dashboard; left empty, the chart has its own name again. */
export function ChartNameField({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  const edit = useEdit()
  const { data } = useDashboard()
  const own = data.chart(node.meta.chartId ?? -1)?.slice_name ?? node.meta.sliceName ?? ''
  const [first] = useState(node.meta.sliceNameOverride || own)
  const [draft, setDraft] = useState(first)
  const isDone = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  usePendingEdit(node.id, 'sliceNameOverride', draft === first ? null : draft)
  useEffect(() => field.current?.select(), [])
  useEffect(() => () => stopRenaming(node.id), [node.id])

  const finish = (isKept: boolean): void => {
    if (isDone.current) return
    isDone.current = true
    const name = draft.trim()
    if (isKept && name !== first) edit((nodes) => renameChart(nodes, node.id, name === own ? null : name))
    stopRenaming(node.id)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    finish(event.key === 'Enter')
    // The handle takes the place of the field.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-drag-handle="${CSS.escape(node.id)}"]`)?.focus(),
    )
  }
  return (
    <input
      ref={field}
      className={styles.nameField}
      aria-label={t('dashboard.nameHere', 'Name on this dashboard')}
      placeholder={own}
      maxLength={250}
      value={draft}
      data-keeps-escape
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={onKeyDown}
    />
  )
}
