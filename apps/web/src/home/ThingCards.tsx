import { AfterMoment, Avatars, Card, CardGrid, Skeleton, Star, useText } from '@parquetry/ui'
import { useEffect } from 'react'
import { Thumbnail } from '../shared/thumbnail/Thumbnail.tsx'
import type { Favorites } from '../shared/use-favorites.ts'
import { useMedia } from '../shared/use-media.ts'
import { useKept } from './local.ts'
import { cardsPerSection, type Thing } from './things.ts'
import styles from './home.module.css'

export interface ThingCardsProps {
  /** Under which the page remembers whether there was anything, so that nothing moves when the answer comes. */
  name: string
  label: string
  things: readonly Thing[] | undefined
  /** One line in place of the cards. */
  empty: string
  favorites?: Favorites
}

/** One row of at most five cards. */
export function ThingCards({ name, label, things, empty, favorites }: ThingCardsProps) {
  const t = useText()
  const phone = useMedia('(max-width: 575.98px)')
  const [filled, setFilled] = useKept(`filled.${name}`, name.startsWith('recents') ? 'no' : 'yes', ['no', 'yes'])
  const now = things && (things.length > 0 ? 'yes' : 'no')
  useEffect(() => {
    if (now && now !== filled) setFilled(now)
    // Only an answer changes what is remembered.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [now])
  if (!things) {
    if (filled === 'no') return <p className={styles.empty}>&nbsp;</p>
    return (
      <div className={styles.bones} aria-busy="true">
        {Array.from({ length: cardsPerSection }, (_, index) => (
          <div key={index} className={styles.bone}>
            <AfterMoment>
              <Skeleton height="100%" />
            </AfterMoment>
          </div>
        ))}
      </div>
    )
  }
  if (things.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <CardGrid label={label} oneRow>
      {things.map(({ key, kind, id, title, href, icon, pictured, changed, owners }) => (
        <Card
          key={key}
          title={title}
          href={href}
          icon={icon}
          picture={<Thumbnail of={pictured} icon={icon} />}
          flat={phone}
          note={!favorites && (kind === 'chart' ? t('app.kind.chart', 'chart') : t('app.kind.dashboard', 'dashboard'))}
          changed={changed}
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
