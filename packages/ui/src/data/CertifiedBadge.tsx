import { Icon } from '../icons/Icon.tsx'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { useTranslate } from '../theme/i18n.ts'
import styles from './data.module.css'

export interface CertifiedBadgeProps {
  by: string | null | undefined
  details?: string | null | undefined
}

/** Badge of a certified object; renders nothing if it is not certified. */
export function CertifiedBadge({ by, details }: CertifiedBadgeProps) {
  const t = useTranslate()
  if (!by) return null
  const text = details
    ? t('ui.certified.details', 'Certified by {by}: {details}', { by, details })
    : t('ui.certified.by', 'Certified by {by}', { by })
  return (
    <Tooltip text={text}>
      <span className={styles.certified} role="img" aria-label={text}>
        <Icon name="certified" />
      </span>
    </Tooltip>
  )
}
