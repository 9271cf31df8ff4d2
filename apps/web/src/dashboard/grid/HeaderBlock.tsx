import type { LayoutNode } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { dropZone } from '@parquetry/ui/drag/index.ts'
import { useState } from 'react'
import { LazyEditChrome } from '../edit/lazy-edit-parts.tsx'
import { setMeta } from '../layout/commands.ts'
import { useDashboardState } from '../state/context.ts'
import { useEdit } from '../edit/use-edit.ts'
import { usePendingEdit } from '../edit/use-pending-edit.ts'
import styles from './Grid.module.css'

const sizes: Readonly<Record<string, string>> = { SMALL_HEADER: 'small', LARGE_HEADER: 'large' }

/** A heading between rows; edited in place. */
export function HeaderBlock({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  const isEditing = useDashboardState((state) => state.isEditing)
  const edit = useEdit()
  const [draft, setDraft] = useState<string | null>(null)
  usePendingEdit(node.id, 'text', draft)
  const text = node.meta.text ?? ''
  const finish = () => {
    const next = draft?.trim()
    setDraft(null)
    if (next !== undefined && next !== text) edit((nodes) => setMeta(nodes, node.id, { text: next }))
  }
  const size = sizes[node.meta.headerSize ?? ''] ?? 'medium'
  const isWhite = node.meta.background === 'BACKGROUND_WHITE'
  return (
    <div
      className={`${styles.header} dashboard-component dashboard-component-header`}
      data-size={size}
      data-white={isWhite || undefined}
      data-node={node.id}
      {...dropZone(node.id)}
    >
      <LazyEditChrome node={node} />
      {isEditing ? (
        <input
          className={styles.headerField}
          aria-label={t('dashboard.headerText', 'Header text')}
          value={draft ?? text}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={finish}
          data-keeps-escape
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
            if (event.key === 'Escape') setDraft(null)
          }}
        />
      ) : (
        <h2>{text}</h2>
      )}
    </div>
  )
}
