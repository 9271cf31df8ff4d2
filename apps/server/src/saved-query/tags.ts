import { AppError, tagRoutes as routes } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { formatStoredTime } from '../store/time.ts'
import { savedQueryResource, type SavedQueryRow } from './saved-query-resource.ts'

/** Number and names of the object type in the API. */
const savedQueryTypes = new Set(['1', 'query', 'saved_query'])

/** `/api/v1/tag/` for saved queries, with the flag TAGGING_SYSTEM. */
export function tagRoutes(app: App, { settings, db, now }: HttpDeps): void {
  if (settings.flags['TAGGING_SYSTEM'] !== true) return

  async function ownQuery(type: string, id: number, principal: Principal): Promise<SavedQueryRow> {
    if (!savedQueryTypes.has(type)) throw new AppError('not_found')
    return visibleRow<SavedQueryRow>(savedQueryResource, id, readContext(app, principal))
  }

  serve(app, routes.add, async ({ params, body, principal, event, reply }) => {
    const row = await ownQuery(params.type, params.id, principal)
    const tags = [...new Set(body.properties.tags.map((tag) => tag.trim()).filter(Boolean))]
    await db.transaction().execute(async (trx) => {
      for (const name of tags) {
        await trx
          .insertInto('tag')
          .values({ name, created_on: formatStoredTime(now()) })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
        const { id } = await trx.selectFrom('tag').select('id').where('name', '=', name).executeTakeFirstOrThrow()
        await trx
          .insertInto('saved_query_tag')
          .values({ saved_query_id: row.id, tag_id: id })
          .onConflict((conflict) => conflict.columns(['saved_query_id', 'tag_id']).doNothing())
          .execute()
      }
    })
    event.json = { type: 'saved_query', id: row.id, tags }
    return reply.code(201).send({})
  })

  serve(app, routes.remove, async ({ params, principal, event }) => {
    const row = await ownQuery(params.type, params.id, principal)
    const tag = await db.selectFrom('tag').select('id').where('name', '=', params.tag).executeTakeFirst()
    const deleted = tag
      ? await db
          .deleteFrom('saved_query_tag')
          .where('saved_query_id', '=', row.id)
          .where('tag_id', '=', tag.id)
          .executeTakeFirst()
      : undefined
    if (!deleted || Number(deleted.numDeletedRows) === 0) throw new AppError('not_found')
    event.json = { type: 'saved_query', id: row.id, tag: params.tag }
    return { message: 'OK' }
  })
}
