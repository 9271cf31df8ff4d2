import type { ReactNode } from 'react'
import type { Page, Section } from '../../shared/page.ts'
import styles from './Shell.module.css'

export interface ShellProps {
  frame: Page['frame']
  section: Section | undefined
  children: ReactNode
}

export function Shell({ frame, children }: ShellProps) {
  return (
    <div className={styles.shell} data-frame={frame}>
      <main id="main" className={styles.main}>
        {children}
      </main>
    </div>
  )
}
