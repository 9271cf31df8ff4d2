import { JobChip, type Option, type Translate } from '@parquetry/ui'
import { inDatabase } from '../common-filters.ts'
import type { ListDefinition, ListRow } from '../definition.ts'
import styles from '../lists.module.css'

export interface QueryRow extends ListRow {
  sql: string | null
  status: string
  database: { id: number; database_name: string } | null
  user: { id: number; first_name: string; last_name: string } | null
  /** Milliseconds since 1970, as numbers or texts. */
  start_time: number | string | null
  end_time: number | string | null
  rows: number | null
  tab_name: string | null
}

const states = (t: Translate): Option[] => [
  { value: 'success', label: t('lists.state.success', 'Success') },
  { value: 'failed', label: t('lists.state.failed', 'Failed') },
  { value: 'stopped', label: t('lists.state.stopped', 'Stopped') },
  { value: 'running', label: t('lists.state.running', 'Running') },
  { value: 'pending', label: t('lists.state.pending', 'Pending') },
  { value: 'timed_out', label: t('lists.state.timedOut', 'Timed out') },
]

const oneLine = (sql: string | null): string => (sql ?? '').replaceAll(/\s+/g, ' ').trim()

/** `0.02 s`, `1 min 12 s`; empty while it runs. */
export function duration(start: number | string | null, end: number | string | null): string {
  if (start === null || end === null) return ''
  const seconds = (Number(end) - Number(start)) / 1000
  if (!(seconds >= 0)) return ''
  return seconds < 60 ? `${seconds.toFixed(2)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

export const queryHistoryList = (t: Translate): ListDefinition<QueryRow> => ({
  resource: 'query',
  view: 'Query',
  hasInfo: false,
  icon: 'history',
  nouns: {
    title: t('lists.history.title', 'Query history'),
    one: t('lists.history.one', 'query'),
    many: t('lists.history.many', 'queries'),
    count: (n) => t('lists.history.count', '{n, plural, one {# query} other {# queries}}', { n }),
  },
  fields: [
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
  ],
  nameHeader: t('lists.column.sql', 'SQL'),
  nameOf: ({ sql }) => oneLine(sql),
  hrefOf: ({ database, sql }) =>
    `/superset/sqllab/?${new URLSearchParams({ ...(database && { dbid: String(database.id) }), sql: sql ?? '' })}`,
  searchLabel: t('lists.history.search', 'Search in SQL'),
  search: (value) => ({ col: 'sql', opr: 'ct', value }),
  filters: [
    {
      name: 'state',
      label: t('lists.column.state', 'State'),
      kind: 'choice',
      options: states(t),
      toApi: (value) => [{ col: 'status', opr: 'eq', value }],
    },
    inDatabase(t),
    {
      name: 'user',
      label: t('lists.column.user', 'User'),
      kind: 'related',
      column: 'user',
      toApi: (value) => [{ col: 'user', opr: 'rel_o_m', value: Number(value) }],
    },
  ],
  columns: [
    {
      id: 'state',
      header: t('lists.column.state', 'State'),
      width: '112px',
      cell: ({ status }) => (
        <JobChip state={status}>{states(t).find(({ value }) => value === status)?.label ?? status}</JobChip>
      ),
    },
    {
      id: 'database',
      header: t('lists.column.database', 'Database'),
      order: 'database.database_name',
      width: '14%',
      hideUnder: 992,
      cell: ({ database }) => database?.database_name,
    },
    {
      id: 'user',
      header: t('lists.column.user', 'User'),
      order: 'user.first_name',
      width: '12%',
      hideUnder: 1200,
      cell: ({ user }) => user && `${user.first_name} ${user.last_name}`,
    },
    {
      id: 'started',
      header: t('lists.column.started', 'Started'),
      order: 'start_time',
      width: '152px',
      hideUnder: 768,
      cell: ({ start_time }) => start_time !== null && new Date(Number(start_time)).toLocaleString(),
    },
    {
      id: 'duration',
      header: t('lists.column.duration', 'Duration'),
      width: '88px',
      align: 'end',
      hideUnder: 992,
      cell: ({ start_time, end_time }) => duration(start_time, end_time),
    },
    {
      id: 'rows',
      header: t('lists.column.rows', 'Rows'),
      order: 'rows',
      width: '88px',
      align: 'end',
      hideUnder: 992,
      cell: ({ rows }) => rows?.toLocaleString(),
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
  second: ({ database, tab_name }) => [database?.database_name, tab_name].filter(Boolean).join(' · '),
  defaultSort: { column: 'start_time', direction: 'desc' },
  firstUse: {
    title: t('lists.history.none', 'No queries yet'),
    text: t('lists.history.noneText', 'What you run in SQL Lab is listed here.'),
    action: { label: t('lists.queries.create', 'SQL query'), href: '/superset/sqllab/' },
  },
  canDelete: () => false,
})
