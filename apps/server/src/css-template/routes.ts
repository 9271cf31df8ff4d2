import { randomUUID } from 'node:crypto'
import { cssTemplateRoutes as routes } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { App, HttpDeps } from '../http/app.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { changedBy, toColumns, createdBy } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { cssTemplateResource, type CssTemplateRow } from './css-template-resource.ts'

const fields = ['template_name', 'css'] as const
const echo = ({ template_name, css }: Pick<CssTemplateRow, 'template_name' | 'css'>) => ({ template_name, css })
const document = (db: Kysely<Tables>, id: number): Promise<object> =>
  db.selectFrom('css_template').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** `/api/v1/css_template/` */
export function cssTemplateRoutes(app: App, { db }: HttpDeps): void {
  serveReading(app, routes, cssTemplateResource)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const { now } = readContext(app, principal)
    const row = {
      template_name: null,
      css: '',
      ...toColumns(body, fields),
      uuid: randomUUID(),
      ...createdBy(principal, now),
    }
    const history = { kind: 'css_template', uuid: row.uuid, author: principal.id, event, now }
    const id = await change(db, { ...history, document }, async (trx) => {
      const inserted = await trx.insertInto('css_template').values(row).returning('id').executeTakeFirstOrThrow()
      event.json = { id: inserted.id }
      return inserted.id
    })
    return reply.code(201).send({ id, result: echo(row) })
  })
  serve(app, routes.update, async ({ params, body, principal, event }) => {
    const context = readContext(app, principal)
    const row = await visibleRow<CssTemplateRow>(cssTemplateResource, params.id, context)
    const changed = { ...toColumns(body, fields), ...changedBy(principal, context.now, row) }
    event.json = { id: row.id }
    const history = { kind: 'css_template', uuid: row.uuid, author: principal.id, event, now: context.now }
    await change(db, { ...history, document: (trx) => document(trx, row.id) }, async (trx) => {
      await trx.updateTable('css_template').set(changed).where('id', '=', row.id).execute()
    })
    return { result: echo({ ...row, ...changed }) }
  })
  serve(app, routes.older, async () => {
    const columns = ['id', 'template_name', 'css'] as const
    const result = await db.selectFrom('css_template').select(columns).orderBy('template_name').orderBy('id').execute()
    const pks = result.map(({ id }) => id)
    return { count: result.length, pks, result, modelview_name: 'CssTemplateAsyncModelView' }
  })
  serveRemoving(app, routes, {
    resource: cssTemplateResource,
    action: ['can_write', 'CssTemplate'],
    words: ['css template', 'css templates'],
    async remove(trx, { id }) {
      await trx.deleteFrom('css_template').where('id', '=', id).execute()
    },
  })
}
