import Type from 'typebox'
import { openObject, body, CreatedBody, optional, nullish, MessageBody, AnyObject, text } from './fields.ts'
import { IdsQuery, ItemQuery, ListQuery } from './resource.ts'
import { defineRoute } from './route.ts'

const fields = { long_descr: nullish(text()), json_metadata: nullish(text()) }

/** Times are ISO text, in UTC unless they have a zone. */
export const AnnotationPost = body({
  short_descr: text(1, 500),
  start_dttm: Type.String(),
  end_dttm: Type.String(),
  ...fields,
})
export type AnnotationPost = Type.Static<typeof AnnotationPost>
export const AnnotationPut = body({
  short_descr: optional(text(1, 500)),
  start_dttm: optional(Type.String()),
  end_dttm: optional(Type.String()),
  ...fields,
})
export type AnnotationPut = Type.Static<typeof AnnotationPut>

const LayerParams = Type.Object({ id: Type.Integer() })
const One = Type.Object({ id: Type.Integer(), annotation_id: Type.Integer() })
const all = '/api/v1/annotation_layer/:id/annotation/'
const one = '/api/v1/annotation_layer/:id/annotation/:annotation_id'

const read = {
  method: 'GET',
  body: 'none',
  can: ['can_read', 'Annotation'],
  object: 'annotations of the layer only',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
} as const
const write = {
  can: ['can_write', 'Annotation'],
  object: 'annotations of the layer only',
  rate: 'write',
  csrf: 'token',
  errors: 'plain',
} as const

/** `/api/v1/annotation_layer/{layer}/annotation/`: annotations of a layer, each for a time span. */
export const annotationRoutes = {
  list: defineRoute({
    ...read,
    path: all,
    summary: 'Lists the annotations of a layer',
    params: LayerParams,
    rison: ListQuery,
    reply: openObject({ count: Type.Integer(), ids: Type.Array(Type.Integer()), result: Type.Array(AnyObject) }),
    fails: ['bad_request'],
  }),
  item: defineRoute({
    ...read,
    path: one,
    summary: 'Returns an annotation',
    params: One,
    rison: ItemQuery,
    reply: openObject({ id: Type.Integer(), result: AnyObject }),
    fails: ['bad_request', 'not_found'],
  }),
  create: defineRoute({
    ...write,
    method: 'POST',
    path: all,
    success: [201],
    summary: 'Creates an annotation in a layer',
    params: LayerParams,
    body: AnnotationPost,
    reply: CreatedBody,
    audit: 'annotation.create',
    fails: ['invalid_payload', 'unprocessable', 'bad_request'],
  }),
  update: defineRoute({
    ...write,
    method: 'PUT',
    path: one,
    summary: 'Updates the given fields of an annotation',
    params: One,
    body: AnnotationPut,
    reply: openObject({ id: Type.Integer(), result: AnyObject }),
    audit: 'annotation.update',
    fails: ['invalid_payload', 'not_found', 'unprocessable'],
  }),
  remove: defineRoute({
    ...write,
    method: 'DELETE',
    path: one,
    summary: 'Deletes an annotation',
    params: One,
    body: 'none',
    reply: MessageBody,
    audit: 'annotation.delete',
    fails: ['not_found'],
  }),
  bulkDelete: defineRoute({
    ...write,
    method: 'DELETE',
    path: all,
    summary: 'Deletes several annotations of a layer, all or none',
    params: LayerParams,
    rison: IdsQuery,
    body: 'none',
    reply: MessageBody,
    audit: 'annotation.bulk_delete',
    fails: ['bad_request', 'not_found'],
  }),
}
