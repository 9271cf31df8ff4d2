import type { ReactNode } from 'react'
import { IconButton } from '../buttons/IconButton.tsx'
import { Icon } from '../icons/Icon.tsx'
import { useText } from '../theme/use-text.ts'
import styles from './states.module.css'

export interface StripProps {
  tone?: 'info' | 'warning' | 'danger'
  /** One sentence. */
  children: ReactNode
  action?: ReactNode
  onClose?: () => void
  /** Inside a page instead of across its top. */
  banner?: boolean
}

export function Strip({ tone = 'info', children, action, onClose, banner }: StripProps) {
  const t = useText()
  return (
    <div className={styles.strip} data-tone={tone} data-banner={banner || undefined} role="status">
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
