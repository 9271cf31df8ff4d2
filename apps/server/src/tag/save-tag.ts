import { AppError, message, type TagPost, type TagPut } from '@parquetry/model'
import { sql, type Transaction } from 'kysely'
import type { Tables, TagView } from '../store/tables.ts'
import { canTag, findTagNameFault, tagLink } from '../http/tags.ts'
import { authorizeChange, changedBy, createdBy, unprocessableFields, type WriteContext } from '../http/writing.ts'
import { readObjectRefs, type TaggableObject, toObjectRef, type ObjectRef } from './tagged-objects.ts'

const write = ['can_write', 'Tag'] as const

/** Trimmed name of a custom tag. @throws AppError `unprocessable` */
export function readTagName(name: string): string {
  const trimmed = name.trim()
  const fault = findTagNameFault(trimmed)
  if (fault) throw unprocessableFields({ name: [fault] })
  return trimmed
}

/** Returns the id of the custom tag with this name, which is created if it does not exist. */
export async function ensureTag(
  trx: Transaction<Tables>,
  { principal, now }: Pick<WriteContext, 'principal' | 'now'>,
  name: string,
  description: string | null = null,
): Promise<number> {
  await trx
    .insertInto('custom_tag')
    .values({ name, description, ...createdBy(principal, now) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await trx.selectFrom('custom_tag').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
}

/** Adds a tag to objects; those that have it already stay as they are. */
export async function addToObjects(
  trx: Transaction<Tables>,
  tagId: number,
  objects: readonly TaggableObject[],
): Promise<void> {
  for (const { kind, id } of objects) {
    const { through, own } = tagLink(kind)
    await sql`insert into ${sql.table(through)} (${sql.ref(own)}, tag_id) values (${id}, ${tagId})
      on conflict do nothing`.execute(trx)
  }
}

const removeFromObjects = async (
  trx: Transaction<Tables>,
  tagId: number,
  objects: readonly TaggableObject[],
): Promise<void> => {
  for (const { kind, id } of objects) {
    const { through, own } = tagLink(kind)
    await sql`delete from ${sql.table(through)} where ${sql.ref(own)} = ${id} and tag_id = ${tagId}`.execute(trx)
  }
}

interface SortedObjects {
  tagged: TaggableObject[]
  /** Objects that the caller may not change, or that do not exist. */
  skipped: TaggableObject[]
}

async function sortByPermission(context: WriteContext, objects: readonly TaggableObject[]): Promise<SortedObjects> {
  const sorted: SortedObjects = { tagged: [], skipped: [] }
  for (const object of objects) sorted[(await canTag(context, object)) ? 'tagged' : 'skipped'].push(object)
  return sorted
}

export interface TaggingResult {
  objects_tagged: ObjectRef[]
  objects_skipped: ObjectRef[]
}

interface PreparedTag extends SortedObjects {
  name: string
  description: string | null | undefined
}

/** Checks a new tag and its objects. A tag that exists keeps its description, unless the caller may change it. */
async function prepareTag(context: WriteContext, body: TagPost): Promise<PreparedTag> {
  const name = readTagName(body.name)
  const existing = await context.db.selectFrom('custom_tag').selectAll().where('name', '=', name).executeTakeFirst()
  if (existing && body.description != null && body.description !== (existing.description ?? ''))
    await authorizeChange(context, write, { kind: 'tag', id: existing.id })
  const objects = await sortByPermission(context, readObjectRefs(body.objects_to_tag ?? []))
  return { name, description: body.description, ...objects }
}

/** Creates tags and adds them to the objects that the caller may change; tags that exist are used. */
export async function createTags(
  context: WriteContext,
  bodies: readonly TagPost[],
): Promise<{ ids: number[]; result: TaggingResult }> {
  const prepared: PreparedTag[] = []
  for (const body of bodies) prepared.push(await prepareTag(context, body))
  const ids = await context.db.transaction().execute(async (trx) => {
    const created: number[] = []
    for (const { name, description, tagged } of prepared) {
      const id = await ensureTag(trx, context, name, description ?? null)
      if (description != null)
        await trx
          .updateTable('custom_tag')
          .set({ description })
          .where('id', '=', id)
          .where('description', 'is distinct from', description)
          .execute()
      await addToObjects(trx, id, tagged)
      created.push(id)
    }
    return created
  })
  context.event.json = { ids, names: prepared.map(({ name }) => name) }
  const refs = (key: keyof SortedObjects) => prepared.flatMap((each) => each[key].map(toObjectRef))
  return { ids, result: { objects_tagged: refs('tagged'), objects_skipped: refs('skipped') } }
}

/** Objects with the tag that the caller may change. */
async function listChangeable(context: WriteContext, tagId: number): Promise<TaggableObject[]> {
  const objects: TaggableObject[] = []
  for (const kind of ['chart', 'dashboard', 'dataset', 'saved_query'] as const) {
    const { through, own } = tagLink(kind)
    const { rows } = await sql<{ id: number }>`select ${sql.ref(own)} as id from ${sql.table(through)}
      where tag_id = ${tagId}`.execute(context.db)
    objects.push(...rows.map(({ id }) => ({ kind, id })))
  }
  return (await sortByPermission(context, objects)).tagged
}

/**
 * Changes name, description and objects of a custom tag. With `objects_to_tag`, other objects lose the tag, as far as the caller
 * may change them.
 */
export async function updateTag(context: WriteContext, row: TagView, body: TagPut): Promise<void> {
  await authorizeChange(context, write, { kind: 'tag', id: row.id })
  const name = body.name === undefined ? row.name : readTagName(body.name)
  const other = await context.db.selectFrom('custom_tag').select('id').where('name', '=', name).executeTakeFirst()
  if (other && other.id !== row.id)
    throw unprocessableFields({ name: [message('errors.tags.exists', 'A tag with this name already exists.')] })
  const requested = body.objects_to_tag && readObjectRefs(body.objects_to_tag)
  const { tagged } = await sortByPermission(context, requested ?? [])
  const kept = new Set(requested?.map(({ kind, id }) => `${kind} ${id}`))
  const removed = requested
    ? (await listChangeable(context, row.id)).filter(({ kind, id }) => !kept.has(`${kind} ${id}`))
    : []
  context.event.json = { id: row.id, name }
  await context.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('custom_tag')
      .set({
        name,
        ...(body.description !== undefined && { description: body.description }),
        ...changedBy(context.principal, context.now, row),
      })
      .where('id', '=', row.id)
      .execute()
    await removeFromObjects(trx, row.id, removed)
    await addToObjects(trx, row.id, tagged)
  })
}

/** Deletes custom tags, all or none. @throws AppError `missing_ownership` */
export async function removeTags(context: WriteContext, rows: readonly Pick<TagView, 'id' | 'name'>[]): Promise<void> {
  if (rows.length === 0) throw new AppError('not_found')
  for (const { id } of rows) await authorizeChange(context, write, { kind: 'tag', id })
  const ids = rows.map(({ id }) => id)
  context.event.json = { ids, names: rows.map(({ name }) => name) }
  await context.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('favorite').where('kind', '=', 'tag').where('object_id', 'in', ids).execute()
    await trx.deleteFrom('custom_tag').where('id', 'in', ids).execute()
  })
}
