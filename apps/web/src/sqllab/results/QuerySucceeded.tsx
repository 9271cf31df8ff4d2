import {
  Button,
  EmptyState,
  Icon,
  IconButton,
  Menu,
  SegmentedControl,
  useTranslate,
  type MenuItem,
} from '@parquetry/ui'
import { Suspense, useRef, useState } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { DataGrid, type GridHandle } from '../../shared/grid/DataGrid.tsx'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import type { SqlLabActions } from '../actions.ts'
import type { Query, QueryEditor } from '../state.ts'
import { limitChoices } from '../tabs.ts'
import type { CachedResult } from './local-results.ts'
import { CopyMenu, DownloadMenu, canDownloadResults } from './ResultMenus.tsx'
import { discardResult } from './use-result.ts'
import { formatDuration } from '../../shared/format-duration.ts'
import { isPlan } from './plan/is-plan.ts'
import { findReachedLimit, nextLimit, computeDuration } from './result-facts.ts'
import { StatementRan } from './StatementRan.tsx'
import styles from './results.module.css'

/** Loaded when a chart is requested. */
const QuickChart = lazyComponent(async () => (await import('./QuickChart.tsx')).QuickChart)
const PlanView = lazyComponent(async () => (await import('./plan/PlanView.tsx')).PlanView)

export interface QuerySucceededProps {
  tab: QueryEditor
  query: Query
  result: CachedResult
  /** The text of the tab no longer contains the query. */
  isOutdated: boolean
  actions: SqlLabActions
}

