import type { KeyboardEvent, ReactNode } from 'react'
import { Checkbox } from '../fields/choices.tsx'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { Link } from '../theme/navigation.tsx'
import { useTranslate } from '../theme/i18n.ts'
import styles from './Card.module.css'

export interface CardProps {
  title: string
  href: string
  /** Replaces a missing image. */
  icon: IconName
  /** An image with ratio 16:10: its address, or a drawing. */
  picture?: ReactNode
  /** Without an image, for narrow windows. */
  flat?: boolean
  note?: ReactNode
  /** Shown after the note, never truncated. */
  changed?: ReactNode
  people?: ReactNode
  star?: ReactNode
  mark?: ReactNode
  menu?: ReactNode
  selected?: boolean
  onSelect?: (selected: boolean) => void
}

/** A card of an object with a 16:10 image, name, people and time of the last change. Put several into a `CardGrid`. */
export function Card({
  title,
  href,
  icon,
  picture,
  flat,
  note,
  changed,
  people,
  star,
  mark,
  menu,
  selected,
  onSelect,
}: CardProps) {
  const t = useTranslate()
  return (
    <article className={styles.card} data-selected={selected || undefined} data-flat={flat || undefined}>
      {!flat && (
        <div className={styles.picture}>
          {typeof picture === 'string' ? (
            <img src={picture} alt="" loading="lazy" />
          ) : (
            (picture ?? <Icon name={icon} size={32} />)
          )}
        </div>
      )}
      {onSelect && (
        <span className={styles.check}>
          <Checkbox
            checked={selected ?? false}
            aria-label={t('ui.list.select', 'Select {name}', { name: title })}
            onChange={onSelect}
          />
        </span>
      )}
      <div className={styles.body}>
        <div className={styles.top}>
          <Link href={href} className={styles.title} title={title} data-card>
            {title}
          </Link>
          {mark}
          <span className={styles.end}>{star}</span>
        </div>
        <div className={styles.bottom}>
          {people}
          {note && (
            <span className={styles.note} title={typeof note === 'string' ? note : undefined}>
              {note}
            </span>
          )}
          {changed && <span className={styles.changed}>{changed}</span>}
          <span className={styles.end}>{menu}</span>
        </div>
      </div>
    </article>
  )
}

/** Rows of cards of at least 220 px, or at most five with `oneRow`. Arrows move between the cards, Tab leaves the grid. */
export function CardGrid({ children, label, oneRow }: { children: ReactNode; label: string; oneRow?: boolean }) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (by === undefined || !(event.target instanceof HTMLAnchorElement)) return
    const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-card]')]
    const next = cards[cards.indexOf(event.target) + by]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <div
      role="group"
      aria-label={label}
      className={styles.grid}
      data-one-row={oneRow || undefined}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  )
}
