import { useText } from '@parquetry/ui'
import { useFavorites } from '../shared/use-favorites.ts'
import { messageOf } from '../shared/errors.ts'
import { useRows } from '../shared/use-resource.ts'
import { useKept } from './local.ts'
import { Section } from './Section.tsx'
import { ThingCards } from './ThingCards.tsx'
import { ofChart, ofDashboard, thingsQuery, type ChartRow, type DashboardRow, type Thing } from './things.ts'

export interface ThingsProps {
  kind: 'dashboard' | 'chart'
  title: string
  allHref: string
}

/** Dashboards or charts: favourites, mine, or the latest. */
export function Things({ kind, title, allHref }: ThingsProps) {
  const t = useText()
  const [which, setWhich] = useKept(kind, 'recent', ['favorite', 'mine', 'recent'])
  const list = useRows<DashboardRow | ChartRow>(kind, thingsQuery(kind, which))
  const rows = list.data?.result
  const favorites = useFavorites(kind, rows?.map(({ id }) => id) ?? [])
  const things = rows?.map((row): Thing =>
    'url' in row
      ? ofDashboard(row, t('app.untitled', '[ untitled dashboard ]'))
      : ofChart(row, t('lists.charts.untitled', '[ untitled chart ]')),
  )
  const empty = {
    favorite: t('home.none.favorite', 'No favorites yet. Select the star next to a name to add one.'),
    mine: t('home.none.mine', 'You don’t own any yet.'),
    recent: t('home.none.recent', 'None yet.'),
  }
  return (
    <Section
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
      <ThingCards
        key={which}
        name={`${kind}.${which}`}
        label={title}
        things={things}
        empty={empty[which]}
        favorites={favorites}
      />
    </Section>
  )
}
