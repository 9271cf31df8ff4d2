import { AnnotationPost, AnnotationPut } from '@parquetry/model'
import type { Selectable } from 'kysely'
import { splitNames } from '../http/columns.ts'
import { anyContains, numberFilter, textFilter, timeFilter, toOneFilter } from '../http/filters.ts'
import { auditColumns, sortByUser, computedColumn } from '../http/column-resolvers.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import type { AnnotationTable } from '../store/tables.ts'

export type AnnotationRow = Selectable<AnnotationTable>

const layer: ColumnResolver<AnnotationRow> = async (rows, { db }) => {
  const ids = [...new Set(rows.map(({ layer_id }) => layer_id))].concat(-1)
  const found = await db.selectFrom('annotation_layer').select(['id', 'name']).where('id', 'in', ids).execute()
  return rows.map(({ layer_id }) => found.find(({ id }) => id === layer_id) ?? null)
}

/** Omits a zero fraction of a second, as the API does for these times. */
const brief = (time: string): string => time.replace(/\.000$/, '')

/** Resource definition of annotations; the layer in the URL is a separate condition. */
export const annotationResource: Resource<AnnotationRow> & { kind: 'annotation' } = {
  kind: 'annotation',
  title: 'Annotation',
  view: 'Annotation',
  list: {
    announced: splitNames(`
      id changed_by.first_name changed_by.id changed_on_delta_humanized created_by.first_name created_by.id
      end_dttm long_descr short_descr start_dttm
    `),
    unannounced: ['uuid', 'json_metadata', 'changed_on', 'layer.id', 'layer.name'],
  },
  show: {
    announced: splitNames('id short_descr long_descr start_dttm end_dttm json_metadata layer.id layer.name'),
    unannounced: ['uuid', 'changed_on'],
  },
  order: {
    'changed_by.first_name': sortByUser('annotation.changed_by_fk', 'first_name'),
    changed_on_delta_humanized: 'annotation.changed_on',
    'created_by.first_name': sortByUser('annotation.created_by_fk', 'first_name'),
    end_dttm: 'annotation.end_dttm',
    long_descr: 'annotation.long_descr',
    short_descr: 'annotation.short_descr',
    start_dttm: 'annotation.start_dttm',
  },
  defaultOrder: ['changed_on_delta_humanized', 'desc'],
  filters: {
    // Not announced. It serves to look up the names of rows selected on other pages before they are deleted.
    id: numberFilter('annotation.id').map((operator) => ({ ...operator, unannounced: true as const })),
    created_by: toOneFilter('annotation.created_by_fk', 'user'),
    changed_by: toOneFilter('annotation.changed_by_fk', 'user'),
    created_on: timeFilter('annotation.created_on'),
    changed_on: timeFilter('annotation.changed_on'),
    layer: toOneFilter('annotation.layer_id', 'annotation_layer'),
    short_descr: [
      ...textFilter('annotation.short_descr'),
      anyContains('annotation_all_text', 'All Text', ['annotation.short_descr', 'annotation.long_descr']),
    ],
    long_descr: textFilter('annotation.long_descr'),
    start_dttm: timeFilter('annotation.start_dttm'),
    end_dttm: timeFilter('annotation.end_dttm'),
    json_metadata: textFilter('annotation.json_metadata'),
  },
  resolvers: {
    ...auditColumns<AnnotationRow>(),
    layer,
    start_dttm: computedColumn(({ start_dttm }) => brief(start_dttm)),
    end_dttm: computedColumn(({ end_dttm }) => brief(end_dttm)),
  },
  related: {},
  distinct: [],
  bodies: { add: AnnotationPost, edit: AnnotationPut },
}
