import { StatusChip, type Translate } from '@parquetry/ui'
import { isAdmin, isOwner } from '../../shared/rights.ts'
import { changedColumn, ownersColumn, tagsColumn } from '../common-columns.tsx'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ListDefinition } from '../definition.ts'
import { reportItem } from '../report-item.ts'
import { versionsItem } from '../versions-item.ts'
import { commonFields, commonList } from '../common-list.ts'

const fields = ['id', 'dashboard_title', 'url', 'slug', 'status', 'published', ...commonFields] as const

export type DashboardListRow = RowOf<'dashboard', typeof fields>

export const dashboardList = (t: Translate): ListDefinition<DashboardListRow> => ({
  ...commonList(t, 'dashboard', {
    name: 'status',
    label: t('lists.filter.status', 'Status'),
    kind: 'choice',
    options: [
      { value: 'published', label: t('lists.published', 'Published') },
      { value: 'draft', label: t('lists.draft', 'Draft') },
    ],
    toApi: (value) => [{ col: 'published', opr: 'eq', value: value === 'published' }],
  }),
  view: 'Dashboard',
  icon: 'dashboard',
  nouns: {
    title: t('lists.dashboards.title', 'Dashboards'),
    one: t('lists.dashboards.one', 'dashboard'),
    many: t('lists.dashboards.many', 'dashboards'),
    count: (n) => t('lists.dashboards.count', '{n, plural, one {# dashboard} other {# dashboards}}', { n }),
  },
  fields,
  nameOf: ({ dashboard_title }) => dashboard_title || t('app.untitled', '[ untitled dashboard ]'),
  nameOrder: 'dashboard_title',
  hrefOf: ({ url }) => url,
  searchLabel: t('lists.dashboards.search', 'Search dashboards'),
  search: (value) => ({ col: 'dashboard_title', opr: 'title_or_slug', value }),
  columns: [
    {
      id: 'status',
      header: t('lists.column.status', 'Status'),
      order: 'published',
      width: '120px',
      hideUnder: 1200,
      cell: ({ published }) => (
        <StatusChip tone={published ? 'success' : 'neutral'} icon={published ? 'check' : 'edit'}>
          {published ? t('lists.published', 'Published') : t('lists.draft', 'Draft')}
        </StatusChip>
      ),
    },
    ...tagsColumn(t),
    ownersColumn(t),
    changedColumn(t),
  ],
  subtitle: ({ published }) => (published ? t('lists.published', 'Published') : t('lists.draft', 'Draft')),
  pictured: ({ id }) => ({ kind: 'dashboard', name: id }),
  firstUse: {
    title: t('lists.dashboards.none', 'No dashboards yet'),
    text: t('lists.dashboards.noneText', 'A dashboard shows several charts on one page, with shared filters.'),
    action: { label: t('lists.dashboards.create', 'Dashboard'), href: '/dashboard/new/' },
  },
  create: { label: t('lists.dashboards.create', 'Dashboard'), href: '/dashboard/new/', permission: 'can_write' },
  edit: {
    label: t('lists.key.edit', 'Edit row'),
    hrefOf: ({ url }) => `${url}?edit=true`,
    mayEdit: ({ editors }) => isOwner(editors),
  },
  menu: (row, { go, open }) => [
    { label: t('lists.open', 'Open'), icon: 'arrow-right', href: row.url },
    ...reportItem(t, 'dashboard', row.id, row.dashboard_title ?? ''),
    ...(isOwner(row.editors)
      ? [
          {
            label: t('lists.edit', 'Edit'),
            icon: 'edit' as const,
            shortcut: 'E',
            onSelect: () => go(`${row.url}?edit=true`),
          },
          {
            label: t('lists.properties', 'Properties'),
            icon: 'settings' as const,
            onSelect: () => open('properties', row.id),
          },
          versionsItem(t, () => open('versions', row.id)),
        ]
      : []),
  ],
  canDelete: ({ editors }) => isAdmin || isOwner(editors),
  consequence: async () => ({
    text: t('lists.dashboards.consequence', 'Existing links stop working. Charts are not deleted.'),
  }),
})
