import { Icon, Popover, type IconName } from '@parquetry/ui'
import { useState, type ReactNode } from 'react'
import styles from './FrameBadge.module.css'

export interface FrameBadgeProps {
  icon: IconName
  count: number
  /** What the sign and the number mean, in words. */
  label: string
  /** A warning stands out. */
  tone?: 'warning'
  /** Signs after the number. */
  more?: ReactNode
  children: ReactNode
}

/** A sign with a number in a chart's frame, which opens what it counts: filters, layers that failed. */
export function FrameBadge({ icon, count, label, tone, more, children }: FrameBadgeProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      label={label}
      width={280}
      placement="bottom-end"
      anchor={
        <button
          type="button"
          className={styles.mark}
          data-tone={tone}
          aria-label={label}
          onClick={() => setOpen(!open)}
        >
          <Icon name={icon} size={14} />
          <span>{count}</span>
          {more}
        </button>
      }
    >
      <div className={styles.counted}>{children}</div>
    </Popover>
  )
}
