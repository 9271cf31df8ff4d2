import { EmptyState, ErrorPanel, Icon, Link, PageHeader, Skeleton, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { DropZone } from '../shared/DropZone.tsx'
import { messageOf } from '../shared/errors.ts'
import { canUploadAny } from '../shared/upload.ts'
import { usePage } from '../shared/page.ts'
import { useDebounced } from '../shared/use-debounced.ts'
import { useList } from '../shared/use-resource.ts'
import { useTitle } from '../shared/use-title.ts'
import { chartedDatasets } from './charted-datasets.ts'
import { suggestions } from './pages.ts'
import styles from './pages.module.css'

/** CONST-023 */
const searchDelayMs = 250
const maxShown = 50

/** First step to a new chart: choose a dataset, with those of the user's recent charts first. */
export function ChooseDataset() {
  const t = useTranslate()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), searchDelayMs)
  const { data, error, refetch } = useList('dataset', {
    columns: ['id', 'table_name', 'schema', 'database.database_name', 'changed_on_delta_humanized'],
    filters: search ? [{ col: 'table_name', opr: 'ct', value: search }] : [],
    order_column: 'changed_on_delta_humanized',
    order_direction: 'desc',
    page: 0,
    page_size: maxShown,
  })
  const { data: charts } = useList('chart', {
    columns: ['datasource_id', 'datasource_name_text'],
    filters: [{ col: 'owners', opr: 'owned_or_created_by_me', value: true }],
    order_column: 'changed_on_delta_humanized',
    order_direction: 'desc',
    page: 0,
    page_size: 25,
  })
  const title = t('upload.choose.title', 'New chart')
  const label = t('upload.choose.search', 'Search datasets')
  const recent = search === '' && charts ? chartedDatasets(charts.result) : []
  useTitle([title])
  return (
    <>
      <PageHeader title={title} />
      <div className={styles.content}>
        <p className={styles.note}>{t('upload.choose.note', 'Choose a dataset to see suggested charts.')}</p>
        <div role="search">
          <TextInput
            type="search"
            icon="search"
            aria-label={label}
            placeholder={label}
            value={typed}
            onChange={setTyped}
            clearable
            autoFocus
            data-search
          />
        </div>
        {error ? (
          <ErrorPanel onRetry={() => void refetch()}>{messageOf(error)}</ErrorPanel>
        ) : !data ? (
          <Skeleton height={320} />
        ) : (
          <>
            {recent.length > 0 && (
              <Datasets title={t('upload.choose.recent', 'Used in your recent charts')} rows={recent} />
            )}
            {data.result.length > 0 ? (
              <Datasets
                title={t('upload.choose.all', '{count, plural, one {# dataset} other {# datasets}}', {
                  count: data.count,
                })}
                rows={data.result.map((row) => ({
                  id: row.id,
                  name: row.table_name,
                  place: [row.database.database_name, row.schema].filter(Boolean).join(' · '),
                  changed: row.changed_on_delta_humanized,
                }))}
              />
            ) : (
              <EmptyState
                inline
                title={
                  search
                    ? t('upload.choose.nothing', 'No datasets match your search')
                    : t('upload.choose.none', 'No datasets yet')
                }
              />
            )}
            {data.count > maxShown && (
              <p className={styles.note}>
                {t('upload.choose.more', 'Showing the latest {count, number}. Search to find others.', {
                  count: maxShown,
                })}
              </p>
            )}
            {canUploadAny && <DropZone />}
          </>
        )}
      </div>
    </>
  )
}

interface Row {
  id: number
  name: string
  place?: string
  changed?: string
}

function Datasets({ title, rows }: { title: string; rows: readonly Row[] }) {
  const { dashboard_id } = usePage(suggestions).search
  const goal = dashboard_id === null ? '' : `&dashboard_id=${dashboard_id}`
  return (
    <section className={styles.datasets}>
      <h2>{title}</h2>
      <ul aria-label={title}>
        {rows.map(({ id, name, place, changed }) => (
          <li key={id}>
            <Link href={`/chart/suggestions/?dataset_id=${id}${goal}`} className={styles.dataset}>
              <Icon name="dataset" />
              <span className={styles.datasetName}>{name}</span>
              {place && <span>{place}</span>}
              {changed && <span>{changed}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
