import { useState, type ReactNode } from 'react'
import { Button, ButtonLink } from '../buttons/Button.tsx'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../theme/i18n.ts'
import { useCopy } from './use-copy.ts'
import styles from './states.module.css'

export interface ErrorPanelProps {
  /** Defaults to `Unexpected error` (ERR-001). */
  title?: string
  /** Explanation of the error; omitted if the engine's message is sufficient. */
  children?: ReactNode
  /** The engine's message, shown in full in monospace and copied by "Copy details". */
  details?: string | undefined
  /** Possible causes, below the message. */
  hints?: ReactNode
  onRetry?: (() => void) | undefined
  /** Link for requesting access, if the error contains one (ERR-002). */
  accessHref?: string | undefined
  /** Additional buttons. */
  actions?: ReactNode
  /** Small variant inside a panel or a tile. */
  inline?: boolean
}

const foldedLines = 8

/** Shows an error and the next steps in the region that failed. The rest of the screen keeps working. */
export function ErrorPanel({ title, children, details, hints, onRetry, accessHref, actions, inline }: ErrorPanelProps) {
  const t = useTranslate()
  const copy = useCopy()
  const [open, setOpen] = useState(false)
  const lines = details?.split('\n').length ?? 0
  return (
    <div className={`${styles.error} ${inline ? styles.inline : ''}`} role="alert">
      <Icon name="error" className={styles.errorIcon} />
      <div className={styles.errorBody}>
        <h2 className={styles.title}>{title ?? t('ui.error.title', 'Unexpected error')}</h2>
        {children && <div className={styles.text}>{children}</div>}
        {details && (
          // Long messages scroll, so the block must be focusable.
          <pre className={styles.details} data-folded={!open && lines > foldedLines ? true : undefined} tabIndex={0}>
            {details}
          </pre>
        )}
        {hints && <div className={styles.hints}>{hints}</div>}
        <div className={styles.actions}>
          {onRetry && (
            <Button icon="refresh" onClick={onRetry}>
              {t('ui.error.retry', 'Try again')}
            </Button>
          )}
          {actions}
          {accessHref && (
            <ButtonLink href={accessHref} target="_blank">
              {t('ui.error.access', 'Request access')}
            </ButtonLink>
          )}
          {details && lines > foldedLines && (
            <Button variant="quiet" onClick={() => setOpen(!open)}>
              {open ? t('ui.error.less', 'Show less') : t('ui.error.more', 'Show all')}
            </Button>
          )}
          {details && (
            <Button variant="quiet" icon="copy" onClick={() => copy(details, t('ui.error.copied', 'Details copied'))}>
              {t('ui.error.copy', 'Copy details')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
