import { Avatars, Icon, StatusChip, type ListColumn, type MenuItem, type Translate } from '@parquetry/ui'
import type { ReportType } from '@parquetry/model'
import { formatDateTime } from '../../shared/formats.ts'
import { i18n } from '../../shared/intl.ts'
import { parseUtc } from '../../shared/parse-utc.ts'
import { canWriteReports, reportListHref, reportLogHref } from '../../shared/reports/has-reports.ts'
import { channelOf, describeCron, describeRunState, nameChannel, runStates } from '../../shared/reports/report-texts.ts'
import { useChannels } from '../../shared/reports/use-report.ts'
import { isAdmin, userId } from '../../shared/rights.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ListDefinition, RowTools } from '../definition.ts'
import { ActiveSwitch } from './ActiveSwitch.tsx'
import styles from './reports.module.css'

const fields = [
  'id',
  'name',
  'type',
  'active',
  'awaits_channel',
  'chart_id',
  'dashboard_id',
  'crontab',
  'crontab_humanized',
  'timezone',
  'last_eval_dttm',
  'last_state',
  'next_at',
  'recipients.id',
  'recipients.type',
  'owners.id',
  'owners.first_name',
  'owners.last_name',
] as const

export type ReportRow = RowOf<'report', typeof fields>

/** Alerts and reports are changed by their owners and by administrators. */
export const mayChangeReport = ({ owners }: Pick<ReportRow, 'owners'>): boolean =>
  canWriteReports && (isAdmin || owners.some(({ id }) => id === userId))

const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const describeSchedule = (t: Translate, { crontab, crontab_humanized }: ReportRow): string =>
  describeCron(t, crontab, crontab_humanized || crontab)

/** `Every day at 08:00 (Berlin)`: with the time zone if it is not the reader's, since the next run is shown in theirs. */
const describeScheduleInZone = (t: Translate, row: ReportRow): string =>
  row.timezone === ownTimeZone
    ? describeSchedule(t, row)
    : t('reports.list.inZone', '{schedule} ({timezone})', {
        schedule: describeSchedule(t, row),
        timezone: row.timezone.split('/').at(-1)!.replaceAll('_', ' '),
      })

/** Recipients by channel: `2 e-mail addresses, Slack`. */
export function describeRecipients(t: Translate, recipients: ReportRow['recipients']): string {
  const counts = new Map<string, number>()
  for (const { type } of recipients) {
    const channel = nameChannel(t, channelOf(type))
    counts.set(channel, (counts.get(channel) ?? 0) + 1)
  }
  return new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(
    [...counts].map(([channel, count]) =>
      count === 1 ? channel : t('reports.list.recipients', '{channel} × {count, number}', { channel, count }),
    ),
  )
}

const describeLastState = (t: Translate, { last_eval_dttm, last_state }: ReportRow): string =>
  last_eval_dttm === null ? t('reports.list.neverRan', 'Not yet') : describeRunState(t, last_state).word

function LastRun({ t, row }: { t: Translate; row: ReportRow }) {
  const at = parseUtc(row.last_eval_dttm)
  if (at === null) return <span className={styles.muted}>{t('reports.list.neverRan', 'Not yet')}</span>
  const { word, ...look } = describeRunState(t, row.last_state)
  return (
    <span className={styles.lastRun}>
      <StatusChip {...look}>{word}</StatusChip>
      <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
    </span>
  )
}

function NextRun({ t, row }: { t: Translate; row: ReportRow }) {
  const at = parseUtc(row.next_at)
  if (!row.active)
    return row.awaits_channel ? (
      <AwaitsChannel t={t} row={row} />
    ) : (
      <span className={styles.muted}>{t('reports.list.paused', 'Paused')}</span>
    )
  return at === null ? null : <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
}

