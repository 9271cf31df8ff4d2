import { carryOver, loadChart, openForm, suggestForm, type AnyChart, type ChartForm } from '@parquetry/charts'
import { EmptyState, ErrorPanel, Link, Skeleton, useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../shared/errors.ts'
import { usePage } from '../shared/page.ts'
import { useTitle } from '../shared/use-title.ts'
import { Workbench } from './Workbench.tsx'
import { explore } from './pages.ts'
import { useExplore, type DatasetDocument, type ExploreDocument, type ExplorePlace } from './use-explore.ts'

interface Opened {
  chart: AnyChart
  form: ChartForm
}

/** Opens a chart, a dataset or a kept state; the workbench takes it from there. */
export function ExplorePage() {
  const t = useText()
  const { search, params } = usePage(explore)
  const slice = params['slice'] && /^\d+$/.test(params['slice']) ? Number(params['slice']) : null
  const place: ExplorePlace = { ...search, slice_id: search.slice_id ?? slice, permalink: params['permalink'] ?? null }
  const { data, error, refetch } = useExplore(place)
  const opened = useOpened(data, search.viz_type)
  useTitle([data?.slice?.slice_name ?? data?.dataset.table_name ?? '', t('explore.title', 'Charts')])

  if (
    place.slice_id === null &&
    place.datasource_id === null &&
    place.permalink === null &&
    place.form_data_key === null
  )
    return (
      <EmptyState
        title={t('explore.nothing', 'Missing URL parameters')}
        actions={<Link href="/tablemodelview/list/">{t('explore.choose', 'Choose a dataset')}</Link>}
      >
        {t('explore.nothingText', 'A chart begins with a dataset.')}
      </EmptyState>
    )
  if (error || opened.error)
    return (
      <ErrorPanel onRetry={() => void refetch()} title={t('explore.failed', 'The chart could not be opened')}>
        {messageOf(error ?? opened.error)}
      </ErrorPanel>
    )
  if (!data || !opened.data) return <Skeleton height="100%" />
  if (isMissing(data.dataset))
    return (
      <EmptyState
        title={t('explore.missing', 'Missing dataset')}
        actions={<Link href="/tablemodelview/list/">{t('explore.choose', 'Choose a dataset')}</Link>}
      >
        {t('explore.missingText', 'The dataset of this chart is gone, or you may not see it.')}
      </EmptyState>
    )
  return (
    <Workbench
      key={`${place.slice_id}.${place.datasource_id}.${place.permalink}`}
      document={data}
      opened={opened.data}
      dashboardId={search.dashboard_id}
    />
  )
}

const isMissing = ({ columns, id }: DatasetDocument): boolean => id === undefined || id === null || columns.length === 0

/** The chart type and the form to begin with: the stored one, or a best guess for a dataset without any. */
const useOpened = (document: ExploreDocument | undefined, viz_type: string | null) =>
  useQuery({
    queryKey: ['explore-open', document?.slice?.slice_id, document?.dataset.id, document?.form_data],
    queryFn: async (): Promise<Opened> => {
      const { form_data, dataset } = document as ExploreDocument
      const stored = isNew(form_data) ? { ...form_data, ...suggestForm(dataset) } : form_data
      const opened = (await openForm(stored)) ?? (await fallback(stored))
      const other = viz_type && viz_type !== opened.chart.viz_type ? await loadChart(viz_type) : undefined
      return other ? { chart: other, form: carryOver(opened.form, opened.chart, other, dataset) } : opened
    },
    enabled: document !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })

const settings = ['metric', 'metrics', 'groupby', 'all_columns', 'columns', 'x_axis']
/** A form that asks nothing yet: it came with a dataset only. */
const isNew = (form: ChartForm): boolean => settings.every((name) => form[name] === undefined)

/** A type that nobody here draws keeps its form; it is shown as a table. */
async function fallback(form: ChartForm): Promise<Opened> {
  const table = await loadChart('table')
  if (!table) throw new Error('The table is missing among the chart types.')
  return { chart: table, form: carryOver(form, undefined, table) }
}
