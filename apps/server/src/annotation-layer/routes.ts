import { randomUUID } from 'node:crypto'
import { annotationLayerRoutes as routes, message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { App, HttpDeps } from '../http/app.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { changedBy, toColumns, createdBy, unprocessableFields, unprocessable } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { annotationResource } from './annotation-resource.ts'
import { annotationRoutes } from './annotation-routes.ts'
import { annotationLayerResource, type AnnotationLayerRow } from './annotation-layer-resource.ts'

const document = (db: Kysely<Tables>, id: number): Promise<object> =>
  db.selectFrom('annotation_layer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function requireUniqueName(db: Kysely<Tables>, name: string | undefined, ownId: number | null): Promise<void> {
  if (name === undefined) return
  const existing = await db.selectFrom('annotation_layer').select('id').where('name', '=', name).executeTakeFirst()
  if (existing && existing.id !== ownId)
    throw unprocessableFields({ name: [message('errors.annotation.layerNameTaken', 'Name must be unique')] })
}

/** `/api/v1/annotation_layer/`. As in the reference API, its `_info` describes annotations. */
export function annotationLayerRoutes(app: App, { db }: HttpDeps): void {
  const { list, item, related, distinct } = routes
  serveReading(app, { list, item, related, distinct }, annotationLayerResource)
  serveReading(app, { info: routes.info }, annotationResource)
  annotationRoutes(app)
  app.pageSubjects.annotations = (context, { id = '' }) => visibleRow(annotationLayerResource, id, context)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const { now } = readContext(app, principal)
    const row = { name: body.name, descr: body.descr ?? null, uuid: randomUUID(), ...createdBy(principal, now) }
    const history = { kind: 'annotation_layer', uuid: row.uuid, author: principal.id, event, now }
    const id = await change(db, { ...history, document }, async (trx) => {
      await requireUniqueName(trx, body.name, null)
      const inserted = await trx.insertInto('annotation_layer').values(row).returning('id').executeTakeFirstOrThrow()
      event.json = { id: inserted.id }
      return inserted.id
    })
    return reply.code(201).send({ id, result: body })
  })
  serve(app, routes.update, async ({ params, body, principal, event }) => {
    const context = readContext(app, principal)
    const row = await visibleRow<AnnotationLayerRow>(annotationLayerResource, params.id, context)
    const changed = { ...toColumns(body, ['name', 'descr']), ...changedBy(principal, context.now, row) }
    event.json = { id: row.id }
    const history = { kind: 'annotation_layer', uuid: row.uuid, author: principal.id, event, now: context.now }
    await change(db, { ...history, document: (trx) => document(trx, row.id) }, async (trx) => {
      await requireUniqueName(trx, body.name, row.id)
      await trx.updateTable('annotation_layer').set(changed).where('id', '=', row.id).execute()
    })
    return { id: row.id, result: { ...body, layer: row.id } }
  })
  serveRemoving(app, routes, {
    resource: annotationLayerResource,
    action: ['can_write', 'Annotation'],
    words: ['annotation layer', 'annotation layers'],
    async check(rows) {
      const ids = rows.map(({ id }) => id)
      const annotation = await db.selectFrom('annotation').select('id').where('layer_id', 'in', ids).executeTakeFirst()
      if (annotation)
        throw unprocessable(message('errors.annotation.layerInUse', 'Annotation layer has associated annotations.'))
    },
    async remove(trx, { id }) {
      await trx.deleteFrom('annotation_layer').where('id', '=', id).execute()
    },
  })
}