/** Result of a query: its facts, its actions, and its rows or a chart of them. */
export function QuerySucceeded({ tab, query, result, isOutdated, actions }: QuerySucceededProps) {
  const t = useTranslate()
  const isPhone = useMediaQuery(breakpoints.phone)
  const grid = useRef<GridHandle>(null)
  const { answer, frame } = result
  const hasPlan = isPlan(query.sql, frame)
  const [shown, setShown] = useState<'rows' | 'chart' | 'plan' | 'text'>(hasPlan ? 'plan' : 'rows')
  const limited = findReachedLimit(answer, frame.rows)
  const ms = computeDuration(query)
  const higher = limited?.byToolbar ? nextLimit(query.queryLimit, [...limitChoices, tab.maxRow], tab.maxRow) : null

  if (frame.columns.length === 0) return <StatementRan tab={tab} query={query} actions={actions} />

  const raise = {
    label: t('sqllab.result.raise', 'Raise limit to {limit, number}', { limit: higher ?? 0 }),
    onSelect: () => actions.rerun(query.id, { queryLimit: higher ?? query.queryLimit }),
  }
  const hasRows = shown === 'rows' && frame.rows > 0
  const search = {
    label: t('shared.grid.search', 'Search loaded rows'),
    icon: 'search' as const,
  }
  const statistics = {
    label: t('shared.grid.statistics', 'Column statistics'),
    icon: 'number' as const,
  }
  const more: MenuItem[] = [
    // On a phone, the bar has space for one line.
    ...(isPhone && higher !== null ? [raise] : []),
    ...(isPhone && hasRows
      ? [
          { ...search, onSelect: () => grid.current?.search() },
          { ...statistics, onSelect: () => grid.current?.statistics() },
          'divider' as const,
        ]
      : []),
    ...(query.isDataPreview
      ? []
      : [
          {
            label: t('sqllab.result.saveDataset', 'Save as dataset'),
            icon: 'dataset' as const,
            onSelect: () => actions.saveDataset(query.id),
          },
          'divider' as const,
        ]),
    { label: t('sqllab.result.again', 'Run again'), icon: 'refresh', onSelect: () => actions.rerun(query.id) },
    {
      label: t('sqllab.result.clear', 'Clear results'),
      icon: 'trash',
      onSelect: () => {
        discardResult(query.id)
        actions.clearResults(query.id)
      },
    },
  ]
  const outdated = t('sqllab.result.outdated', 'Query changed since this run')
  const createLabel = t('sqllab.result.chart', 'Create chart')
  const create = {
    icon: 'chart',
    variant: 'primary',
    onClick: () => actions.createChart(query.id),
  } as const
  const cells = () =>
    grid.current?.cells() ?? {
      columns: frame.columns,
      rows: Uint32Array.from({ length: frame.rows }, (_, row) => row),
    }

  return (
    <div className={styles.result}>
      <div className={styles.bar}>
        <span role="status" className={styles.facts}>
          {limited?.byToolbar
            ? t('sqllab.result.cut', '{rows, plural, one {# row} other {# rows}} shown, more available', {
                rows: frame.rows,
              })
            : t('sqllab.result.rows', '{rows, plural, one {# row} other {# rows}}', { rows: frame.rows })}
          {ms !== null && ` · ${formatDuration(ms)}`}
          {limited?.byServer
            ? ` · ${t('sqllab.result.cutByServer', 'server limit reached')}`
            : limited && !limited.byToolbar
              ? ` · ${t('sqllab.result.limitInQuery', 'limit {limit, number} in query', { limit: limited.limit })}`
              : ` · ${t('sqllab.result.limit', 'limit {limit, number}', { limit: query.queryLimit })}`}
        </span>
        {isOutdated && (
          <span role="status" className={styles.outdated} title={outdated}>
            <Icon name="clock" size={12} />
            <span className={isPhone ? 'visually-hidden' : undefined}>{outdated}</span>
          </span>
        )}
        {higher !== null && !isPhone && (
          <Button variant="quiet" onClick={raise.onSelect}>
            {raise.label}
          </Button>
        )}
        <div className={styles.actions}>
          {/* First, so that the switch stays under the pointer when they disappear. */}
          {hasRows && !isPhone && (
            <>
              <IconButton {...search} onClick={() => grid.current?.search()} />
              <IconButton {...statistics} onClick={() => grid.current?.statistics()} />
            </>
          )}
          {frame.rows > 0 && (
            <SegmentedControl
              value={shown}
              onChange={setShown}
              options={[
                ...(hasPlan
                  ? [
                      { value: 'plan' as const, label: t('sqllab.result.asPlan', 'Plan') },
                      { value: 'text' as const, label: t('sqllab.result.asText', 'Text') },
                    ]
                  : []),
                { value: 'rows' as const, label: t('sqllab.result.asRows', 'Rows') },
                ...(hasPlan ? [] : [{ value: 'chart' as const, label: t('sqllab.result.asChart', 'Chart') }]),
              ]}
              label={t('sqllab.result.as', 'Show as')}
            />
          )}
          <CopyMenu cells={cells} />
          {canDownloadResults && <DownloadMenu query={query} isCut={limited !== null} />}
          <Menu label={t('sqllab.result.more', 'More result actions')} items={more} align="end">
            <IconButton icon="more" label={t('sqllab.result.more', 'More result actions')} />
          </Menu>
          {!query.isDataPreview &&
            !hasPlan &&
            (isPhone ? <IconButton {...create} label={createLabel} /> : <Button {...create}>{createLabel}</Button>)}
        </div>
      </div>
      {frame.rows === 0 ? (
        <>
          <div className={styles.headOnly}>
            <DataGrid frame={frame} label={t('sqllab.result.label', 'Result')} />
          </div>
          <EmptyState inline title={t('sqllab.result.empty', 'The query returned no rows')} />
        </>
      ) : shown === 'plan' || shown === 'text' ? (
        <Suspense fallback={<div className={styles.picture} aria-busy />}>
          <PlanView frame={frame} as={shown} />
        </Suspense>
      ) : shown === 'chart' ? (
        <Suspense fallback={<div className={styles.picture} aria-busy />}>
          <QuickChart key={JSON.stringify(frame.columns.map(({ name }) => name))} frame={frame} />
        </Suspense>
      ) : (
        <div className={styles.grid}>
          <DataGrid ref={grid} frame={frame} label={t('sqllab.result.label', 'Result')} />
        </div>
      )}
    </div>
  )
}
