import { Icon, Link, type Translate } from '@parquetry/ui'
import { isOwner } from '../../shared/rights.ts'
import { changedColumn, ownersColumn, tagsColumn } from '../common-columns.tsx'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ListDefinition } from '../definition.ts'
import { formatMissingReference } from '../../shared/missing-references/format-missing-reference.ts'
import { reportItem } from '../report-item.ts'
import { versionsItem } from '../versions-item.ts'
import { commonFields, commonList } from '../common-list.ts'
import styles from '../lists.module.css'
import { listVizTypes, vizIcon, vizName } from '../../shared/viz.ts'

const fields = [
  'id',
  'slice_name',
  'viz_type',
  'datasource_id',
  'datasource_type',
  'datasource_name_text',
  'dashboards.id',
  'dashboards.dashboard_title',
  'lost_names',
  ...commonFields,
] as const

export type ChartListRow = RowOf<'chart', typeof fields>

export const chartList = (t: Translate): ListDefinition<ChartListRow> => ({
  ...commonList(t, 'chart', {
    name: 'type',
    label: t('lists.column.type', 'Type'),
    kind: 'choice',
    options: listVizTypes().map((value) => ({ value, label: vizName(value, t), icon: vizIcon(value) })),
    toApi: (value) => [{ col: 'viz_type', opr: 'eq', value }],
  }),
  view: 'Chart',
  icon: ({ viz_type }) => vizIcon(viz_type),
  nouns: {
    title: t('lists.charts.title', 'Charts'),
    one: t('lists.charts.one', 'chart'),
    many: t('lists.charts.many', 'charts'),
    count: (n) => t('lists.charts.count', '{n, plural, one {# chart} other {# charts}}', { n }),
  },
  fields,
  nameOf: ({ slice_name }) => slice_name || t('lists.charts.untitled', '[ untitled chart ]'),
  nameOrder: 'slice_name',
  hrefOf: ({ id }) => `/explore/?slice_id=${id}`,
  searchLabel: t('lists.charts.search', 'Search charts'),
  search: (value) => ({ col: 'slice_name', opr: 'chart_all_text', value }),
  columns: [
    {
      id: 'type',
      header: t('lists.column.type', 'Type'),
      order: 'viz_type',
      width: '13%',
      hideUnder: 1200,
      cell: ({ viz_type }) => (
        <span className={styles.withIcon}>
          <Icon name={vizIcon(viz_type)} />
          <span>{vizName(viz_type, t)}</span>
        </span>
      ),
    },
    {
      id: 'dataset',
      header: t('lists.column.dataset', 'Dataset'),
      order: 'datasource_name',
      width: '13%',
      hideUnder: 1200,
      cell: ({ datasource_name_text, datasource_id, datasource_type }) =>
        datasource_name_text && (
          <Link
            href={`/explore/?datasource_type=${datasource_type}&datasource_id=${datasource_id}`}
            title={datasource_name_text}
          >
            {datasource_name_text}
          </Link>
        ),
    },
    {
      id: 'dashboards',
      header: t('lists.column.onDashboards', 'On dashboards'),
      width: '12%',
      hideUnder: 1200,
      cell: ({ dashboards: [first, ...rest] }) =>
        first && (
          <>
            <Link href={`/superset/dashboard/${first.id}/`}>
              {first.dashboard_title || t('app.untitled', '[ untitled dashboard ]')}
            </Link>
            {rest.length > 0 && (
              <span className={styles.muted} title={rest.map(({ dashboard_title }) => dashboard_title).join(', ')}>
                {` +${rest.length}`}
              </span>
            )}
          </>
        ),
    },
    ...tagsColumn(t),
    ownersColumn(t),
    changedColumn(t),
  ],
  subtitle: ({ viz_type, datasource_name_text }) =>
    [vizName(viz_type, t), datasource_name_text].filter(Boolean).join(' · '),
  pictured: ({ id }) => ({ kind: 'chart', id }),
  wrong: ({ lost_names }) =>
    lost_names.length > 0
      ? { word: t('lists.charts.outdated', 'Outdated'), sentence: lost_names.map(formatMissingReference).join(' ') }
      : undefined,
  firstUse: {
    title: t('lists.charts.none', 'No charts yet'),
    text: t(
      'lists.charts.noneText',
      'A chart visualizes the data in a dataset. Choose a dataset to see suggested charts.',
    ),
    action: { label: t('lists.charts.create', 'Chart'), href: '/chart/add' },
  },
  create: { label: t('lists.charts.create', 'Chart'), href: '/chart/add', permission: 'can_write' },
  edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: ({ editors }) => isOwner(editors) },
  menu: (row, { open }) => [
    { label: t('lists.open', 'Open'), icon: 'arrow-right', href: `/explore/?slice_id=${row.id}` },
    ...reportItem(t, 'chart', row.id, row.slice_name ?? ''),
    ...(isOwner(row.editors)
      ? [
          {
            label: t('lists.properties', 'Properties'),
            icon: 'settings' as const,
            shortcut: 'E',
            onSelect: () => open('properties', row.id),
          },
          versionsItem(t, () => open('versions', row.id)),
        ]
      : []),
  ],
  canDelete: ({ editors }) => isOwner(editors),
  consequence: async (rows) => {
    const dashboards = new Set(rows.flatMap((row) => row.dashboards.map(({ id }) => id)))
    return {
      text:
        dashboards.size > 0
          ? t(
              'lists.charts.consequence',
              '{charts, plural, one {It} other {They}} will be missing from {dashboards, plural, one {# dashboard} other {# dashboards}}.',
              { charts: rows.length, dashboards: dashboards.size },
            )
          : t('lists.charts.unused', '{charts, plural, one {It is} other {They are}} not on any dashboard.', {
              charts: rows.length,
            }),
    }
  },
})
