import { AnnotationLayerPost, AnnotationLayerPut } from '@parquetry/model'
import type { Selectable } from 'kysely'
import { noSuchAddress } from '../http/errors.ts'
import { anyContains, number, text, time, toOne } from '../http/filters.ts'
import { audited, byPerson } from '../http/heads.ts'
import { people } from '../http/related.ts'
import type { Resource } from '../http/resource.ts'
import type { AnnotationLayerTable } from '../store/tables.ts'

export type AnnotationLayerRow = Selectable<AnnotationLayerTable>

/** How `/api/v1/annotation_layer/` reads layers: whoever may use them sees all. */
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
    later: ['uuid', 'created_by.id', 'changed_by.id'],
  },
  show: { announced: ['id', 'name', 'descr'], later: ['uuid', 'changed_on'] },
  order: {
    name: 'annotation_layer.name',
    descr: 'annotation_layer.descr',
    'created_by.first_name': byPerson('annotation_layer.created_by_fk', 'first_name'),
    'changed_by.first_name': byPerson('annotation_layer.changed_by_fk', 'first_name'),
    changed_on: 'annotation_layer.changed_on',
    changed_on_delta_humanized: 'annotation_layer.changed_on',
    created_on: 'annotation_layer.created_on',
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    id: number('annotation_layer.id'),
    created_by: toOne('annotation_layer.created_by_fk', 'user'),
    changed_by: toOne('annotation_layer.changed_by_fk', 'user'),
    created_on: time('annotation_layer.created_on'),
    changed_on: time('annotation_layer.changed_on'),
    name: [
      // the operators of later releases are not known here yet: recorded answers ignore them
      ...text('annotation_layer.name').filter(({ later }) => !later),
      anyContains('annotation_layer_all_text', 'All Text', ['annotation_layer.name', 'annotation_layer.descr']),
    ],
    descr: text('annotation_layer.descr'),
  },
  heads: audited<AnnotationLayerRow>(),
  related: { created_by: people(), changed_by: people() },
  distinct: [],
  bodies: { add: AnnotationLayerPost, edit: AnnotationLayerPut },
  oddId: noSuchAddress,
}
