import {
  Button,
  EmptyState,
  ErrorPanel,
  IconButton,
  JobChip,
  Link,
  Menu,
  SegmentedControl,
  Skeleton,
  TextInput,
  useCopy,
  useTranslate,
  type MenuItem,
} from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryStateLabels } from '../../shared/query-states.ts'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatNumber, formatTimestamp } from '../../shared/formats.ts'
import { formatDuration } from '../../shared/format-duration.ts'
import type { SqlLabActions } from '../actions.ts'
import { isLive } from '../queries.ts'
import type { Query, QueryEditor } from '../state.ts'
import {
  filterHistoryRows,
  listedColumns,
  collapseWhitespace,
  listedRunToHistoryRow,
  queryToHistoryRow,
  type HistoryRow,
} from './history-rows.ts'
import styles from './history.module.css'

export interface HistoryPaneProps {
  tab: QueryEditor
  /** Queries of the tab, newest first. */
  queries: readonly Query[]
  actions: SqlLabActions
  /** Shows the results of a run of this tab. */
  onShow(queryId: string): void
}

/** Most runs of all tabs listed; the history page has the rest. */
const listedAtMost = 100

/** The user's runs of all tabs on the server, refreshed while one runs and when a run of this tab ends. */
function useAllRuns(isOn: boolean, newest: Query | undefined) {
  return useQuery({
    queryKey: ['query', 'history', newest?.id, newest?.state],
    enabled: isOn,
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/query/', {
          q: {
            columns: listedColumns,
            keys: ['none'],
            order_column: 'start_time',
            order_direction: 'desc',
            page: 0,
            page_size: listedAtMost,
          },
          signal,
        })
      ).result,
    placeholderData: (before) => before,
    refetchInterval: (runsQuery) =>
      runsQuery.state.data?.some(({ status }) => status === 'running' || status === 'pending') ? 2000 : 15_000,
  })
}

