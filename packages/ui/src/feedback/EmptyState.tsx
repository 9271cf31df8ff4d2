import type { ReactNode } from 'react'
import styles from './states.module.css'

export interface EmptyStateProps {
  title: string
  /** One sentence. */
  children?: ReactNode
  /** One primary action, at most one link beside it. */
  actions?: ReactNode
  /** Left-aligned and small, inside panels. */
  inline?: boolean
  /** Level of its heading. */
  level?: 1 | 2 | 3
}

/** Nothing here yet, or nothing that fits. No drawing: a title, a sentence, what to do. */
export function EmptyState({ title, children, actions, inline, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className={`${styles.empty} ${inline ? styles.inline : ''}`}>
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
