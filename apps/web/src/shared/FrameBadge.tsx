import { Icon, Popover, type IconName } from '@parquetry/ui'
import { useState, type ReactNode } from 'react'
import styles from './FrameBadge.module.css'

export interface FrameBadgeProps {
  icon: IconName
  count: number
  /** Text for the icon and the number. */
  label: string
  /** Highlights a warning. */
  tone?: 'warning'
  /** Icons after the number. */
  more?: ReactNode
  children: ReactNode
}

/** An icon with a count in a chart frame that opens the counted items: filters, failed layers. */
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
