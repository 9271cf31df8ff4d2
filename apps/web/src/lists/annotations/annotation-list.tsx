import type { Translate } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { changedColumn } from '../common-columns.tsx'
import { idsPerCall, type ListDefinition, type ListRow } from '../definition.ts'
import type { ListResult } from '../../shared/use-resource.ts'
import type { StoredAnnotation } from './annotation-draft.ts'
import { formatAnnotationSpan, formatAnnotationTime } from './annotation-times.ts'

const fields = [
  'id',
  'short_descr',
  'long_descr',
  'start_dttm',
  'end_dttm',
  'json_metadata',
  'changed_on_delta_humanized',
] as const

export interface AnnotationRow extends ListRow, StoredAnnotation {}

export interface Layer {
  id: number
  name: string
  descr: string | null
}

export interface AnnotationListOptions {
  mayWrite: boolean
  /** Classes of its cells. */
  clipped: string | undefined
  times: string | undefined
}

export const annotationList = (
  t: Translate,
  { id: layer, name }: Layer,
  { mayWrite, clipped, times }: AnnotationListOptions,
): ListDefinition<AnnotationRow> => {
  const here = `/annotationlayer/${layer}/annotation/`
  const create = `${here}?new=true`
  const timeColumn = (field: 'start_dttm' | 'end_dttm', header: string) => ({
    id: field,
    header,
    order: field,
    width: '164px',
    hideUnder: 992 as const,
    cell: (row: AnnotationRow) => <span className={times}>{formatAnnotationTime(row[field])}</span>,
  })
  return {
    resource: 'annotation_layer',
    source: {
      key: layer,
      read: async (q, signal) =>
        (await api.get('/api/v1/annotation_layer/:id/annotation/', {
          params: { id: layer },
          q,
          signal,
        })) as unknown as ListResult<AnnotationRow>,
    },
    remove: async (rows) => {
      const ids = rows.map(({ id }) => id)
      for (let index = 0; index < ids.length; index += idsPerCall)
        await api.del('/api/v1/annotation_layer/:id/annotation/', {
          params: { id: layer },
          q: ids.slice(index, index + idsPerCall),
        })
    },
    view: 'Annotation',
    icon: 'calendar',
    nouns: {
      title: name,
      one: t('lists.annotations.one', 'annotation'),
      many: t('lists.annotations.many', 'annotations'),
      count: (n) => t('lists.annotations.count', '{n, plural, one {# annotation} other {# annotations}}', { n }),
    },
    fields,
    nameHeader: t('lists.column.name', 'Name'),
    nameOf: ({ short_descr }) => short_descr,
    nameOrder: 'short_descr',
    hrefOf: ({ id }) => `${here}?edit=${id}`,
    searchLabel: t('lists.annotations.search', 'Search annotations'),
    search: (value) => ({ col: 'short_descr', opr: 'annotation_all_text', value }),
    filters: [],
    columns: [
      {
        id: 'description',
        header: t('lists.description', 'Description'),
        order: 'long_descr',
        width: '28%',
        hideUnder: 1200,
        cell: ({ long_descr }) => (
          <span className={clipped} title={long_descr ?? undefined}>
            {long_descr}
          </span>
        ),
      },
      timeColumn('start_dttm', t('lists.annotations.start', 'Start (UTC)')),
      timeColumn('end_dttm', t('lists.annotations.end', 'End (UTC)')),
      changedColumn(t),
    ],
    subtitle: ({ start_dttm, end_dttm }) => `${formatAnnotationSpan(start_dttm, end_dttm)} UTC`,
    defaultSort: { column: 'start_dttm', direction: 'desc' },
    firstUse: {
      title: t('lists.annotations.none', 'No annotations yet'),
      text: t(
        'lists.annotations.noneText',
        'An annotation marks a point in time or a time range, such as a release or a holiday, on every chart that shows this layer.',
      ),
      action: { label: t('lists.annotations.create', 'Annotation'), href: create },
    },
    create: { label: t('lists.annotations.create', 'Annotation'), href: create, permission: 'can_write' },
    ...(mayWrite && { edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: () => true } }),
    menu: ({ id }, { open }) =>
      mayWrite
        ? [{ label: t('lists.edit', 'Edit'), icon: 'edit', shortcut: 'E', onSelect: () => open('edit', id) }]
        : [],
    consequence: async (rows) => ({
      text: t(
        'lists.annotations.consequence',
        '{n, plural, one {It} other {They}} will no longer appear on charts that show the layer {layer}. This cannot be undone.',
        { layer: name, n: rows.length },
      ),
    }),
  }
}
