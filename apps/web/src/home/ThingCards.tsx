import { AfterMoment, Avatars, Card, CardGrid, Skeleton, Star, useText } from '@parquetry/ui'
import { sketchOf } from '../shared/Sketch.tsx'
import type { Favorites } from '../shared/use-favorites.ts'
import { useMedia } from '../shared/use-media.ts'
import { cardsPerSection, type Thing } from './things.ts'
import styles from './home.module.css'

export interface ThingCardsProps {
  label: string
  things: readonly Thing[] | undefined
  /** One line in place of the cards. */
  empty: string
  favorites?: Favorites
}

/** One row of at most five cards. */
export function ThingCards({ label, things, empty, favorites }: ThingCardsProps) {
  const t = useText()
  const phone = useMedia('(max-width: 575.98px)')
  if (!things) {
    return (
      <AfterMoment>
        <div className={styles.bones} aria-busy="true">
          {Array.from({ length: cardsPerSection }, (_, index) => (
            <Skeleton key={index} height={180} />
          ))}
        </div>
      </AfterMoment>
    )
  }
  if (things.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <CardGrid label={label} oneRow>
      {things.map(({ key, kind, id, title, href, icon, changed, owners }) => (
        <Card
          key={key}
          title={title}
          href={href}
          icon={icon}
          picture={sketchOf(icon)}
          flat={phone}
          note={
            favorites
              ? changed
              : [kind === 'chart' ? t('app.kind.chart', 'chart') : t('app.kind.dashboard', 'dashboard'), changed].join(
                  ' · ',
                )
          }
          people={owners.length > 0 && <Avatars people={owners} />}
          star={
            favorites &&
            id !== null && <Star on={favorites.has(id)} name={title} onChange={(on) => favorites.set(id, on)} />
          }
        />
      ))}
    </CardGrid>
  )
}
