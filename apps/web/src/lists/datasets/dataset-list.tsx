import { StatusChip, type Translate } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { readExtra } from '../../shared/dataset-editor/extra.ts'
import { notOwnerText } from '../../shared/dataset-texts.ts'
import { toOwners } from '../../shared/owner.ts'
import { can, hasSqlLab, isAdmin, isOwner } from '../../shared/rights.ts'
import { changedColumn, ownersColumn, tagsColumn } from '../common-columns.tsx'
import { certifiedFilter, databaseFilter, schemaFilter, mineFilter, ownerFilter, tagFilter } from '../common-filters.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ListDefinition } from '../definition.ts'
import { versionsItem } from '../versions-item.ts'

const fields = [
  'id',
  'table_name',
  'kind',
  'schema',
  'sql',
  'database.id',
  'database.database_name',
  'explore_url',
  'extra',
  'is_damaged',
  'editors.id',
  'editors.label',
  'changed_on_utc',
  'custom_tags',
  'changed_on_delta_humanized',
] as const

export type DatasetRow = RowOf<'dataset', typeof fields>

export const datasetList = (t: Translate): ListDefinition<DatasetRow> => ({
  resource: 'dataset',
  view: 'Dataset',
  icon: 'dataset',
  nouns: {
    title: t('lists.datasets.title', 'Datasets'),
    one: t('lists.datasets.one', 'dataset'),
    many: t('lists.datasets.many', 'datasets'),
    count: (n) => t('lists.datasets.count', '{n, plural, one {# dataset} other {# datasets}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ table_name }) => table_name,
  nameOrder: 'table_name',
  hrefOf: ({ explore_url }) => explore_url,
  searchLabel: t('lists.datasets.search', 'Search datasets'),
  search: (value) => ({ col: 'table_name', opr: 'ct', value }),
  filters: [
    mineFilter(t),
    ownerFilter(t),
    databaseFilter(t),
    schemaFilter(t),
    {
      name: 'kind',
      label: t('lists.column.kind', 'Type'),
      kind: 'choice',
      options: [
        { value: 'physical', label: t('lists.datasets.table', 'Table') },
        { value: 'virtual', label: t('lists.datasets.query', 'Query') },
      ],
      toApi: (value) => [{ col: 'sql', opr: 'dataset_is_null_or_empty', value: value === 'physical' }],
    },
    ...tagFilter(t, 'dataset'),
    certifiedFilter(t, 'dataset'),
  ],
  columns: [
    {
      id: 'kind',
      header: t('lists.column.kind', 'Type'),
      width: '104px',
      hideUnder: 1200,
      cell: ({ kind }) => (
        <StatusChip icon={kind === 'virtual' ? 'sql' : 'table'}>
          {kind === 'virtual' ? t('lists.datasets.query', 'Query') : t('lists.datasets.table', 'Table')}
        </StatusChip>
      ),
    },
    {
      id: 'database',
      header: t('lists.column.database', 'Database'),
      order: 'database.database_name',
      width: '16%',
      hideUnder: 1200,
      cell: ({ database }) => database.database_name,
    },
    {
      id: 'schema',
      header: t('lists.column.schema', 'Schema'),
      order: 'schema',
      width: '12%',
      hideUnder: 1200,
      cell: ({ schema }) => schema,
    },
    ...tagsColumn(t),
    ownersColumn(t),
    changedColumn(t),
  ],
  subtitle: ({ database, schema }) => [database.database_name, schema].filter(Boolean).join(' · '),
  owners: ({ editors }) => toOwners(editors),
  certified: ({ extra }) => {
    const { certified_by, certification_details } = readExtra(extra)
    return { by: certified_by || null, details: certification_details || null }
  },
  wrong: ({ is_damaged }) =>
    is_damaged
      ? {
          word: t('lists.datasets.damaged', 'Damaged'),
          sentence: t(
            'lists.datasets.damagedFile',
            'The file for this table is damaged or missing. Upload the file again, or ask an administrator to restore it from a backup.',
          ),
        }
      : undefined,
  hasExport: true,
  imports: 'dataset',
  firstUse: {
    title: t('lists.datasets.none', 'No datasets yet'),
    text: t('lists.datasets.noneText', 'A dataset is a table or query with the columns and metrics that charts use.'),
    action: { label: t('lists.datasets.create', 'Dataset'), href: '/dataset/add/' },
  },
  create: { label: t('lists.datasets.create', 'Dataset'), href: '/dataset/add/', permission: 'can_write' },
  edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: ({ editors }) => isOwner(editors) },
  menu: (row, { go, open }) => [
    { label: t('lists.datasets.explore', 'Open in Explore'), icon: 'chart', href: row.explore_url },
    {
      label: t('lists.datasets.edit', 'Edit dataset'),
      icon: 'edit',
      shortcut: 'E',
      href: `/dataset/${row.id}`,
      disabledReason: isAdmin || isOwner(row.editors) ? undefined : notOwnerText(t),
    },
    ...(isOwner(row.editors) ? [versionsItem(t, () => open('versions', row.id))] : []),
    ...(row.kind === 'virtual' && can('can_duplicate', 'Dataset')
      ? [
          {
            label: t('lists.datasets.duplicate', 'Duplicate'),
            icon: 'copy' as const,
            onSelect: () => open('duplicate', row.id),
          },
        ]
      : []),
    ...(hasSqlLab
      ? [
          {
            label: t('lists.datasets.sqllab', 'Query in SQL Lab'),
            icon: 'sql' as const,
            onSelect: () => go(`/superset/sqllab/?${new URLSearchParams(sqlLabParams(row))}`),
          },
        ]
      : []),
  ],
  canDelete: ({ editors }) => isOwner(editors),
  consequence: async (rows) => {
    const related = await Promise.all(
      rows.map(({ id }) => api.get('/api/v1/dataset/:id/related_objects', { params: { id } })),
    )
    const charts = related.reduce((sum, one) => sum + one.charts.count, 0)
    const dashboards = related.reduce((sum, one) => sum + one.dashboards.count, 0)
    return {
      typed: charts > 0,
      text:
        charts > 0
          ? t(
              'lists.datasets.consequence',
              '{charts, plural, one {# chart} other {# charts}}{dashboards, plural, =0 {} one { on # dashboard} other { on # dashboards}} will have no data.',
              { charts, dashboards },
            )
          : t(
              'lists.datasets.unused',
              'No charts use {n, plural, one {it} other {them}}. The underlying tables are not deleted.',
              {
                n: rows.length,
              },
            ),
    }
  },
})

const sqlLabParams = ({ database, schema, table_name, sql }: DatasetRow): Record<string, string> => ({
  dbid: String(database.id),
  ...(schema && { schema }),
  ...(sql ? { sql } : { table: table_name }),
  name: table_name,
})
