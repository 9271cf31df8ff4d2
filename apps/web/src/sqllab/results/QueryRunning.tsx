import type { Frame } from '@parquetry/frame'
import { Button, ProgressLine, useTranslate } from '@parquetry/ui'
import { Suspense } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { RefusedNote } from '../../shared/RefusedNote.tsx'
import type { SqlLabActions } from '../actions.ts'
import type { Query } from '../state.ts'
import { Elapsed } from '../toolbar/Elapsed.tsx'
import styles from './results.module.css'

const DataGrid = lazyComponent(async () => (await import('../../shared/grid/DataGrid.tsx')).DataGrid)

export interface QueryRunningProps {
  query: Query
  /** The previous rows. */
  before: Frame | null
  actions: Pick<SqlLabActions, 'stop' | 'tryNow'>
}

/**
 * Elapsed time and rows so far, above the previous rows. Stop is in the toolbar; a preview, which the toolbar does not control,
 * has its own here. So does a run that the server has refused and that waits for its next try.
 */
export function QueryRunning({ query, before, actions }: QueryRunningProps) {
  const t = useTranslate()
  return (
    <div className={styles.result} aria-busy>
      {query.refusal ? (
        <div className={styles.bar}>
          <RefusedNote
            inline
            {...query.refusal}
            onRetry={() => actions.tryNow(query.id)}
            onStop={() => actions.stop(query.id)}
          />
        </div>
      ) : (
        <>
          <div className={styles.progress}>
            <ProgressLine label={t('sqllab.result.busy', 'Running query…')} />
          </div>
          <div className={styles.bar}>
            {query.state === 'fetching' ? t('sqllab.result.fetching', 'Loading results…') : <Elapsed query={query} />}
            {query.isDataPreview && query.state !== 'fetching' && (
              <Button icon="stop" onClick={() => actions.stop(query.id)}>
                {t('sqllab.result.stop', 'Stop')}
              </Button>
            )}
          </div>
        </>
      )}
      <div className={styles.faded} inert>
        {before && before.columns.length > 0 && (
          <Suspense>
            <DataGrid frame={before} label={t('sqllab.result.before', 'Previous result')} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
