import { useTranslate } from '../theme/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { buttonClass } from './Button.tsx'
import styles from './Button.module.css'

export interface FavoriteButtonProps {
  isFavorite: boolean
  /** Name of the object, read by screen readers. */
  name: string
  onChange(isFavorite: boolean): void
}

/** Favorite toggle. The caller shows the new state immediately and reverts it if saving fails. */
export function FavoriteButton({ isFavorite, name, onChange }: FavoriteButtonProps) {
  const t = useTranslate()
  return (
    <Tooltip
      text={isFavorite ? t('ui.star.remove', 'Remove from favorites') : t('ui.star.add', 'Add to favorites')}
      shortcut="S"
    >
      <button
        type="button"
        className={buttonClass('quiet', styles.star)}
        aria-pressed={isFavorite}
        aria-label={t('ui.star.label', 'Favorite {name}', { name })}
        onClick={() => onChange(!isFavorite)}
      >
        <Icon name="star" filled={isFavorite} />
      </button>
    </Tooltip>
  )
}