/** A report that is inactive only because a channel lacked settings when it was saved. */
function AwaitsChannel({ t, row: { recipients } }: { t: Translate; row: ReportRow }) {
  const channels = useChannels()
  const used = new Set(recipients.map(({ type }) => channelOf(type)))
  const lacking = channels.data?.filter(({ type, missing }) => used.has(type) && missing.length > 0)
  if (!lacking) return null
  return lacking.length > 0 ? (
    <span className={styles.muted} title={lacking.flatMap(({ missing }) => missing).join(', ')}>
      {t('reports.list.channelMissing', '{channels} not set up', {
        channels: new Intl.ListFormat(i18n.locale).format(lacking.map(({ type }) => nameChannel(t, type))),
      })}
    </span>
  ) : (
    <StatusChip tone="info" icon="clock">
      {t('reports.list.canActivate', 'Ready to activate')}
    </StatusChip>
  )
}

const columns = (t: Translate): ListColumn<ReportRow>[] => [
  {
    id: 'active',
    header: t('reports.list.active', 'Active'),
    order: 'active',
    width: '76px',
    cell: (row) => <ActiveSwitch row={row} disabled={!mayChangeReport(row)} />,
  },
  {
    id: 'kind',
    header: t('reports.list.sends', 'Sends'),
    width: '64px',
    hideUnder: 1200,
    cell: ({ chart_id, dashboard_id }) => {
      if (chart_id === null && dashboard_id === null) return null
      const [icon, word] =
        chart_id === null
          ? (['dashboard', t('reports.dashboard', 'Dashboard')] as const)
          : (['chart', t('reports.chart', 'Chart')] as const)
      return (
        <span className={styles.kind} title={word}>
          <Icon name={icon} />
          <span className="visually-hidden">{word}</span>
        </span>
      )
    },
  },
  {
    id: 'schedule',
    header: t('reports.list.schedule', 'Schedule'),
    order: 'crontab',
    width: '16%',
    hideUnder: 992,
    cell: (row) => {
      const words = describeScheduleInZone(t, row)
      return <span title={`${describeSchedule(t, row)} (${row.timezone})`}>{words}</span>
    },
  },
  {
    id: 'last',
    header: t('reports.list.last', 'Last run'),
    order: 'last_eval_dttm',
    width: '252px',
    hideUnder: 768,
    cell: (row) => <LastRun t={t} row={row} />,
  },
  {
    id: 'next',
    header: t('reports.list.next', 'Next run'),
    width: '146px',
    hideUnder: 992,
    cell: (row) => <NextRun t={t} row={row} />,
  },
  {
    id: 'recipients',
    header: t('reports.list.to', 'Recipients'),
    width: '12%',
    hideUnder: 1200,
    cell: ({ recipients }) => {
      const text = describeRecipients(t, recipients)
      return <span title={text}>{text}</span>
    },
  },
  {
    id: 'owners',
    header: t('lists.column.owners', 'Owners'),
    width: '84px',
    hideUnder: 1200,
    cell: ({ owners }) => <Avatars people={owners} />,
  },
]

interface ReportActions {
  onRun(row: ReportRow): void
  onActivate(row: ReportRow, active: boolean): void
}

const menuOf = (t: Translate, row: ReportRow, { open }: RowTools, { onRun, onActivate }: ReportActions): MenuItem[] => [
  ...(mayChangeReport(row)
    ? [
        { label: t('lists.edit', 'Edit'), icon: 'edit' as const, shortcut: 'E', onSelect: () => open('edit', row.id) },
        { label: t('reports.list.runNow', 'Run now'), icon: 'play' as const, onSelect: () => onRun(row) },
        row.active
          ? { label: t('reports.list.pause', 'Pause'), icon: 'pause' as const, onSelect: () => onActivate(row, false) }
          : {
              label: t('reports.list.resume', 'Resume'),
              icon: 'clock' as const,
              onSelect: () => onActivate(row, true),
            },
      ]
    : []),
  { label: t('reports.log', 'Log'), icon: 'history', onSelect: () => open('log', row.id) },
]