/** Runs of this tab, or of all. Each can be reopened, rerun, removed, and shown while its results are available. */
export function HistoryPane({ tab, queries, actions, onShow }: HistoryPaneProps) {
  const t = useTranslate()
  const [scope, setScope] = useState<'tab' | 'all'>('tab')
  const [search, setSearch] = useState('')
  const own = queries.filter(({ isDataPreview }) => !isDataPreview)
  const all = useAllRuns(scope === 'all', own[0])
  const rows =
    scope === 'tab' ? own.map(queryToHistoryRow) : (all.data ?? []).map((listed) => listedRunToHistoryRow(listed, own))
  const found = filterHistoryRows(rows, search)

  return (
    <div className={styles.history}>
      <div className={styles.bar}>
        <SegmentedControl
          label={t('sqllab.history.scope', 'Show queries from')}
          value={scope}
          onChange={setScope}
          options={[
            { value: 'tab', label: t('sqllab.history.tab', 'This tab') },
            { value: 'all', label: t('sqllab.history.all', 'All tabs') },
          ]}
        />
        <TextInput
          className={styles.search}
          icon="search"
          aria-label={t('sqllab.history.search', 'Search SQL')}
          placeholder={t('sqllab.history.search', 'Search SQL')}
          value={search}
          onChange={setSearch}
          clearable
        />
        <span className={styles.spring} />
        <Link href="/superset/sqllab/history/">{t('sqllab.history.page', 'Query history')}</Link>
      </div>
      {scope === 'all' && all.isPending ? (
        <Skeleton height={120} />
      ) : scope === 'all' && all.error && !all.data ? (
        <ErrorPanel inline onRetry={() => void all.refetch()}>
          {messageOf(all.error)}
        </ErrorPanel>
      ) : rows.length === 0 ? (
        <EmptyState inline level={3} title={t('sqllab.history.none', 'No queries yet')}>
          {t('sqllab.history.how', 'Queries you run appear here.')}
        </EmptyState>
      ) : found.length === 0 ? (
        <EmptyState
          inline
          level={3}
          title={t('sqllab.schema.nothing', 'No matches')}
          actions={<Button onClick={() => setSearch('')}>{t('sqllab.history.clear', 'Clear search')}</Button>}
        />
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>{t('sqllab.history.state', 'Status')}</th>
                <th>{t('sqllab.history.sql', 'SQL')}</th>
                <th className={styles.wide}>{t('sqllab.history.started', 'Started')}</th>
                <th className={styles.end}>{t('sqllab.history.time', 'Duration')}</th>
                <th className={styles.end}>{t('sqllab.history.rows', 'Rows')}</th>
                {scope === 'all' && <th className={styles.wide}>{t('sqllab.history.tabName', 'Tab')}</th>}
                <th>
                  <span className="visually-hidden">{t('sqllab.history.actions', 'Actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.map((row) => (
                <Run key={row.id} row={row} tab={tab} withTab={scope === 'all'} actions={actions} onShow={onShow} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

interface RunProps {
  row: HistoryRow
  tab: QueryEditor
  withTab: boolean
  actions: SqlLabActions
  onShow(queryId: string): void
}

function Run({ row, tab, withTab, actions, onShow }: RunProps) {
  const t = useTranslate()
  const copy = useCopy()
  const { query, sql, state } = row
  const hasResult = query !== null && state === 'success' && (query.results !== null || query.resultsKey !== null)
  const open = (): void =>
    void actions.open({
      name: t('sqllab.copyOf', 'Copy of {name}', { name: row.tabName || tab.name }),
      sql,
      dbId: row.dbId,
      catalog: row.catalog,
      schema: row.schema,
    })
  const items: MenuItem[] = [
    ...(hasResult
      ? [
          {
            label: t('sqllab.result.fetch', 'Show results'),
            icon: 'table' as const,
            onSelect: () => onShow(query.id),
          },
        ]
      : []),
    { label: t('sqllab.history.open', 'Open in new tab'), icon: 'sql', onSelect: open },
    {
      label: t('sqllab.history.insert', 'Insert into editor'),
      icon: 'text',
      onSelect: () => actions.insert(sql),
    },
    {
      label: t('sqllab.history.copy', 'Copy SQL'),
      icon: 'copy',
      onSelect: () => copy(sql, t('sqllab.history.copied', 'SQL copied')),
    },
    ...(query && isLive(query)
      ? [{ label: t('sqllab.result.stop', 'Stop'), icon: 'stop' as const, onSelect: () => actions.stop(query.id) }]
      : query
        ? [
            {
              label: t('sqllab.result.again', 'Run again'),
              icon: 'refresh' as const,
              onSelect: () => actions.rerun(query.id),
            },
          ]
        : []),
    ...(query && !isLive(query)
      ? ([
          'divider',
          {
            label: t('sqllab.history.remove', 'Remove from history'),
            icon: 'trash',
            onSelect: () => actions.removeQuery(query.id),
          },
        ] satisfies MenuItem[])
      : []),
  ]
  return (
    <tr>
      <td>
        <JobChip state={state}>{queryStateLabels(t)[state] ?? state}</JobChip>
      </td>
      <td className={styles.sql}>
        <button type="button" title={row.errorMessage ?? sql} onClick={() => (hasResult ? onShow(query.id) : open())}>
          {collapseWhitespace(sql)}
        </button>
      </td>
      <td className={styles.wide}>{formatTimestamp(row.startedMs)}</td>
      <td className={styles.end}>{row.ms !== null && formatDuration(row.ms)}</td>
      <td className={styles.end}>{row.rows === null ? null : formatNumber(row.rows)}</td>
      {withTab && <td className={styles.wide}>{row.tabName}</td>}
      <td>
        <Menu label={t('sqllab.history.actions', 'Actions')} items={items} align="end">
          <IconButton
            icon="more"
            label={t('sqllab.history.actionsOf', 'Actions for {sql}', { sql: collapseWhitespace(sql).slice(0, 40) })}
          />
        </Menu>
      </td>
    </tr>
  )
}
