import { annotationRoutes as routes, AppError } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { App } from '../http/app.ts'
import { removeAll, type Removal } from '../http/removing.ts'
import { list, type ReadContext, show, visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { annotationResource, type AnnotationRow } from './annotation-resource.ts'
import { createAnnotation, updateAnnotation } from './save-annotation.ts'

/** Returns an annotation if it belongs to the layer in the URL. @throws AppError `not_found` */
async function findAnnotation(context: ReadContext, layer: number, id: number): Promise<AnnotationRow> {
  const row = await visibleRow<AnnotationRow>(annotationResource, id, context)
  if (row.layer_id !== layer) throw new AppError('not_found')
  return row
}

const removalFrom = (layer: number): Removal<AnnotationRow> => ({
  resource: annotationResource,
  action: ['can_write', 'Annotation'],
  words: ['annotation', 'annotations'],
  async check(rows) {
    if (rows.some(({ layer_id }) => layer_id !== layer)) throw new AppError('not_found')
  },
  async remove(trx, { id }) {
    await trx.deleteFrom('annotation').where('id', '=', id).execute()
  },
})

/** `/api/v1/annotation_layer/{layer}/annotation/` */
export function annotationRoutes(app: App): void {
  serve(app, routes.list, ({ params, rison, principal }) =>
    list(annotationResource, rison, readContext(app, principal), sql<SqlBool>`annotation.layer_id = ${params.id}`),
  )
  serve(app, routes.item, async ({ params, rison, principal }) => {
    const context = readContext(app, principal)
    return show(annotationResource, await findAnnotation(context, params.id, params.annotation_id), rison, context)
  })
  serve(app, routes.create, async ({ params, body, principal, event, reply }) => {
    const { id, taken } = await createAnnotation({ ...readContext(app, principal), event }, params.id, body)
    return reply.code(201).send({ id, result: taken })
  })
  serve(app, routes.update, async ({ params, body, principal, event }) => {
    const context = { ...readContext(app, principal), event }
    const row = await findAnnotation(context, params.id, params.annotation_id)
    return { id: row.id, result: { ...(await updateAnnotation(context, row, body)) } }
  })
  serve(app, routes.remove, async ({ params, principal, event }) => {
    await removeAll(removalFrom(params.id), [params.annotation_id], { ...readContext(app, principal), event })
    return { message: 'OK' }
  })
  serve(app, routes.bulkDelete, async ({ params, rison: ids, principal, event }) => {
    await removeAll(removalFrom(params.id), ids, { ...readContext(app, principal), event })
    const count = new Set(ids).size
    return { message: `Deleted ${count} ${count === 1 ? 'annotation' : 'annotations'}` }
  })
}
