import type { ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { Spinner } from './Spinner.tsx'
import styles from './StatusChip.module.css'

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger' | 'accent'

export interface StatusChipProps {
  tone?: Tone
  icon?: IconName
  /** Shows a spinner instead of the icon. */
  busy?: boolean
  children: ReactNode
  /** Details, shown as a native tooltip. */
  title?: string
}

/** A status label on a tinted background, with an icon so that color is never the only signal. */
export function StatusChip({ tone = 'neutral', icon, busy, children, title }: StatusChipProps) {
  return (
    <span className={`${styles.chip} ${styles[tone]}`} title={title}>
      {busy ? <Spinner size={12} /> : icon && <Icon name={icon} size={12} />}
      <span className={styles.text}>{children}</span>
    </span>
  )
}

const job: Record<string, { tone: Tone; icon: IconName }> = {
  offline: { tone: 'danger', icon: 'plug' },
  failed: { tone: 'danger', icon: 'error' },
  stopped: { tone: 'danger', icon: 'stop' },
  timed_out: { tone: 'danger', icon: 'clock' },
  pending: { tone: 'info', icon: 'clock' },
  scheduled: { tone: 'info', icon: 'clock' },
  fetching: { tone: 'info', icon: 'arrow-down' },
  running: { tone: 'warning', icon: 'refresh' },
  success: { tone: 'success', icon: 'check' },
}

/** Status of a query or job, named as in the API, with its color (CONST-026 to CONST-029) and icon. */
export function JobChip({ state, children }: { state: string; children: ReactNode }) {
  const look = job[state] ?? { tone: 'neutral', icon: 'info' }
  return (
    <StatusChip tone={look.tone} icon={look.icon} busy={state === 'running'}>
      {children}
    </StatusChip>
  )
}
