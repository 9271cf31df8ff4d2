import {
  implicitTagId,
  isImplicitTagName,
  message,
  parseImplicitTagId,
  taggedTypes,
  tagTypes,
  type Message,
  type PermissionPair,
  type TaggedKind,
  type TagSummary,
} from '@parquetry/model'
import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely'
import { can } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { alwaysFalse, type Condition, or } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import { readOwnerPairs } from './column-resolvers.ts'
import { containsAnyCase, customOperator, type Filter, type FilterValue, isLinkedTo } from './filters.ts'
import { readForPage } from './page-reads.ts'
import type { ColumnResolver, ReadContext } from './resource.ts'
import { type FieldErrorCollector, replaceLinks } from './writing.ts'

/** Join table of a kind and its tags. */
export const tagLink = (kind: TaggedKind) => ({ through: `${kind}_tag`, own: `${kind}_id`, other: 'tag_id' })

const views: Readonly<Record<TaggedKind, string>> = {
  chart: 'Chart',
  dashboard: 'Dashboard',
  dataset: 'Dataset',
  saved_query: 'SavedQuery',
}

/** Returns the problem with the name of a custom tag; undefined for a valid name. */
export const findTagNameFault = (name: string): Message | undefined =>
  name === ''
    ? message('errors.tags.empty', 'Enter a name.')
    : name.includes(',')
      ? message('errors.tags.comma', 'Names of tags cannot contain commas, which separate names.')
      : isImplicitTagName(name)
        ? message('errors.tags.reserved', 'Names that begin with “type:”, “owner:” or “favorited_by:” are reserved.')
        : undefined

/** Permission to read the objects of a kind. */
export const readPermission = (kind: TaggedKind): PermissionPair => ['can_read', views[kind]]

/** Permissions to change the tags of objects of a kind; one of them is enough. */
export const tagPermissions = (kind: TaggedKind): PermissionPair[] => [
  ['can_write', 'Tag'],
  ['can_tag', views[kind]],
]

/** True when the principal may add tags to the object and remove them. */
export const canTag = async (context: ReadContext, object: { kind: TaggedKind; id: number }): Promise<boolean> =>
  (await can(context, ['can_write', 'Tag'], object)) || can(context, ['can_tag', views[object.kind]], object)

type WithId = { id: number }
type TagsById = Map<number, TagSummary[]>

async function readCustomTags(kind: TaggedKind, ids: readonly number[], { db }: ReadContext): Promise<TagsById> {
  const { through, own } = tagLink(kind)
  const { rows } = await sql<{ of: number; id: number; name: string }>`
    select link.${sql.ref(own)} as of, t.id, t.name from ${sql.table(through)} as link
    join custom_tag as t on t.id = link.tag_id where link.${sql.ref(own)} in (${sql.join(ids)})
    order by t.name, t.id`.execute(db)
  const tags: TagsById = new Map()
  for (const { of, id, name } of rows) tags.set(of, [...(tags.get(of) ?? []), { id, name, type: tagTypes.custom }])
  return tags
}

/** As `readCustomTags`, once for all columns. */
const readTagsOfRows = (kind: TaggedKind, rows: readonly WithId[], context: ReadContext): Promise<TagsById> =>
  readForPage(rows, 'custom tags', () =>
    readCustomTags(
      kind,
      rows.map(({ id }) => id),
      context,
    ),
  )

const implicit = (type: 'type' | 'owner' | 'favorited_by', of: number, value: string | number = of): TagSummary => ({
  id: implicitTagId(type, of),
  name: `${type}:${value}`,
  type: tagTypes[type],
})

/** Objects with each of their owners. */
const selectOwners = (kind: TaggedKind) =>
  kind === 'saved_query'
    ? sql`select id as of, user_id from saved_query`
    : sql`select ${sql.ref(`${kind}_id`)} as of, user_id from ${sql.table(`${kind}_owner`)}`

const readQueryOwners = (ids: readonly number[], { db }: Pick<ReadContext, 'db'>) =>
  db
    .selectFrom('saved_query')
    .select(['id as of', 'user_id'])
    .where('id', 'in', [...ids])
    .execute()

/** Tags that follow from type and owners, and from the caller's own favorites: those of others are private. */
async function readImplicitTags(
  kind: TaggedKind,
  rows: readonly WithId[],
  { db, principal }: ReadContext,
): Promise<TagsById> {
  const { number, name } = taggedTypes[kind]
  const ids = rows.map(({ id }) => id)
  const tags: TagsById = new Map(ids.map((id) => [id, [implicit('type', number, name)]]))
  const owners = kind === 'saved_query' ? await readQueryOwners(ids, { db }) : await readOwnerPairs(kind, rows, { db })
  for (const { of, user_id } of owners) tags.get(of)?.push(implicit('owner', user_id))
  if (principal.id === null || (kind !== 'chart' && kind !== 'dashboard')) return tags
  const starred = await db
    .selectFrom('favorite')
    .select('object_id')
    .where('kind', '=', kind)
    .where('user_id', '=', principal.id)
    .where('object_id', 'in', [...ids])
    .execute()
  for (const { object_id } of starred) tags.get(object_id)?.push(implicit('favorited_by', principal.id))
  return tags
}

/** Returns the names and descriptions of an object's custom tags, ordered by name. */
export async function listCustomTags(
  { db }: { db: Kysely<Tables> },
  kind: TaggedKind,
  id: number,
): Promise<{ name: string; description: string | null }[]> {
  const { through, own } = tagLink(kind)
  const { rows } = await sql<{ name: string; description: string | null }>`
    select t.name, t.description from ${sql.table(through)} as link
    join custom_tag as t on t.id = link.tag_id where link.${sql.ref(own)} = ${id} order by t.name, t.id`.execute(db)
  return rows
}

