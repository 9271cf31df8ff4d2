import { Delayed, Avatars, Card, CardGrid, Skeleton, FavoriteButton, useTranslate } from '@parquetry/ui'
import { useEffect } from 'react'
import { Thumbnail } from '../shared/thumbnail/Thumbnail.tsx'
import type { Favorites } from '../shared/use-favorites.ts'
import { useMediaQuery } from '../shared/use-media-query.ts'
import { useLocalStorage } from './use-local-storage.ts'
import { cardsPerSection, type HomeItem } from './home-items.ts'
import styles from './home.module.css'

export interface HomeItemCardsProps {
  /** Key under which the browser remembers whether there were cards, so that nothing moves when the response arrives. */
  name: string
  label: string
  items: readonly HomeItem[] | undefined
  /** One line in place of the cards. */
  empty: string
  favorites?: Favorites
}

/** One row of at most five cards. */
export function HomeItemCards({ name, label, items, empty, favorites }: HomeItemCardsProps) {
  const t = useTranslate()
  const phone = useMediaQuery('(max-width: 575.98px)')
  const [filled, setFilled] = useLocalStorage(`filled.${name}`, name.startsWith('recents') ? 'no' : 'yes', [
    'no',
    'yes',
  ])
  const now = items && (items.length > 0 ? 'yes' : 'no')
  useEffect(() => {
    if (now && now !== filled) setFilled(now)
    // Only a response changes the remembered value.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [now])
  if (!items) {
    if (filled === 'no') return <p className={styles.empty}>&nbsp;</p>
    return (
      <div className={styles.bones} aria-busy="true">
        {Array.from({ length: cardsPerSection }, (_, index) => (
          <div key={index} className={styles.bone}>
            <Delayed>
              <Skeleton height="100%" />
            </Delayed>
          </div>
        ))}
      </div>
    )
  }
  if (items.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <CardGrid label={label} oneRow>
      {items.map(({ key, kind, id, title, href, icon, thumbnail, changed, owners }) => (
        <Card
          key={key}
          title={title}
          href={href}
          icon={icon}
          picture={<Thumbnail of={thumbnail} icon={icon} />}
          flat={phone}
          note={!favorites && (kind === 'chart' ? t('app.kind.chart', 'chart') : t('app.kind.dashboard', 'dashboard'))}
          changed={changed}
          people={owners.length > 0 && <Avatars people={owners} />}
          star={
            favorites &&
            id !== null && (
              <FavoriteButton isFavorite={favorites.has(id)} name={title} onChange={(on) => favorites.set(id, on)} />
            )
          }
        />
      ))}
    </CardGrid>
  )
}
