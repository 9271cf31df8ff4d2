import type { ReactNode } from 'react'
import styles from './states.module.css'

export interface EmptyStateProps {
  title: string
  /** One sentence. */
  children?: ReactNode
  /** One primary action and at most one link. */
  actions?: ReactNode
  /** Left-aligned and small, inside panels. */
  inline?: boolean
  /** Heading level. */
  level?: 1 | 2 | 3
}

/** Shown when there is nothing yet, or nothing that matches: a title, a sentence and an action, without an illustration. */
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
