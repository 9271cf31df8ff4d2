import type { Frame } from '@parquetry/frame'
import { Button, ProgressLine, useText } from '@parquetry/ui'
import { useNow } from '../../shared/use-now.ts'
import { DataGrid } from '../../shared/grid/DataGrid.tsx'
import type { Query, SqlLabActions } from '../tabs.ts'
import { duration } from '../../shared/duration.ts'
import styles from './results.module.css'

export interface QueryRunningProps {
  query: Query
  /** The rows shown until now. */
  before: Frame | null
  actions: Pick<SqlLabActions, 'stop'>
}

/** Elapsed time, rows so far and Stop, over the rows of before. */
export function QueryRunning({ query, before, actions }: QueryRunningProps) {
  const t = useText()
  const now = useNow('second')
  const rows = query.rows ?? 0
  const words =
    query.state === 'pending'
      ? t('sqllab.result.pending', 'Waiting to run')
      : query.state === 'fetching'
        ? t('sqllab.result.fetching', 'Fetching the results')
        : t('sqllab.result.running', 'Running {time}', { time: duration(now - query.startDttm) })
  return (
    <div className={styles.result} aria-busy>
      <ProgressLine label={t('sqllab.result.busy', 'The query runs')} />
      <div className={styles.bar}>
        <span>
          {words}
          {rows > 0 && ` · ${t('sqllab.result.soFar', '{rows, plural, one {# row} other {# rows}} so far', { rows })}`}
          {query.progress > 0 && query.progress < 100 && ` · ${query.progress} %`}
        </span>
        {query.state !== 'fetching' && (
          <Button icon="stop" onClick={() => actions.stop(query.id)}>
            {t('sqllab.result.stop', 'Stop')}
          </Button>
        )}
      </div>
      <div className={styles.faded} inert>
        {before && before.columns.length > 0 && (
          <DataGrid frame={before} label={t('sqllab.result.before', 'Result before')} />
        )}
      </div>
    </div>
  )
}