/** All tags of each object: those that users wrote, by name, then the implicit ones. */
export const tagsColumn =
  <Row extends WithId>(kind: TaggedKind): ColumnResolver<Row> =>
  async (rows, context) => {
    if (!context.hasTags || rows.length === 0) return rows.map(() => [])
    const custom = await readTagsOfRows(kind, rows, context)
    const others = await readImplicitTags(kind, rows, context)
    return rows.map(({ id }) => [...(custom.get(id) ?? []), ...(others.get(id) ?? [])])
  }

/** The tags of each object that users wrote, by name. */
export const customTagsColumn =
  <Row extends WithId>(kind: TaggedKind): ColumnResolver<Row> =>
  async (rows, context) => {
    if (!context.hasTags || rows.length === 0) return rows.map(() => [])
    const custom = await readTagsOfRows(kind, rows, context)
    return rows.map(({ id }) => custom.get(id) ?? [])
  }

function hasImplicitTag(kind: TaggedKind, tagId: number, principal: Principal): Condition {
  const tag = parseImplicitTagId(tagId)
  if (tag?.type === 'type') return tag.of === taggedTypes[kind].number ? sql<SqlBool>`1 = 1` : alwaysFalse
  if (tag?.type === 'owner')
    return sql<SqlBool>`${sql.ref(`${kind}.id`)} in (select of from (${selectOwners(kind)}) as owned where user_id = ${tag.of})`
  if (tag?.type !== 'favorited_by' || tag.of !== principal.id) return alwaysFalse
  return sql<SqlBool>`${sql.ref(`${kind}.id`)} in (select object_id from favorite where kind = ${kind} and user_id = ${tag.of})`
}

/** Condition for objects of a kind that have one of the tags. */
export const hasOneTag = (kind: TaggedKind, tagIds: readonly number[], principal: Principal): Condition =>
  or(
    tagIds.map((id) =>
      parseImplicitTagId(id) ? hasImplicitTag(kind, id, principal) : isLinkedTo(kind, tagLink(kind), id),
    ),
  )

const implicitTagName = /^(type|owner|favorited_by):(\w+)$/

/** Id of the implicit tag with this name. */
export function findImplicitTag(name: string): number | undefined {
  const [, type, of = ''] = implicitTagName.exec(name) ?? []
  if (type === 'owner' || type === 'favorited_by')
    return /^\d{1,8}$/.test(of) && Number(of) > 0 ? implicitTagId(type, Number(of)) : undefined
  const found = Object.values(taggedTypes).find((each) => each.name === of)
  return type === 'type' && found ? implicitTagId('type', found.number) : undefined
}

const readIds = (value: FilterValue): number[] =>
  [value].flat().map((each) => {
    const id = typeof each === 'boolean' || each === '' ? -1 : Number(each)
    return Number.isSafeInteger(id) ? id : -1
  })

/** Filters by a part of a tag's name, by the whole name of an implicit tag, and by one or several ids. */
export const tagsFilter = (kind: TaggedKind): Filter => {
  const { through, own } = tagLink(kind)
  const byId = (value: FilterValue, { principal }: { principal: Principal }) =>
    hasOneTag(kind, readIds(value), principal)
  return [
    customOperator(`${kind}_tags`, 'Is tagged', (value, { principal }) => {
      if (value === '') return undefined
      const implicitId = findImplicitTag(String(value))
      if (implicitId !== undefined) return hasOneTag(kind, [implicitId], principal)
      return sql<SqlBool>`${sql.ref(`${kind}.id`)} in (select link.${sql.ref(own)} from ${sql.table(through)} as link
        join custom_tag on custom_tag.id = link.tag_id where ${containsAnyCase('custom_tag.name', value)})`
    }),
    customOperator(`${kind}_tag_id`, 'Is tagged with', byId),
    customOperator('rel_m_m', 'Relation as Many', byId),
  ].map((operator) => ({ ...operator, unannounced: true as const }))
}

/**
 * Custom tags of an object after a change. Implicit tags in the request are ignored: they follow from other fields.
 * @returns undefined when nothing changes
 * @throws nothing; unknown tags, and a change without the permission, are added as a complaint
 */
export async function resolveTags(
  context: ReadContext,
  kind: 'chart' | 'dashboard',
  id: number,
  requestedIds: readonly number[] | undefined,
  errors: FieldErrorCollector,
): Promise<number[] | undefined> {
  if (requestedIds === undefined) return undefined
  const { db } = context
  const requested = [...new Set(requestedIds)]
  const known =
    requested.length > 0 ? await db.selectFrom('tag').select(['id', 'type']).where('id', 'in', requested).execute() : []
  const ids = known.filter(({ type }) => type === tagTypes.custom).map((tag) => tag.id)
  const current = ((await readCustomTags(kind, [id], context)).get(id) ?? []).map((tag) => tag.id)
  if (known.length !== requested.length)
    errors.add('tags', message('errors.tags.missing', 'Some tags do not exist. Create them first.'))
  else if (new Set([...ids, ...current]).size === current.length && ids.length === current.length) return undefined
  else if (!context.hasTags)
    errors.add(
      'tags',
      message('errors.tags.off', 'Tags are turned off. Leave the field out to save the other changes.'),
    )
  else if (!(await canTag(context, { kind, id })))
    errors.add(
      'tags',
      message(
        'errors.tags.mayNotTag',
        'You do not have permission to change tags. Leave the field out to save the other changes.',
      ),
    )
  return ids
}

/** Replaces the custom tags of an object. */
export const replaceTags = (
  trx: Transaction<Tables>,
  kind: TaggedKind,
  id: number,
  tagIds: readonly number[],
): Promise<void> => replaceLinks(trx, tagLink(kind), id, tagIds)
