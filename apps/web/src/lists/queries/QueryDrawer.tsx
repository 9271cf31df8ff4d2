import { JobChip, Skeleton, useTranslate } from '@parquetry/ui'
import { Suspense } from 'react'
import { api } from '../../shared/api.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { formatNumber, formatTimestamp } from '../../shared/formats.ts'
import { queryStateLabels } from '../../shared/query-states.ts'
import { DescriptionList, PreviewDrawer, SqlText } from './PreviewDrawer.tsx'
import { formatElapsed } from './times.ts'
import styles from './queries.module.css'

/** Loaded on demand with the grid, which lists do not need. */
const CachedResults = lazyComponent(async () => (await import('./CachedResults.tsx')).CachedResults)

export interface QueryDrawerProps {
  id: number
  onClose(): void
}

/** Details of a past query: text, executed SQL, duration and outcome. */
export function QueryDrawer({ id, onClose }: QueryDrawerProps) {
  const t = useTranslate()
  const when = (time: number | string | null): string | null => (time === null ? null : formatTimestamp(Number(time)))
  return (
    <PreviewDrawer
      resource="query"
      id={id}
      read={async (signal) => (await api.get('/api/v1/query/:id', { params: { id }, signal })).result}
      title={(data) => data?.tab_name || t('lists.history.drawer', 'Query')}
      href={`/superset/sqllab/?queryId=${id}`}
      onClose={onClose}
    >
      {(data) => (
        <>
          <DescriptionList
            facts={[
              [
                t('lists.column.state', 'Status'),
                <JobChip key="state" state={data.status}>
                  {queryStateLabels(t)[data.status] ?? data.status}
                </JobChip>,
              ],
              [t('lists.column.schema', 'Schema'), data.schema],
              [t('lists.column.started', 'Started'), when(data.start_time)],
              [t('lists.history.ended', 'Ended'), when(data.end_time)],
              [t('lists.column.duration', 'Duration'), formatElapsed(data.start_time, data.end_time)],
              [t('lists.column.rows', 'Rows'), data.rows === null ? null : formatNumber(data.rows)],
              [t('lists.history.limit', 'Row limit'), data.limit === null ? null : formatNumber(data.limit)],
            ]}
          />
          {data.error_message && (
            <>
              <h3 className={styles.heading}>{t('lists.history.error', 'Error')}</h3>
              <pre className={`${styles.text} ${styles.wrong}`} tabIndex={0}>
                {data.error_message}
              </pre>
            </>
          )}
          {data.status === 'success' && data.results_key && (
            <Suspense fallback={<Skeleton height={32} />}>
              <CachedResults resultsKey={data.results_key} />
            </Suspense>
          )}
          <SqlText title={t('lists.column.sql', 'SQL')} sql={data.sql ?? ''} />
          {data.executed_sql && data.executed_sql !== data.sql && (
            <SqlText title={t('lists.history.executed', 'SQL sent to database')} sql={data.executed_sql} />
          )}
        </>
      )}
    </PreviewDrawer>
  )
}
