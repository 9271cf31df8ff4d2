import { Tag, toast, toastError, useTranslate, type MenuItem, type Translate } from '@parquetry/ui'
import { changedColumn, tagsColumn } from '../common-columns.tsx'
import { creatorFilter, databaseFilter, schemaFilter, tagFilter } from '../common-filters.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ListDefinition, RowTools } from '../definition.ts'
import { messageOf } from '../../shared/errors.ts'
import { describeSchedule } from '../../shared/query-schedule/schedule-texts.ts'
import { readScheduleInfo, type ScheduleInfo } from '../../shared/query-schedule/schedule.ts'
import { saveSchedule } from '../../shared/query-schedule/save-schedule.ts'
import { can } from '../../shared/rights.ts'
import styles from '../lists.module.css'

const fields = [
  'id',
  'label',
  'database.id',
  'database.database_name',
  'schema',
  'sql_tables',
  'sql',
  'changed_on_delta_humanized',
  'extra',
  'schedule',
  'custom_tags',
] as const

export type SavedQueryRow = RowOf<'saved_query', typeof fields>

export const savedQueryList = (t: Translate): ListDefinition<SavedQueryRow> => ({
  resource: 'saved_query',
  view: 'SavedQuery',
  icon: 'query',
  nouns: {
    title: t('lists.queries.title', 'Saved queries'),
    one: t('lists.queries.one', 'saved query'),
    many: t('lists.queries.many', 'saved queries'),
    count: (n) => t('lists.queries.count', '{n, plural, one {# saved query} other {# saved queries}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ label }) => label || t('lists.queries.untitled', '[ untitled query ]'),
  nameOrder: 'label',
  hrefOf: ({ id }) => `/superset/sqllab/?savedQueryId=${id}`,
  searchLabel: t('lists.queries.search', 'Search saved queries'),
  search: (value) => ({ col: 'label', opr: 'all_text', value }),
  filters: [databaseFilter(t), schemaFilter(t), creatorFilter(t), ...tagFilter(t, 'saved_query')],
  columns: [
    {
      id: 'database',
      header: t('lists.column.database', 'Database'),
      order: 'database.database_name',
      width: '13%',
      hideUnder: 1200,
      cell: ({ database }) => database?.database_name,
    },
    {
      id: 'schema',
      header: t('lists.column.schema', 'Schema'),
      order: 'schema',
      width: '10%',
      hideUnder: 1200,
      cell: ({ schema }) => schema,
    },
    {
      id: 'tables',
      header: t('lists.column.tables', 'Tables'),
      width: '14%',
      hideUnder: 1200,
      cell: ({ sql_tables }) => <span className={styles.mono}>{sql_tables.map(({ table }) => table).join(', ')}</span>,
    },
    ...tagsColumn<SavedQueryRow>(t),
    {
      id: 'schedule',
      header: t('lists.queries.schedule', 'Schedule'),
      width: '12%',
      hideUnder: 1200,
      cell: (row) => <ScheduleCell row={row} />,
    },
    changedColumn(t),
  ],
  subtitle: ({ database, schema, extra }) => {
    const info = readScheduleInfo(extra)
    return [database?.database_name, schema, info && describeSchedule(info, t)].filter(Boolean).join(' · ')
  },
  firstUse: {
    title: t('lists.queries.none', 'No saved queries yet'),
    text: t('lists.queries.noneText', 'Save one from SQL Lab.'),
    action: { label: t('lists.queries.create', 'SQL query'), href: '/superset/sqllab/' },
  },
  create: { label: t('lists.queries.create', 'SQL query'), href: '/superset/sqllab/', permission: 'can_write' },
  hasPreview: true,
  hasExport: true,
  imports: 'saved_query',
  menu: ({ id, extra }, { open }) => [
    {
      label: t('lists.queries.preview', 'Preview'),
      icon: 'eye',
      shortcut: 'Space',
      onSelect: () => open('preview', id),
    },
    { label: t('lists.queries.open', 'Open in SQL Lab'), icon: 'sql', href: `/superset/sqllab/?savedQueryId=${id}` },
    ...(can('can_write', 'SavedQuery') ? scheduleMenu(id, readScheduleInfo(extra), open, t) : []),
  ],
})

function ScheduleCell({ row: { extra, schedule } }: { row: SavedQueryRow }) {
  const t = useTranslate()
  const info = readScheduleInfo(extra)
  if (!info) return null
  const isOver = info.is_paused !== true && schedule?.next_run == null
  return (
    <span title={schedule?.last_error ?? undefined}>
      {isOver ? t('lists.queries.scheduleOver', 'Ended') : describeSchedule(info, t)}
      {schedule?.last_status === 'failed' && (
        <>
          {' '}
          <Tag dot="var(--danger)">{t('lists.queries.scheduleFailed', 'Last run failed')}</Tag>
        </>
      )}
    </span>
  )
}

/** Entries that add, change, pause and delete the schedule of a saved query. */
function scheduleMenu(id: number, info: ScheduleInfo | null, open: RowTools['open'], t: Translate): MenuItem[] {
  const edit = (): void => open('schedule', id)
  if (!info) return [{ label: t('sqllab.schedule', 'Schedule'), icon: 'calendar', onSelect: edit }]
  const save = (next: ScheduleInfo | null, done: () => void): void => {
    saveSchedule(id, next).then(done, (error: unknown) =>
      toastError(`${t('lists.queries.scheduleNotChanged', 'Could not change the schedule')}: ${messageOf(error)}`),
    )
  }
  const pause = (is_paused: boolean, text: string): void => save({ ...info, is_paused }, () => toast(text))
  return [
    { label: t('sqllab.schedule.edit', 'Edit schedule'), icon: 'calendar', onSelect: edit },
    info.is_paused === true
      ? {
          label: t('lists.queries.resume', 'Resume schedule'),
          icon: 'play',
          onSelect: () => pause(false, t('lists.queries.resumed', 'Schedule resumed')),
        }
      : {
          label: t('lists.queries.pause', 'Pause schedule'),
          icon: 'pause',
          onSelect: () => pause(true, t('lists.queries.paused', 'Schedule paused')),
        },
    {
      label: t('lists.queries.unschedule', 'Delete schedule'),
      icon: 'trash',
      onSelect: () =>
        save(null, () =>
          toast(t('lists.queries.unscheduled', 'Schedule deleted'), {
            action: { label: t('lists.undo', 'Undo'), run: () => save(info, () => undefined) },
          }),
        ),
    },
  ]
}
