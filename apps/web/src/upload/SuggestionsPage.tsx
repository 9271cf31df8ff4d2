import type { ChartForm } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'
import {
  Button,
  ButtonLink,
  Checkbox,
  ErrorPanel,
  PageHeader,
  Skeleton,
  toastError,
  useNavigation,
  useTranslate,
} from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { usePage } from '../shared/page.ts'
import { SuggestedChartCard } from '../shared/suggested-charts/SuggestedChartCard.tsx'
import { suggestCharts, type SuggestedChart } from '../shared/suggested-charts/use-suggested-charts.ts'
import { can } from '../shared/rights.ts'
import { useTitle } from '../shared/use-title.ts'
import { ChooseDataset } from './ChooseDataset.tsx'
import { addToDashboard } from './add-to-dashboard.ts'
import { suggestions } from './pages.ts'
import styles from './pages.module.css'

/** Creates a chart: choose a dataset, then one of the suggested charts. */
export function SuggestionsPage() {
  const { search } = usePage(suggestions)
  const { dataset_id, dashboard_id } = search
  if (dataset_id === null) return <ChooseDataset />
  return <Suggestions key={dataset_id} dataset_id={dataset_id} dashboard_id={dashboard_id} />
}

/** Address of Explore on a dataset, with the dashboard to add the chart to. */
const buildExploreUrl = (dataset_id: number, dashboard_id: number | null): string =>
  `/explore/?datasource_type=table&datasource_id=${dataset_id}${dashboard_id === null ? '' : `&dashboard_id=${dashboard_id}`}`

/** Suggested charts of a dataset, each of which opens in Explore. */
function Suggestions({ dataset_id, dashboard_id }: { dataset_id: number; dashboard_id: number | null }) {
  const t = useTranslate()
  const { data, error, refetch } = useQuery({
    queryKey: ['suggestions', dataset_id],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/explore/', {
        query: { datasource_id: dataset_id, datasource_type: 'table' },
        signal,
      })
      const { dataset } = result
      return { dataset, drawn: await suggestCharts(dataset as never, signal) }
    },
    staleTime: Infinity,
  })
  const name = data?.dataset.table_name ?? ''
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [collected, setCollected] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const toggle = (title: string): void => {
    const next = new Set(collected)
    if (!next.delete(title)) next.add(title)
    setCollected(next)
  }
  const collect = async (): Promise<void> => {
    if (!data || busy) return
    setBusy(true)
    try {
      const charts = data.drawn
        .filter(({ suggestion }) => collected.has(suggestion.title))
        .map(({ suggestion, chart }) => ({ title: suggestion.title, chart, form: suggestion.form }))
      const id = await addToDashboard(dashboard_id, name, data.dataset, charts)
      for (const kind of ['chart', 'dashboard']) void queries.invalidateQueries({ queryKey: [kind] })
      go(`/superset/dashboard/${id}/`)
    } catch (failure) {
      toastError(messageOf(failure))
      setBusy(false)
    }
  }
  useTitle([name, t('upload.suggestions.title', 'Suggested charts')])
  return (
    <>
      <PageHeader
        title={t('upload.suggestions.title', 'Suggested charts')}
        actions={
          <ButtonLink href={buildExploreUrl(dataset_id, dashboard_id)}>
            {t('upload.suggestions.own', 'Start from scratch')}
          </ButtonLink>
        }
      />
      <div className={styles.content}>
        {error ? (
          <ErrorPanel onRetry={() => void refetch()}>{messageOf(error)}</ErrorPanel>
        ) : data ? (
          <>
            <p className={styles.note}>
              {t(
                'upload.suggestions.note',
                'Based on the dataset {name}. Choose a chart to open it in Explore, or select several for a dashboard.',
                {
                  name,
                },
              )}
            </p>
            <ul className={styles.grid} onKeyDown={moveBetween}>
              {data.drawn.map((picture) => (
                <Suggested
                  key={picture.suggestion.title}
                  picture={picture}
                  dataset={data.dataset}
                  isCollected={collected.has(picture.suggestion.title)}
                  address={buildExploreUrl(dataset_id, dashboard_id)}
                  onCollect={can('can_write', 'Dashboard') ? () => toggle(picture.suggestion.title) : undefined}
                />
              ))}
            </ul>
            {collected.size > 0 && (
              <div className={styles.foot}>
                <Button variant="primary" icon="dashboard" busy={busy} onClick={() => void collect()}>
                  {dashboard_id === null
                    ? t(
                        'upload.suggestions.dashboard',
                        'Create dashboard with {count, plural, one {# chart} other {# charts}}',
                        { count: collected.size },
                      )
                    : t('upload.suggestions.add', 'Add {count, plural, one {# chart} other {# charts}} to dashboard', {
                        count: collected.size,
                      })}
                </Button>
              </div>
            )}
          </>
        ) : (
          <Skeleton height={580} />
        )}
      </div>
    </>
  )
}

/** A suggested chart: the card opens it, a checkbox collects it. */
function Suggested({
  picture,
  dataset,
  address,
  isCollected,
  onCollect,
}: {
  picture: SuggestedChart
  dataset: DatasetObject
  /** Address of Explore, without the stored form. */
  address: string
  isCollected: boolean
  /** Undefined if the user may not write dashboards. */
  onCollect: (() => void) | undefined
}) {
  const t = useTranslate()
  const { go } = useNavigation()
  const [busy, setBusy] = useState(false)
  const { suggestion } = picture
  const { title } = suggestion

  const open = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    try {
      const key = await saveFormData(dataset.id, { ...suggestion.form, parquetry: { title } })
      go(`${address}&form_data_key=${key}`)
    } catch (error) {
      toastError(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <SuggestedChartCard
      suggested={picture}
      dataset={dataset as never}
      className={styles.card}
      label={t('upload.suggestions.open', 'Open {title} in Explore', { title })}
      choose={{
        'aria-busy': busy || undefined,
        onClick: () => void open(),
        onKeyDown: (event) => {
          // Enter opens, Space collects.
          if (event.key !== ' ' || !onCollect) return
          event.preventDefault()
          onCollect()
        },
      }}
    >
      {onCollect && (
        <span className={styles.collect}>
          <Checkbox
            checked={isCollected}
            onChange={onCollect}
            label={t('upload.suggestions.collectShort', 'Select')}
            aria-label={t('upload.suggestions.collect', 'Select {title} for a dashboard', { title })}
          />
        </span>
      )}
    </SuggestedChartCard>
  )
}

/** Arrow keys move between charts. */
function moveBetween(event: KeyboardEvent<HTMLUListElement>): void {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
  if (!by) return
  const all = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('li > button')]
  const next = all[all.indexOf(document.activeElement as HTMLButtonElement) + by]
  if (!next) return
  event.preventDefault()
  next.focus()
}

async function saveFormData(dataset: number, form: ChartForm): Promise<string> {
  const body = { datasource_id: dataset, datasource_type: 'table' as const, form_data: JSON.stringify(form) }
  return (await api.post('/api/v1/explore/form_data', { body })).key
}