export const reportList = (t: Translate, type: ReportType, actions: ReportActions): ListDefinition<ReportRow> => {
  const isAlert = type === 'Alert'
  const listHref = reportListHref(type)
  const create = `${listHref}?new=true`
  return {
    resource: 'report',
    view: 'ReportSchedule',
    icon: isAlert ? 'alert' : 'clock',
    nouns: isAlert
      ? {
          title: t('reports.list.alerts', 'Alerts'),
          one: t('reports.list.alert', 'alert'),
          many: t('reports.list.manyAlerts', 'alerts'),
          count: (n) => t('reports.list.countAlerts', '{n, plural, one {# alert} other {# alerts}}', { n }),
        }
      : {
          title: t('reports.list.reports', 'Reports'),
          one: t('reports.list.report', 'report'),
          many: t('reports.list.manyReports', 'reports'),
          count: (n) => t('reports.list.countReports', '{n, plural, one {# report} other {# reports}}', { n }),
        },
    fields,
    always: [{ col: 'type', opr: 'eq', value: type }],
    nameHeader: t('lists.column.name', 'Name'),
    nameOf: ({ name }) => name,
    nameOrder: 'name',
    hrefOf: (row) => (mayChangeReport(row) ? `${listHref}?edit=${row.id}` : reportLogHref(row.id)),
    searchLabel: isAlert ? t('reports.list.searchAlerts', 'Search alerts') : t('reports.list.search', 'Search reports'),
    search: (value) => ({ col: 'name', opr: 'report_all_text', value }),
    defaultSort: { column: 'name', direction: 'asc' },
    filters: [
      {
        name: 'active',
        label: t('reports.list.active', 'Active'),
        kind: 'choice',
        options: [
          { value: 'true', label: t('reports.list.isActive', 'Active') },
          { value: 'false', label: t('reports.list.paused', 'Paused') },
        ],
        toApi: (value) => [{ col: 'active', opr: 'eq', value: value === 'true' }],
      },
      {
        name: 'state',
        label: t('reports.list.state', 'Last state'),
        kind: 'choice',
        options: runStates.map((value) => ({ value, label: describeRunState(t, value).word })),
        toApi: (value) => [{ col: 'last_state', opr: 'eq', value }],
      },
      {
        name: 'owner',
        label: t('lists.filter.owner', 'Owner'),
        kind: 'related',
        column: 'owners',
        toApi: (value) => [{ col: 'owners', opr: 'rel_m_m', value: Number(value) }],
      },
      {
        name: 'creator',
        label: t('lists.filter.creator', 'Creator'),
        kind: 'related',
        column: 'created_by',
        secondary: true,
        toApi: (value) => [{ col: 'created_by', opr: 'rel_o_m', value: Number(value) }],
      },
    ],
    columns: columns(t),
    owners: ({ owners }) => owners,
    subtitle: (row) =>
      [
        row.active
          ? describeLastState(t, row)
          : row.awaits_channel
            ? t('reports.list.awaitsChannel', 'Not activated yet')
            : t('reports.list.paused', 'Paused'),
        describeSchedule(t, row),
        describeRecipients(t, row.recipients),
      ]
        .filter(Boolean)
        .join(' · '),
    firstUse: isAlert
      ? {
          title: t('reports.list.noAlerts', 'No alerts yet'),
          text: t(
            'reports.list.noAlertsText',
            'An alert checks a value on a schedule, and sends a chart or dashboard when a condition is met.',
          ),
          action: { label: t('reports.list.newAlert', 'Alert'), href: create },
        }
      : {
          title: t('reports.list.none', 'No reports yet'),
          text: t(
            'reports.list.noneText',
            'A report sends a chart or dashboard on a schedule, by e-mail for example, as PDF, image or Excel file.',
          ),
          action: { label: t('reports.list.newReport', 'Report'), href: create },
        },
    failures: {
      fetch: t('reports.fetchFailed', 'There was an issue fetching reports.'),
      remove: t('reports.deleteFailed', 'Your report could not be deleted.'),
    },
    create: {
      label: isAlert ? t('reports.list.newAlert', 'Alert') : t('reports.list.newReport', 'Report'),
      href: create,
      permission: 'can_write',
    },
    edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: mayChangeReport },
    menu: (row, tools) => menuOf(t, row, tools, actions),
    canDelete: mayChangeReport,
    consequence: (rows) =>
      Promise.resolve({
        text: t(
          'reports.list.consequence',
          '{n, plural, one {Its log and its files are} other {Their logs and files are}} deleted too. This cannot be undone.',
          { n: rows.length },
        ),
      }),
  }
}
