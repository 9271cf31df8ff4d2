import type { Translate } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { changedColumn } from '../common-columns.tsx'
import { creatorFilter } from '../common-filters.ts'
import { idsPerCall, type ListDefinition, type ListRow } from '../definition.ts'

const fields = [
  'id',
  'name',
  'descr',
  'changed_by.first_name',
  'changed_by.last_name',
  'changed_on',
  'changed_on_delta_humanized',
] as const

export interface LayerRow extends ListRow {
  name: string
  descr: string | null
  changed_by: { first_name: string; last_name: string } | null
}

const create = '/annotationlayer/list/?new=true'

const formatModifiedBy = ({ changed_by: by }: LayerRow): string => (by ? `${by.first_name} ${by.last_name}`.trim() : '')

export const layerList = (t: Translate, mayWrite: boolean, clipped: string | undefined): ListDefinition<LayerRow> => ({
  resource: 'annotation_layer',
  view: 'Annotation',
  icon: 'calendar',
  nouns: {
    title: t('lists.layers.title', 'Annotation layers'),
    one: t('lists.layers.one', 'annotation layer'),
    many: t('lists.layers.many', 'annotation layers'),
    count: (n) => t('lists.layers.count', '{n, plural, one {# annotation layer} other {# annotation layers}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ name }) => name,
  nameOrder: 'name',
  hrefOf: ({ id }) => `/annotationlayer/${id}/annotation/`,
  searchLabel: t('lists.layers.search', 'Search annotation layers'),
  search: (value) => ({ col: 'name', opr: 'annotation_layer_all_text', value }),
  filters: [creatorFilter(t)],
  columns: [
    {
      id: 'description',
      header: t('lists.description', 'Description'),
      order: 'descr',
      width: '36%',
      hideUnder: 992,
      cell: ({ descr }) => (
        <span className={clipped} title={descr ?? undefined}>
          {descr}
        </span>
      ),
    },
    {
      id: 'changed_by',
      header: t('lists.column.changedBy', 'Modified by'),
      order: 'changed_by.first_name',
      width: '160px',
      hideUnder: 992,
      cell: formatModifiedBy,
    },
    changedColumn(t),
  ],
  subtitle: (row) => row.descr || formatModifiedBy(row),
  firstUse: {
    title: t('lists.layers.none', 'No annotation layers yet'),
    text: t(
      'lists.layers.noneText',
      'An annotation layer is a named set of points in time and time ranges, such as releases or holidays. Create one, add annotations to it, then choose it under “Annotation layers” in a chart with a time axis.',
    ),
    action: { label: t('lists.layers.create', 'Annotation layer'), href: create },
  },
  create: { label: t('lists.layers.create', 'Annotation layer'), href: create, permission: 'can_write' },
  ...(mayWrite && { edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: () => true } }),
  hasExport: true,
  exportPermission: 'can_read',
  imports: 'annotation_layer',
  menu: ({ id }, { open }) =>
    mayWrite ? [{ label: t('lists.edit', 'Edit'), icon: 'edit', shortcut: 'E', onSelect: () => open('edit', id) }] : [],
  consequence: async (rows) => {
    let annotations = 0
    for (const { id } of rows) annotations += (await fetchAnnotationIds(id, 1)).count
    return {
      typed: annotations > 0,
      text: t(
        'lists.layers.consequence',
        '{annotations, plural, =0 {{layers, plural, one {It has} other {They have}} no annotations.} one {# annotation in {layers, plural, one {it} other {them}} is also deleted.} other {# annotations in {layers, plural, one {it} other {them}} are also deleted.}} Charts that show {layers, plural, one {it} other {them}} are drawn without {layers, plural, one {it} other {them}} and show a warning. This cannot be undone.',
        { annotations, layers: rows.length },
      ),
    }
  },
  remove: removeLayers,
})

const fetchAnnotationIds = (id: number, page_size: number) =>
  api.get('/api/v1/annotation_layer/:id/annotation/', {
    params: { id },
    q: { columns: ['id'], keys: ['none'], page: 0, page_size },
  })

/** Deletes the annotations first, since the API does not delete a layer that has some. */
async function removeLayers(rows: readonly LayerRow[]): Promise<void> {
  for (const { id } of rows) {
    for (
      let left = (await fetchAnnotationIds(id, idsPerCall)).ids;
      left.length > 0;
      left = (await fetchAnnotationIds(id, idsPerCall)).ids
    )
      await api.del('/api/v1/annotation_layer/:id/annotation/', { params: { id }, q: left })
    await api.del('/api/v1/annotation_layer/:id', { params: { id } })
  }
}
