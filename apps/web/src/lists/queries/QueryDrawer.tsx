import { JobChip, Skeleton, useText } from '@parquetry/ui'
import { Suspense } from 'react'
import { api } from '../../shared/api.ts'
import { lazyPart } from '../../shared/lazy-part.tsx'
import { formatNumber, formatTimestamp } from '../../shared/formats.ts'
import { stateWords } from '../../shared/query-states.ts'
import { Facts, PreviewDrawer, SqlText } from './PreviewDrawer.tsx'
import { timeSpent } from './times.ts'
import styles from './queries.module.css'

/** The grid comes with it: lists do without. */
const KeptResults = lazyPart(async () => (await import('./KeptResults.tsx')).KeptResults)

export interface QueryDrawerProps {
  id: number
  onClose(): void
}

/** A past run whole: its text, what really ran, how long it took and how it ended. */
export function QueryDrawer({ id, onClose }: QueryDrawerProps) {
  const t = useText()
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
          <Facts
            facts={[
              [
                t('lists.column.state', 'Status'),
                <JobChip key="state" state={data.status}>
                  {stateWords(t)[data.status] ?? data.status}
                </JobChip>,
              ],
              [t('lists.column.schema', 'Schema'), data.schema],
              [t('lists.column.started', 'Started'), when(data.start_time)],
              [t('lists.history.ended', 'Ended'), when(data.end_time)],
              [t('lists.column.duration', 'Duration'), timeSpent(data.start_time, data.end_time)],
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
              <KeptResults resultsKey={data.results_key} />
            </Suspense>
          )}
          <SqlText title={t('lists.column.sql', 'SQL')} sql={data.sql ?? ''} />
          {data.executed_sql && data.executed_sql !== data.sql && (
            <SqlText title={t('lists.history.executed', 'SQL as run')} sql={data.executed_sql} />
          )}
        </>
      )}
    </PreviewDrawer>
  )
}
