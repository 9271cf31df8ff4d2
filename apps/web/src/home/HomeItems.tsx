import { useTranslate } from '@parquetry/ui'
import { useFavorites } from '../shared/use-favorites.ts'
import { messageOf } from '../shared/errors.ts'
import { useRows } from '../shared/use-resource.ts'
import { useLocalStorage } from './use-local-storage.ts'
import { HomeSection } from './HomeSection.tsx'
import { HomeItemCards } from './HomeItemCards.tsx'
import {
  chartToItem,
  dashboardToItem,
  homeItemsQuery,
  type HomeChartRow,
  type HomeDashboardRow,
  type HomeItem,
} from './home-items.ts'

export interface HomeItemsProps {
  kind: 'dashboard' | 'chart'
  title: string
  allHref: string
}

/** Dashboards or charts: favorites, mine, or the latest. */
export function HomeItems({ kind, title, allHref }: HomeItemsProps) {
  const t = useTranslate()
  const [which, setWhich] = useLocalStorage(kind, 'recent', ['favorite', 'mine', 'recent'])
  const list = useRows<HomeDashboardRow | HomeChartRow>(kind, homeItemsQuery(kind, which))
  const rows = list.data?.result
  const favorites = useFavorites(kind, rows?.map(({ id }) => id) ?? [])
  const items = rows?.map((row): HomeItem =>
    'url' in row
      ? dashboardToItem(row, t('app.untitled', '[ untitled dashboard ]'))
      : chartToItem(row, t('lists.charts.untitled', '[ untitled chart ]')),
  )
  const empty = {
    favorite: t('home.none.favorite', 'No favorites yet. Select the star next to a name to add one.'),
    mine: t('home.none.mine', 'You don’t own any yet.'),
    recent: t('home.none.recent', 'Nothing here yet.'),
  }
  return (
    <HomeSection
      name={kind}
      title={title}
      allHref={allHref}
      filter={{
        value: which,
        onChange: setWhich,
        label: t('home.which', 'Filter {things}', { things: title }),
        options: [
          { value: 'favorite', label: t('home.favorites', 'Favorites') },
          { value: 'mine', label: t('home.mine', 'Mine') },
          { value: 'recent', label: t('home.recent', 'Recent') },
        ],
      }}
      error={list.error && !list.data ? { text: messageOf(list.error), retry: () => void list.refetch() } : null}
    >
      <HomeItemCards
        key={which}
        name={`${kind}.${which}`}
        label={title}
        items={items}
        empty={empty[which]}
        favorites={favorites}
      />
    </HomeSection>
  )
}
