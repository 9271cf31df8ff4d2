import type { Frame } from '@parquetry/frame'
import { Button, EmptyState, Skeleton, useTranslate } from '@parquetry/ui'
import { Suspense, useEffect } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import type { SqlLabActions } from '../actions.ts'
import { isLive } from '../queries.ts'
import type { Query, QueryEditor } from '../state.ts'
import { QueryFailed } from './QueryFailed.tsx'
import { QueryRunning } from './QueryRunning.tsx'
import { StatementRan } from './StatementRan.tsx'
import { useResult } from './use-result.ts'

const loadQuerySucceeded = async () => (await import('./QuerySucceeded.tsx')).QuerySucceeded
const QuerySucceeded = lazyComponent(loadQuerySucceeded)

export interface ResultViewProps {
  tab: QueryEditor
  query: Query | null
  /** Rows of an older query, shown while this one runs. */
  before: Frame | null
  isOutdated: boolean
  actions: SqlLabActions
}

/** One query in any state. */
export function ResultView({ tab, query, before, isOutdated, actions }: ResultViewProps) {
  const t = useTranslate()
  const result = useResult(query, actions)
  const isRunning = query !== null && isLive(query)
  // Loads the grid while the query runs.
  useEffect(() => {
    if (isRunning) void loadQuerySucceeded().catch(() => undefined)
  }, [isRunning])
  const again = query && (
    <Button icon="refresh" onClick={() => actions.rerun(query.id)}>
      {t('sqllab.result.again', 'Run again')}
    </Button>
  )
  if (!query)
    return (
      <EmptyState title={t('sqllab.result.none', 'No results yet')}>
        {t('sqllab.result.how', 'Write a query and press Ctrl+Enter to run it. The results appear here.')}
      </EmptyState>
    )
  if (isRunning || query.state === 'scheduled') return <QueryRunning query={query} before={before} actions={actions} />
  if (query.state === 'stopped')
    return (
      <EmptyState
        title={
          query.error ? t('sqllab.result.lost', 'Connection lost') : t('sqllab.result.stopped', 'Query was stopped.')
        }
        actions={again}
      >
        {query.error?.message}
      </EmptyState>
    )
  if (query.state !== 'success') return <QueryFailed query={query} text={tab.sql} actions={actions} />
  // A new table has no rows to fetch.
  if (query.ctas) return <StatementRan tab={tab} query={query} actions={actions} />
  if (result)
    return (
      <Suspense fallback={<Skeleton height={120} />}>
        <QuerySucceeded
          key={query.id}
          tab={tab}
          query={query}
          result={result}
          isOutdated={isOutdated}
          actions={actions}
        />
      </Suspense>
    )
  if (query.resultsKey !== null)
    return (
      <EmptyState
        title={t('sqllab.result.notHere', 'Results not loaded')}
        actions={
          <>
            <Button icon="table" onClick={() => actions.fetchResults(query.id)}>
              {t('sqllab.result.fetch', 'Show results')}
            </Button>
            {again}
          </>
        }
      >
        {t('sqllab.result.kept', 'Results are kept for 24 hours.')}
      </EmptyState>
    )
  return (
    <EmptyState title={t('sqllab.result.gone', 'Results no longer available')} actions={again}>
      {t('sqllab.result.kept', 'Results are kept for 24 hours.')}
    </EmptyState>
  )
}
