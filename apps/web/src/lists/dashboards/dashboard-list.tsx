import { StatusChip, type Translate } from '@parquetry/ui'
import { isAdmin, owns } from '../../shared/rights.ts'
import { changedColumn, ownersColumn } from '../common-columns.tsx'
import { certified, createdBy, favorite, mine, ownedBy } from '../common-filters.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ListDefinition } from '../definition.ts'

const fields = [
  'id',
  'dashboard_title',
  'url',
  'slug',
  'status',
  'published',
  'owners.id',
  'owners.first_name',
  'owners.last_name',
  'certified_by',
  'certification_details',
  'changed_on_utc',
  'changed_on_delta_humanized',
] as const

export type DashboardRow = RowOf<'dashboard', typeof fields>

export const dashboardList = (t: Translate): ListDefinition<DashboardRow> => ({
  resource: 'dashboard',
  view: 'Dashboard',
  icon: 'dashboard',
  nouns: {
    title: t('lists.dashboards.title', 'Dashboards'),
    one: t('lists.dashboards.one', 'dashboard'),
    many: t('lists.dashboards.many', 'dashboards'),
    count: (n) => t('lists.dashboards.count', '{n, plural, one {# dashboard} other {# dashboards}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ dashboard_title }) => dashboard_title || t('app.untitled', '[ untitled dashboard ]'),
  nameOrder: 'dashboard_title',
  hrefOf: ({ url }) => url,
  searchLabel: t('lists.dashboards.search', 'Search dashboards'),
  search: (value) => ({ col: 'dashboard_title', opr: 'title_or_slug', value }),
  filters: [
    mine(t),
    favorite(t, 'dashboard'),
    ownedBy(t),
    {
      name: 'status',
      label: t('lists.filter.status', 'Status'),
      kind: 'choice',
      options: [
        { value: 'published', label: t('lists.published', 'Published') },
        { value: 'draft', label: t('lists.draft', 'Draft') },
      ],
      toApi: (value) => [{ col: 'published', opr: 'eq', value: value === 'published' }],
    },
    createdBy(t),
    certified(t, 'dashboard'),
  ],
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
    ownersColumn(t),
    changedColumn(t),
  ],
  second: ({ published }) => (published ? t('lists.published', 'Published') : t('lists.draft', 'Draft')),
  owners: ({ owners }) => owners,
  certified: ({ certified_by, certification_details }) => ({ by: certified_by, details: certification_details }),
  hasFavorites: true,
  hasCards: true,
  pictured: ({ id }) => ({ kind: 'dashboard', name: id }),
  hasExport: true,
  firstUse: {
    title: t('lists.dashboards.none', 'No dashboards yet'),
    text: t('lists.dashboards.noneText', 'A dashboard shows several charts on one page, with filters for all of them.'),
    action: { label: t('lists.dashboards.create', 'Dashboard'), href: '/dashboard/new/' },
  },
  create: { label: t('lists.dashboards.create', 'Dashboard'), href: '/dashboard/new/', permission: 'can_write' },
  edit: {
    label: t('lists.key.edit', 'Edit the row'),
    hrefOf: ({ url }) => `${url}?edit=true`,
    mayEdit: ({ owners }) => owns(owners),
  },
  menu: (row, { go, open }) => [
    { label: t('lists.open', 'Open'), icon: 'arrow-right', href: row.url },
    ...(owns(row.owners)
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
        ]
      : []),
  ],
  canDelete: ({ owners }) => isAdmin || owns(owners),
  consequence: async () => ({
    text: t('lists.dashboards.consequence', 'Links to it stop working. Its charts stay.'),
  }),
})
