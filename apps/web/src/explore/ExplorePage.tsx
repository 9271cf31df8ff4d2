import { EmptyState, ErrorPanel, Link, Skeleton, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchTimeSpan } from '../shared/fetch-time-span.ts'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { hasFeature } from '../shared/features.ts'
import { useLogView } from '../shared/log-event.ts'
import { usePage } from '../shared/page.ts'
import { can } from '../shared/rights.ts'
import { useTitle } from '../shared/use-title.ts'
import { isDatasetMissing, MissingDocument } from './MissingDocument.tsx'
import { Workbench } from './Workbench.tsx'
import { builtInDefaults, openDocument, type ExploreDefaults } from './open-document.ts'
import { explore } from './pages.ts'
import { isReloadOrSignIn, takeStashedForm } from './persist-form.ts'
import { datasourceKey, useExplore, type ExploreDocument, type ExploreParams } from './use-explore.ts'

/** A chart just saved under a new address, and the address from which it was opened. */
interface Saved {
  id: number
  name: string
  of: ExploreParams
  /** False until the address has changed to the saved chart. */
  isReached: boolean
}

/** Opens a chart, a dataset or a stored form in the workbench. */
export function ExplorePage() {
  const t = useTranslate()
  const { search, params, setSearch } = usePage(explore)
  const slice = params['slice'] && /^\d+$/.test(params['slice']) ? Number(params['slice']) : null
  const [swapped, setSwapped] = useState<string | null>(null)
  const [saved, setSaved] = useState<Saved | null>(null)
  /**
   * Incremented when the user leaves the address of a just-saved chart, so that the original document reopens without its
   * changes.
   */
  const [round, setRound] = useState(0)
  const requested: ExploreParams = {
    ...search,
    slice_id: search.slice_id ?? slice,
    permalink: params['permalink'] ?? null,
    form_data_key: swapped ?? search.form_data_key,
  }
  // The chart just saved under this address is the open document; it keeps its undo history.
  const isAtSaved = saved !== null && saved.id === requested.slice_id
  const isSaved = saved !== null && (isAtSaved || !saved.isReached)
  if (isAtSaved && !saved.isReached) setSaved({ ...saved, isReached: true })
  if (saved?.isReached && !isAtSaved) {
    setSaved(null)
    setRound(round + 1)
  }
  const activeParams = isSaved ? saved.of : requested
  const { data, error, refetch } = useExplore(activeParams, swapped)
  const opened = useOpened(data, search.viz_type)
  const swapTo = (form_data_key: string): void => {
    setSearch({ form_data_key, datasource_id: null, dataset_id: null, datasource_type: null, viz_type: null })
    setSwapped(form_data_key)
  }
  useLogView('explore', data?.slice?.slice_id)
  useTitle([
    (isSaved ? saved.name : data?.slice?.slice_name) ?? data?.dataset.table_name ?? '',
    t('explore.title', 'Charts'),
  ])

  if (
    activeParams.slice_id === null &&
    activeParams.datasource_id === null &&
    activeParams.permalink === null &&
    activeParams.form_data_key === null
  )
    return (
      <EmptyState
        title={t('explore.nothing', 'Missing URL parameters')}
        actions={
          <Link href={can('can_write', 'Chart') ? '/chart/add' : '/tablemodelview/list/'}>
            {t('explore.choose', 'Choose a dataset')}
          </Link>
        }
      >
        {t('explore.nothingText', 'The URL is missing the dataset_id or slice_id parameters.')}
      </EmptyState>
    )
  if (error || opened.error)
    return (
      <ErrorPanel onRetry={() => void refetch()} title={t('explore.failed', 'Could not open the chart')}>
        {messageOf(error ?? opened.error)}
      </ErrorPanel>
    )
  if (!data || !opened.data) return <Skeleton height="100%" />
  if (isDatasetMissing(data.dataset)) return <MissingDocument document={data} onSwapped={swapTo} />
  return (
    <Workbench
      key={`${round}.${activeParams.slice_id}.${activeParams.datasource_id}.${activeParams.permalink}.${datasourceKey(data.dataset)}`}
      document={data}
      opened={opened.data}
      dashboardId={search.dashboard_id}
      onSaved={(id, name) => setSaved({ id, name, of: activeParams, isReached: false })}
      onSwapped={swapTo}
    />
  )
}

const { DEFAULT_VIZ_TYPE: usualType, DEFAULT_TIME_FILTER: usualRange } = boot.common.conf
const configured: ExploreDefaults = {
  // `table` is the server's default when nothing is configured; a guess is more useful.
  viz_type: typeof usualType === 'string' && usualType !== 'table' ? usualType : null,
  time_range: typeof usualRange === 'string' && usualRange !== '' ? usualRange : builtInDefaults.time_range,
  timeIsDimension: hasFeature('GENERIC_CHART_AXES'),
}

const useOpened = (document: ExploreDocument | undefined, viz_type: string | null) =>
  useQuery({
    queryKey: [
      'explore-open',
      document?.slice?.slice_id,
      document?.dataset.id,
      document?.dataset.type,
      document?.form_data,
    ],
    queryFn: ({ signal }) => {
      const { slice, dataset } = document as ExploreDocument
      const stashedForm = takeStashedForm(slice?.slice_id ?? null, dataset)
      return openDocument(
        document as ExploreDocument,
        viz_type,
        isReloadOrSignIn() ? stashedForm : null,
        (spanDataset) => fetchTimeSpan(spanDataset, signal),
        configured,
      )
    },
    enabled: document !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
