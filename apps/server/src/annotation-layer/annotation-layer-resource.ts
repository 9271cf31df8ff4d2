import { AnnotationLayerPost, AnnotationLayerPut } from '@parquetry/model'
import type { Selectable } from 'kysely'
import { noSuchAddress } from '../http/errors.ts'
import { anyContains, numberFilter, textFilter, timeFilter, toOneFilter } from '../http/filters.ts'
import { auditColumns, sortByUser } from '../http/column-resolvers.ts'
import { relatedUsers } from '../http/related.ts'
import type { Resource } from '../http/resource.ts'
import type { AnnotationLayerTable } from '../store/tables.ts'

export type AnnotationLayerRow = Selectable<AnnotationLayerTable>

/** Resource definition of `/api/v1/annotation_layer/`. Users with the permission see all layers. */
export const annotationLayerResource: Resource<AnnotationLayerRow> & { kind: 'annotation_layer' } = {
  kind: 'annotation_layer',
  title: 'Annotation Layer',
  view: 'Annotation',
  list: {
    announced: [
      'id',
      'name',
      'descr',
      'created_by.first_name',
      'created_by.last_name',
      'changed_by.first_name',
      'changed_by.last_name',
      'changed_on',
      'changed_on_delta_humanized',
      'created_on',
    ],
    unannounced: ['uuid', 'created_by.id', 'changed_by.id'],
  },
  show: { announced: ['id', 'name', 'descr'], unannounced: ['uuid', 'changed_on'] },
  order: {
    name: 'annotation_layer.name',
    descr: 'annotation_layer.descr',
    'created_by.first_name': sortByUser('annotation_layer.created_by_fk', 'first_name'),
    'changed_by.first_name': sortByUser('annotation_layer.changed_by_fk', 'first_name'),
    changed_on: 'annotation_layer.changed_on',
    changed_on_delta_humanized: 'annotation_layer.changed_on',
    created_on: 'annotation_layer.created_on',
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    id: numberFilter('annotation_layer.id'),
    created_by: toOneFilter('annotation_layer.created_by_fk', 'user'),
    changed_by: toOneFilter('annotation_layer.changed_by_fk', 'user'),
    created_on: timeFilter('annotation_layer.created_on'),
    changed_on: timeFilter('annotation_layer.changed_on'),
    name: [
      // Excludes operators of later releases: the recorded responses ignore them.
      ...textFilter('annotation_layer.name').filter(({ unannounced }) => !unannounced),
      anyContains('annotation_layer_all_text', 'All Text', ['annotation_layer.name', 'annotation_layer.descr']),
    ],
    descr: textFilter('annotation_layer.descr'),
  },
  resolvers: auditColumns<AnnotationLayerRow>(),
  related: { created_by: relatedUsers(), changed_by: relatedUsers() },
  distinct: [],
  bodies: { add: AnnotationLayerPost, edit: AnnotationLayerPut },
  oddId: noSuchAddress,
}
