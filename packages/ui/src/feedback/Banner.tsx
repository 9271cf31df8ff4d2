import type { ReactNode } from 'react'
import { IconButton } from '../buttons/IconButton.tsx'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../theme/i18n.ts'
import styles from './states.module.css'

export interface BannerProps {
  tone?: 'info' | 'warning' | 'danger'
  /** One sentence. */
  children: ReactNode
  action?: ReactNode
  onClose?: () => void
  /** Inside a page instead of across its top. */
  inline?: boolean
}

export function Banner({ tone = 'info', children, action, onClose, inline }: BannerProps) {
  const t = useTranslate()
  return (
    <div className={styles.strip} data-tone={tone} data-banner={inline || undefined} role="status">
      <Icon name={tone === 'info' ? 'info' : 'warning'} />
      <span>{children}</span>
      {action}
      {onClose && (
        <span className={styles.stripEnd}>
          <IconButton icon="close" label={t('ui.strip.close', 'Close')} onClick={onClose} />
        </span>
      )}
    </div>
  )
}
