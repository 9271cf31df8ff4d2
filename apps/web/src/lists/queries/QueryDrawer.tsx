import { Button, ButtonLink, Drawer, ErrorPanel, JobChip, Skeleton, useCopy, useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { lazyPart } from '../../shared/lazy-part.ts'
import { dateTime } from '../../shared/date-time.ts'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { stateWords } from '../../shared/query-states.ts'
import { timeSpent } from './times.ts'
import styles from './queries.module.css'

/** The grid comes with it: lists do without. */
const KeptResults = lazyPart(async () => (await import('./KeptResults.tsx')).KeptResults)

interface PastQuery {
  sql: string | null
  executed_sql: string | null
  status: string
  database: { id: number }
  schema: string | null
  start_time: number | string | null
  end_time: number | string | null
  rows: number | null
  limit: number | null
  tab_name: string | null
  error_message: string | null
  results_key: string | null
}

export interface QueryDrawerProps {
  id: number
  onClose(): void
}

/** A past run whole: its text, what really ran, how long it took and how it ended. */
export function QueryDrawer({ id, onClose }: QueryDrawerProps) {
  const t = useText()
  const { data, error, refetch } = useQuery({
    queryKey: ['query', 'item', id],
    queryFn: async ({ signal }) => (await api.get<{ result: PastQuery }>(`/api/v1/query/${id}`, { signal })).result,
  })
  const when = (time: number | string | null): string | null => (time === null ? null : dateTime(Number(time)))
  return (
    <Drawer
      open
      title={data?.tab_name || t('lists.history.drawer', 'Query')}
      onClose={onClose}
      footer={
        <ButtonLink variant="primary" icon="sql" href={`/superset/sqllab/?queryId=${id}`}>
          {t('lists.queries.open', 'Open in SQL Lab')}
        </ButtonLink>
      }
    >
      {error ? (
        <ErrorPanel inline onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorPanel>
      ) : !data ? (
        <Skeleton height={160} />
      ) : (
        <>
          <Facts
            facts={[
              [
                t('lists.column.state', 'State'),
                <JobChip key="state" state={data.status}>
                  {stateWords(t)[data.status] ?? data.status}
                </JobChip>,
              ],
              [t('lists.column.schema', 'Schema'), data.schema],
              [t('lists.column.started', 'Started'), when(data.start_time)],
              [t('lists.history.ended', 'Ended'), when(data.end_time)],
              [t('lists.column.duration', 'Duration'), timeSpent(data.start_time, data.end_time)],
              [t('lists.column.rows', 'Rows'), data.rows?.toLocaleString()],
              [t('lists.history.limit', 'Limit'), data.limit?.toLocaleString()],
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
            <SqlText title={t('lists.history.executed', 'What ran')} sql={data.executed_sql} />
          )}
        </>
      )}
    </Drawer>
  )
}

/** Names and values, without those that are not known. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function SqlText({ title, sql }: { title: string; sql: string }) {
  const t = useText()
  const copy = useCopy()
  return (
    <>
      <div className={styles.headLine}>
        <h3 className={styles.heading}>{title}</h3>
        <Button variant="quiet" icon="copy" onClick={() => copy(sql, t('lists.queries.sqlCopied', 'SQL copied'))}>
          {t('lists.queries.copy', 'Copy')}
        </Button>
      </div>
      <pre className={styles.text} tabIndex={0}>
        {sql}
      </pre>
    </>
  )
}
