import { JobChip, toast, toastError, type Option, type Translate } from '@parquetry/ui'
import { databaseFilter } from '../common-filters.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ListDefinition } from '../definition.ts'
import { formatNumber, formatTimestamp } from '../../shared/formats.ts'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { queryStateLabels } from '../../shared/query-states.ts'
import { timestampHoursAgo, formatElapsed } from './times.ts'
import styles from '../lists.module.css'

const fields = [
  'id',
  'sql',
  'status',
  'database.id',
  'database.database_name',
  'user.id',
  'user.first_name',
  'user.last_name',
  'start_time',
  'end_time',
  'rows',
  'tab_name',
  'client_id',
] as const

export type QueryRow = RowOf<'query', typeof fields>

const states = (t: Translate): Option[] =>
  ['success', 'failed', 'stopped', 'running', 'pending', 'timed_out'].map((value) => ({
    value,
    label: queryStateLabels(t)[value] ?? value,
  }))

const oneLine = (sql: string | null): string => (sql ?? '').replaceAll(/\s+/g, ' ').trim()

export const queryHistoryList = (t: Translate): ListDefinition<QueryRow> => ({
  resource: 'query',
  view: 'Query',
  icon: 'history',
  nouns: {
    title: t('lists.history.title', 'Query history'),
    one: t('lists.history.one', 'query'),
    many: t('lists.history.many', 'queries'),
    count: (n) => t('lists.history.count', '{n, plural, one {# query} other {# queries}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.sql', 'SQL'),
  nameOf: ({ sql }) => oneLine(sql),
  hrefOf: ({ id }) => `/superset/sqllab/?queryId=${id}`,
  searchLabel: t('lists.history.search', 'Search query text'),
  search: (value) => ({ col: 'sql', opr: 'ct', value }),
  filters: [
    {
      name: 'state',
      label: t('lists.column.state', 'Status'),
      kind: 'choice',
      options: states(t),
      toApi: (value) => [{ col: 'status', opr: 'eq', value }],
    },
    databaseFilter(t),
    {
      name: 'user',
      label: t('lists.column.user', 'User'),
      kind: 'related',
      column: 'user',
      toApi: (value) => [{ col: 'user', opr: 'rel_o_m', value: Number(value) }],
    },
    {
      name: 'started',
      label: t('lists.column.started', 'Started'),
      kind: 'choice',
      options: [
        { value: '1', label: t('lists.history.hour', 'Last hour') },
        { value: '24', label: t('lists.history.day', 'Last 24 hours') },
        { value: '168', label: t('lists.history.week', 'Last 7 days') },
        { value: '720', label: t('lists.history.month', 'Last 30 days') },
      ],
      toApi: (value) => [{ col: 'start_time', opr: 'gt', value: timestampHoursAgo(Number(value) || 0, Date.now()) }],
    },
  ],
  columns: [
    {
      id: 'state',
      header: t('lists.column.state', 'Status'),
      width: '112px',
      cell: ({ status }) => <JobChip state={status}>{queryStateLabels(t)[status] ?? status}</JobChip>,
    },
    {
      id: 'database',
      header: t('lists.column.database', 'Database'),
      order: 'database.database_name',
      width: '12%',
      hideUnder: 992,
      cell: ({ database }) => database?.database_name,
    },
    {
      id: 'user',
      header: t('lists.column.user', 'User'),
      order: 'user.first_name',
      width: '10%',
      hideUnder: 1200,
      cell: ({ user }) => user && `${user.first_name} ${user.last_name}`,
    },
    {
      id: 'started',
      header: t('lists.column.started', 'Started'),
      order: 'start_time',
      width: '168px',
      hideUnder: 768,
      cell: ({ start_time }) => start_time !== null && formatTimestamp(Number(start_time)),
    },
    {
      id: 'duration',
      header: t('lists.column.duration', 'Duration'),
      width: '88px',
      align: 'end',
      hideUnder: 992,
      cell: ({ start_time, end_time }) => formatElapsed(start_time, end_time),
    },
    {
      id: 'rows',
      header: t('lists.column.rows', 'Rows'),
      order: 'rows',
      width: '88px',
      align: 'end',
      hideUnder: 992,
      cell: ({ rows }) => (rows === null ? null : formatNumber(rows)),
    },
    {
      id: 'tab',
      header: t('lists.column.tab', 'Tab'),
      order: 'tab_name',
      width: '12%',
      hideUnder: 1200,
      cell: ({ tab_name }) => <span className={styles.muted}>{tab_name}</span>,
    },
  ],
  subtitle: ({ database, tab_name }) => [database?.database_name, tab_name].filter(Boolean).join(' · '),
  defaultSort: { column: 'start_time', direction: 'desc' },
  firstUse: {
    title: t('lists.history.none', 'No queries yet'),
    text: t('lists.history.noneText', 'Queries you run in SQL Lab appear here.'),
    action: { label: t('lists.queries.create', 'SQL query'), href: '/superset/sqllab/' },
  },
  hasPreview: true,
  menu: (row, { open, refresh }) => [
    {
      label: t('lists.history.details', 'Details'),
      icon: 'info',
      shortcut: 'Space',
      onSelect: () => open('preview', row.id),
    },
    { label: t('lists.queries.open', 'Open in SQL Lab'), icon: 'sql', href: `/superset/sqllab/?queryId=${row.id}` },
    ...(row.status === 'running' || row.status === 'pending'
      ? [{ label: t('lists.history.stop', 'Stop'), icon: 'stop' as const, onSelect: () => stop(t, row, refresh) }]
      : []),
  ],
  canDelete: () => false,
})

/** SQL-085 and SQL-086 define the messages. */
function stop(t: Translate, { client_id }: QueryRow, refresh: () => void): void {
  api.post('/api/v1/query/stop', { body: { client_id: client_id ?? '' } }).then(
    () => {
      toast(t('sqllab.result.stopped', 'Query was stopped.'))
      refresh()
    },
    (error: unknown) => toastError(`${t('lists.history.stopFailed', 'Failed at stopping query')}: ${messageOf(error)}`),
  )
}
