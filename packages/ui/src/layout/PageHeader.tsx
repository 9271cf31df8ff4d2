import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslate } from '../theme/i18n.ts'
import { Breadcrumb, type Crumb } from './Breadcrumb.tsx'
import styles from './PageHeader.module.css'

export interface PageHeaderProps {
  title: string
  /** Makes the title editable; called with the new text, trimmed and not empty. */
  onRename?: (title: string) => void
  crumbs?: readonly Crumb[]
  /** Content after the title: star, certified badge, count, status chip. */
  marks?: ReactNode
  /** At most three buttons and a menu. */
  actions?: ReactNode
}

/** The only header bar of a page. */
export function PageHeader({ title, onRename, crumbs = [], marks, actions }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.start}>
        <Breadcrumb crumbs={crumbs} />
        {onRename ? (
          <EditableTitle title={title} onRename={onRename} />
        ) : (
          <h1 className={styles.title} title={title}>
            {title}
          </h1>
        )}
        {marks && <div className={styles.marks}>{marks}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}

function EditableTitle({ title, onRename }: { title: string; onRename(title: string): void }) {
  const t = useTranslate()
  const [draft, setDraft] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const editing = draft !== null
  useEffect(() => {
    if (editing) field.current?.select()
  }, [editing])

  if (!editing) {
    return (
      <h1 className={styles.title}>
        <button
          type="button"
          className={styles.rename}
          title={t('ui.title.rename', 'Rename')}
          onClick={() => setDraft(title)}
        >
          {title}
        </button>
      </h1>
    )
  }
  const finish = (): void => {
    const next = draft.trim()
    setDraft(null)
    if (next && next !== title) onRename(next)
  }
  return (
    <input
      ref={field}
      className={styles.titleField}
      aria-label={t('ui.title.label', 'Title')}
      value={draft}
      data-keeps-escape
      onChange={(event) => setDraft(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish()
        if (event.key === 'Escape') setDraft(null)
      }}
    />
  )
}
