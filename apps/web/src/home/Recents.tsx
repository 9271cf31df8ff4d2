import { useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../shared/errors.ts'
import { recentItemsOptions } from '../shared/recents.ts'
import { useRows } from '../shared/use-resource.ts'
import { useLocalStorage } from './use-local-storage.ts'
import { HomeSection } from './HomeSection.tsx'
import { HomeItemCards } from './HomeItemCards.tsx'
import {
  cardsPerSection,
  editedItemsQuery,
  latestEdited,
  chartToItem,
  dashboardToItem,
  recentToItem,
  homeItemsQuery,
  type HomeChartRow,
  type HomeDashboardRow,
  type HomeItem,
} from './home-items.ts'

/** "Pick up where you left off": seen, edited or owned dashboards and charts. */
export function Recents() {
  const t = useTranslate()
  const [which, setWhich] = useLocalStorage('recents', 'recent', ['recent', 'edited', 'owned'])
  const query = which === 'edited' ? editedItemsQuery : (kind: 'dashboard' | 'chart') => homeItemsQuery(kind, 'mine')
  const seen = useQuery({ ...recentItemsOptions(cardsPerSection), staleTime: 0, enabled: which === 'recent' })
  const dashboards = useRows<HomeDashboardRow>('dashboard', query('dashboard'), which !== 'recent')
  const charts = useRows<HomeChartRow>('chart', query('chart'), which !== 'recent')

  const answers = which === 'recent' ? [seen] : [dashboards, charts]
  const failed = answers.find(({ error }) => error !== null)?.error
  let items: HomeItem[] | undefined
  if (which === 'recent') items = seen.data?.map(recentToItem)
  else if (dashboards.data && charts.data) {
    const untitled = t('app.untitled', '[ untitled dashboard ]')
    const untitledChart = t('lists.charts.untitled', '[ untitled chart ]')
    const rows = [
      ...dashboards.data.result.map((row) => ({ ...row, thing: dashboardToItem(row, untitled) })),
      ...charts.data.result.map((row) => ({ ...row, thing: chartToItem(row, untitledChart) })),
    ]
    items = which === 'edited' ? latestEdited(rows) : latestOwned(rows)
  }
  const title = t('home.recents', 'Pick up where you left off')
  return (
    <HomeSection
      key={which}
      name={`recents.${which}`}
      title={title}
      filter={{
        value: which,
        onChange: setWhich,
        label: t('home.recents.which', 'Filter activity'),
        options: [
          { value: 'recent', label: t('home.recents.seen', 'Viewed') },
          { value: 'edited', label: t('home.recents.edited', 'Edited') },
          { value: 'owned', label: t('home.recents.owned', 'Owned') },
        ],
      }}
      error={
        failed
          ? {
              text: `${t('home.recents.failed', 'There was an error fetching your recent activity:')} ${messageOf(failed)}`,
              retry: () => void Promise.all(answers.map((answer) => answer.refetch())),
            }
          : null
      }
    >
      <HomeItemCards
        name="recents"
        label={title}
        items={items}
        empty={t('home.recents.none', 'Dashboards and charts that you open or edit appear here.')}
      />
    </HomeSection>
  )
}

const latestOwned = (rows: readonly { changed_on_utc: string; thing: HomeItem }[]): HomeItem[] =>
  rows
    .toSorted((a, b) => (a.changed_on_utc < b.changed_on_utc ? 1 : -1))
    .slice(0, cardsPerSection)
    .map(({ thing }) => thing)
