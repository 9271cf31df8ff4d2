import { AppError, legacyTagRoutes, tagRoutes as routes, tagTypes } from '@parquetry/model'
import { sql } from 'kysely'
import { visibilityCondition } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { fullName, userColumn, type UserSummary } from '../http/column-resolvers.ts'
import { serveFavorites } from '../http/favorites.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { canTag, tagLink } from '../http/tags.ts'
import { and } from '../store/conditions.ts'
import type { TagView } from '../store/tables.ts'
import { addToObjects, createTags, ensureTag, readTagName, removeTags, updateTag } from './save-tag.ts'
import { tagResource } from './tag-resource.ts'
import { findKind, listTaggedObjects, type TaggableObject } from './tagged-objects.ts'

/** `/api/v1/tag/`, with the flag TAGGING_SYSTEM. */
export function tagRoutes(app: App, { settings, db }: HttpDeps): void {
  if (settings.flags['TAGGING_SYSTEM'] !== true) {
    app.pageSubjects.tags = app.pageSubjects.tag = () => {
      throw new AppError('not_found')
    }
    return
  }
  app.pageSubjects.tag = async (context, _, { id }) => {
    if (id !== undefined) await visibleRow(tagResource, String(id), context)
  }
  serveReading(app, routes, tagResource)
  serveFavorites(app, routes, tagResource)
  legacyRoutes(app)

  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const { ids, result } = await createTags({ ...readContext(app, principal), event }, [body])
    return reply.code(201).send({ id: ids[0] as number, result: { ...body, ...result } })
  })
  serve(app, routes.bulkCreate, async ({ body, principal, event }) => ({
    result: (await createTags({ ...readContext(app, principal), event }, body.tags)).result,
  }))
  serve(app, routes.update, async ({ params, body, principal, event }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<TagView>(tagResource, params.id, context)
    await updateTag(context, row, body)
    return { id: row.id, result: body }
  })
  serve(app, routes.remove, async ({ params, principal, event }) => {
    const context = { ...readContext(app, principal), event }
    await removeTags(context, [await visibleRow<TagView>(tagResource, params.id, context)])
    return { message: 'OK' }
  })
  serve(app, routes.bulkDelete, async ({ rison, principal, event }) => {
    const names = [...new Set(rison)]
    const rows =
      names.length > 0 ? await db.selectFrom('custom_tag').selectAll().where('name', 'in', names).execute() : []
    if (rows.length !== names.length) throw new AppError('not_found')
    await removeTags({ ...readContext(app, principal), event }, rows)
    return { message: `Deleted ${rows.length} ${rows.length === 1 ? 'tag' : 'tags'}` }
  })
  serve(app, routes.objects, async ({ query, principal }) => ({
    result: await listTaggedObjects(readContext(app, principal), query),
  }))

  /** @throws AppError `not_found`, the same for missing and invisible; `missing_ownership` */
  async function taggableObject(type: string, id: number, principal: Principal): Promise<TaggableObject> {
    const kind = findKind(type)
    if (!kind) throw new AppError('not_found')
    const context = readContext(app, principal)
    await visibleRow({ kind }, id, context)
    if (!(await canTag(context, { kind, id }))) throw new AppError('missing_ownership')
    return { kind, id }
  }
  serve(app, routes.add, async ({ params, body, principal, event, reply }) => {
    const object = await taggableObject(params.type, params.id, principal)
    const names = body.properties.tags.filter((name) => name.trim() !== '').map(readTagName)
    const context = readContext(app, principal)
    await db.transaction().execute(async (trx) => {
      for (const name of new Set(names)) await addToObjects(trx, await ensureTag(trx, context, name), [object])
    })
    event.json = { type: object.kind, id: object.id, tags: names }
    return reply.code(201).send({})
  })
  serve(app, routes.removeFrom, async ({ params, principal, event }) => {
    const { kind, id } = await taggableObject(params.type, params.id, principal)
    const { through, own } = tagLink(kind)
    const deleted = await sql`delete from ${sql.table(through)} where ${sql.ref(own)} = ${id}
      and tag_id in (select id from custom_tag where name = ${params.tag})`.execute(db)
    if (Number(deleted.numAffectedRows ?? 0) === 0) throw new AppError('not_found')
    event.json = { type: kind, id, tag: params.tag }
    return { message: 'OK' }
  })
}

const typeNames = new Map<number, string>(Object.entries(tagTypes).map(([name, number]) => [number, name]))

/** `/tagview/tags/` */
function legacyRoutes(app: App): void {
  serve(app, legacyTagRoutes.tags, async ({ principal }) => {
    const context = readContext(app, principal)
    const visible = visibilityCondition('tag', context)
    const { rows } = await sql<TagView>`select * from tag where ${and(visible ? [visible] : [])} order by id`.execute(
      context.db,
    )
    const readNames = async (column: 'created_by_fk' | 'changed_by_fk') =>
      ((await userColumn<TagView>(column)(rows, context)) as (UserSummary | null)[]).map(
        (user) => user && fullName(user),
      )
    const creators = await readNames('created_by_fk')
    const authors = await readNames('changed_by_fk')
    return rows.map(({ id, name, type, changed_on }, index) => ({
      id,
      type: typeNames.get(type) ?? '',
      name,
      changed_on,
      changed_by: authors[index] ?? null,
      created_by: creators[index] ?? null,
    }))
  })
}
