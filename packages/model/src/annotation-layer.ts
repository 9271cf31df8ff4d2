import Type from 'typebox'
import { AnyObject, body, optional, nullish, text } from './fields.ts'
import { bulkDelete, readingRoutes, writingRoutes } from './resource.ts'

export const AnnotationLayerPost = body({ name: text(1, 250), descr: nullish(text()) })
export type AnnotationLayerPost = Type.Static<typeof AnnotationLayerPost>
export const AnnotationLayerPut = body({ name: optional(text(1, 250)), descr: nullish(text()) })
export type AnnotationLayerPut = Type.Static<typeof AnnotationLayerPut>

const part = { name: 'annotation_layer', view: 'Annotation' } as const

/** `/api/v1/annotation_layer/`: named sets of annotations that charts can show. */
export const annotationLayerRoutes = {
  ...readingRoutes({ ...part, listed: AnyObject, detail: AnyObject }),
  ...writingRoutes({ ...part, post: AnnotationLayerPost, put: AnnotationLayerPut }),
  bulkDelete: bulkDelete(part),
}
