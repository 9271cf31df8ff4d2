import { useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../shared/errors.ts'
import { recentOptions } from '../shared/recents.ts'
import { useRows } from '../shared/use-resource.ts'
import { useKept } from './local.ts'
import { Section } from './Section.tsx'
import { ThingCards } from './ThingCards.tsx'
import {
  cardsPerSection,
  editedQuery,
  firstEdited,
  ofChart,
  ofDashboard,
  ofRecent,
  thingsQuery,
  type ChartRow,
  type DashboardRow,
  type Thing,
} from './things.ts'

/** "Pick up where you left off": seen, edited or owned dashboards and charts. */
export function Recents() {
  const t = useText()
  const [which, setWhich] = useKept('recents', 'recent', ['recent', 'edited', 'owned'])
  const query = which === 'edited' ? editedQuery : (kind: 'dashboard' | 'chart') => thingsQuery(kind, 'mine')
  const seen = useQuery({ ...recentOptions(cardsPerSection), staleTime: 0, enabled: which === 'recent' })
  const dashboards = useRows<DashboardRow>('dashboard', query('dashboard'), which !== 'recent')
  const charts = useRows<ChartRow>('chart', query('chart'), which !== 'recent')

  const answers = which === 'recent' ? [seen] : [dashboards, charts]
  const failed = answers.find(({ error }) => error !== null)?.error
  let things: Thing[] | undefined
  if (which === 'recent') things = seen.data?.map(ofRecent)
  else if (dashboards.data && charts.data) {
    const untitled = t('app.untitled', '[ untitled dashboard ]')
    const untitledChart = t('lists.charts.untitled', '[ untitled chart ]')
    const rows = [
      ...dashboards.data.result.map((row) => ({ ...row, thing: ofDashboard(row, untitled) })),
      ...charts.data.result.map((row) => ({ ...row, thing: ofChart(row, untitledChart) })),
    ]
    things = which === 'edited' ? firstEdited(rows) : firstOwned(rows)
  }
  const title = t('home.recents', 'Pick up where you left off')
  return (
    <Section
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
      <ThingCards
        name="recents"
        label={title}
        things={things}
        empty={t('home.recents.none', 'Dashboards and charts that you open or edit appear here.')}
      />
    </Section>
  )
}

const firstOwned = (rows: readonly { changed_on_utc: string; thing: Thing }[]): Thing[] =>
  rows
    .toSorted((a, b) => (a.changed_on_utc < b.changed_on_utc ? 1 : -1))
    .slice(0, cardsPerSection)
    .map(({ thing }) => thing)
