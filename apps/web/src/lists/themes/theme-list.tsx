import { Link, StatusChip, toastError, type ListColumn, type MenuItem, type Translate } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { boot } from '../../shared/boot.ts'
import { messageOf } from '../../shared/errors.ts'
import { can, isAdmin } from '../../shared/rights.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import { changedColumn } from '../common-columns.tsx'
import { creatorFilter } from '../common-filters.ts'
import type { ListDefinition } from '../definition.ts'

const fields = [
  'id',
  'theme_name',
  'is_system',
  'is_system_default',
  'is_system_dark',
  'dashboards',
  'changed_by.first_name',
  'changed_by.last_name',
  'changed_on',
  'changed_on_delta_humanized',
] as const

export type ThemeRow = RowOf<'theme', typeof fields>

export const editorPath = (id: number | 'new'): string => `/theme/list/?${id === 'new' ? 'new=true' : `edit=${id}`}`
const shownDashboards = 3

const isUsedBySystem = ({ is_system, is_system_default, is_system_dark }: ThemeRow): boolean =>
  is_system || is_system_default || is_system_dark

export const themeList = (t: Translate, mayWrite: boolean): ListDefinition<ThemeRow> => ({
  resource: 'theme',
  view: 'Theme',
  icon: 'sun',
  nouns: {
    title: t('lists.themes.title', 'Themes'),
    one: t('lists.themes.one', 'theme'),
    many: t('lists.themes.many', 'themes'),
    count: (n) => t('lists.themes.count', '{n, plural, one {# theme} other {# themes}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ theme_name }) => theme_name,
  nameOrder: 'theme_name',
  defaultSort: { column: 'theme_name', direction: 'asc' },
  hrefOf: ({ id }) => editorPath(id),
  searchLabel: t('lists.themes.search', 'Search themes'),
  search: (value) => ({ col: 'theme_name', opr: 'theme_all_text', value }),
  filters: [creatorFilter(t)],
  columns: [
    {
      id: 'dashboards',
      header: t('lists.themes.dashboards', 'Dashboards'),
      width: '36%',
      hideUnder: 768,
      cell: ({ dashboards }) => <DashboardLinks dashboards={dashboards} t={t} />,
    },
    withoutOrder(changedColumn(t)),
  ],
  subtitle: ({ dashboards }) =>
    t('lists.themes.use', '{n, plural, =0 {} one {# dashboard} other {# dashboards}}', { n: dashboards.length }),
  marks: (row) => (
    <>
      {row.is_system_default && (
        <StatusChip icon="sun" title={t('lists.themes.defaultSentence', 'All pages use this theme in light mode.')}>
          {t('lists.themes.default', 'Default')}
        </StatusChip>
      )}
      {row.is_system_dark && (
        <StatusChip icon="moon" title={t('lists.themes.darkSentence', 'All pages use this theme in dark mode.')}>
          {t('lists.themes.dark', 'Dark')}
        </StatusChip>
      )}
      {row.is_system && (
        <StatusChip
          icon="lock"
          title={t('lists.themes.configuredSentence', 'Defined by the configuration of the server.')}
        >
          {t('lists.themes.configured', 'Configuration')}
        </StatusChip>
      )}
    </>
  ),
  firstUse: {
    title: t('lists.themes.none', 'No themes yet'),
    text: t(
      'lists.themes.noneText',
      'A theme sets the colors, corners and fonts of a dashboard or of all pages. For example, create one with the colors of your company.',
    ),
    action: { label: t('lists.themes.create', 'Theme'), href: editorPath('new') },
  },
  create: { label: t('lists.themes.create', 'Theme'), href: editorPath('new'), permission: 'can_write' },
  ...(mayWrite && { edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: ({ is_system }) => !is_system } }),
  hasExport: true,
  imports: 'theme',
  menu: (row, { open }) => [
    ...(mayWrite && !row.is_system
      ? [
          {
            label: t('lists.edit', 'Edit'),
            icon: 'edit' as const,
            shortcut: 'E',
            onSelect: () => open('edit', row.id),
          },
        ]
      : []),
    ...systemMenu(row, t),
  ],
  canDelete: (row) => !isUsedBySystem(row),
  consequence: (rows) => {
    const dashboards = rows.flatMap((row) => row.dashboards)
    const names = dashboards.map(
      ({ dashboard_title }) => dashboard_title || t('lists.untitledDashboard', 'Untitled dashboard'),
    )
    return Promise.resolve({
      text:
        dashboards.length === 0
          ? t('lists.themes.unused', 'No dashboard that you can see uses it. This cannot be undone.')
          : t(
              'lists.themes.consequence',
              '{n, plural, one {The dashboard {names} gets the theme of all pages.} other {# dashboards get the theme of all pages: {names}.}} This cannot be undone.',
              { n: dashboards.length, names: names.join(', ') },
            ),
    })
  },
})

/** The API sorts themes by name only. */
function withoutOrder(changed: ListColumn<ThemeRow>): ListColumn<ThemeRow> {
  const { order: _, ...column } = changed
  return column
}

function DashboardLinks({ dashboards, t }: { dashboards: ThemeRow['dashboards']; t: Translate }) {
  const more = dashboards.length - shownDashboards
  return (
    <>
      {dashboards.slice(0, shownDashboards).map(({ id, dashboard_title }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link href={`/superset/dashboard/${id}/`}>
            {dashboard_title || t('lists.untitledDashboard', 'Untitled dashboard')}
          </Link>
        </span>
      ))}
      {more > 0 && ` ${t('lists.themes.more', 'and {n, number} more', { n: more })}`}
    </>
  )
}

/** Entries that choose the theme of all pages, for administrators. */
function systemMenu(row: ThemeRow, t: Translate): MenuItem[] {
  if (!isAdmin || !boot.common.theme?.enableUiThemeAdministration) return []
  const run = (call: Promise<unknown>): void => {
    // The page is loaded again, because its boot data contains the system themes.
    call.then(
      () => location.reload(),
      (error: unknown) => toastError(messageOf(error)),
    )
  }
  const params = { params: { id: row.id } }
  return [
    ...(can('can_set_system_default', 'Theme')
      ? [
          row.is_system_default
            ? {
                label: t('lists.themes.unsetDefault', 'Stop using as default theme'),
                icon: 'sun' as const,
                onSelect: () => run(api.del('/api/v1/theme/unset_system_default')),
              }
            : {
                label: t('lists.themes.setDefault', 'Use as default theme'),
                icon: 'sun' as const,
                onSelect: () => run(api.put('/api/v1/theme/:id/set_system_default', params)),
              },
        ]
      : []),
    ...(can('can_set_system_dark', 'Theme')
      ? [
          row.is_system_dark
            ? {
                label: t('lists.themes.unsetDark', 'Stop using as dark theme'),
                icon: 'moon' as const,
                onSelect: () => run(api.del('/api/v1/theme/unset_system_dark')),
              }
            : {
                label: t('lists.themes.setDark', 'Use as dark theme'),
                icon: 'moon' as const,
                onSelect: () => run(api.put('/api/v1/theme/:id/set_system_dark', params)),
              },
        ]
      : []),
  ]
}
