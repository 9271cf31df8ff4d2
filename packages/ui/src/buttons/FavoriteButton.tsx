import { useTranslate } from '../theme/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { buttonClass } from './Button.tsx'
import styles from './Button.module.css'

export interface FavoriteButtonProps {
  on: boolean
  /** Name of the object, for the accessible name. */
  name: string
  onChange(on: boolean): void
}

/** Favorite toggle. The caller shows the new state immediately and reverts it if saving fails. */
export function FavoriteButton({ on, name, onChange }: FavoriteButtonProps) {
  const t = useTranslate()
  return (
    <Tooltip
      text={on ? t('ui.star.remove', 'Remove from favorites') : t('ui.star.add', 'Add to favorites')}
      shortcut="S"
    >
      <button
        type="button"
        className={buttonClass('quiet', styles.star)}
        aria-pressed={on}
        aria-label={t('ui.star.label', 'Favorite {name}', { name })}
        onClick={() => onChange(!on)}
      >
        <Icon name="star" filled={on} />
      </button>
    </Tooltip>
  )
}
