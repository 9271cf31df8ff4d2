import { useId, type ReactNode } from 'react'
import styles from './account.module.css'

export interface AccountSectionProps {
  title: string
  /** Purpose of the section. */
  text?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children?: ReactNode
}

/** A part of the account page. */
export function AccountSection({ title, text, actions, children }: AccountSectionProps) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.headText}>
          <h2 id={id}>{title}</h2>
          {text && <p className={styles.note}>{text}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}
