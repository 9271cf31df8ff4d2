import type { ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../theme/i18n.ts'
import styles from './data.module.css'

export interface TagProps {
  children: string
  /** Adds a remove button at the end. */
  onRemove?: (() => void) | undefined
  /** Color of a dot: a design token or a chart color. */
  dot?: string
  before?: ReactNode
}

/** A small neutral label of 20 px; only its dot is colored. */
export function Tag({ children, onRemove, dot, before }: TagProps) {
  const t = useTranslate()
  return (
    <span className={styles.tag} title={children}>
      {dot && <span className={styles.dot} style={{ background: dot }} />}
      {before}
      <span className={styles.tagText}>{children}</span>
      {onRemove && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.tagRemove}
          aria-label={t('ui.tag.remove', 'Remove {name}', { name: children })}
          onClick={onRemove}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  )
}
