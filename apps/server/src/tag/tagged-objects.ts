import { message, taggedTypes, tagTypes, type TaggedKind, type TaggedObject, type TagSummary } from '@parquetry/model'
import { sql } from 'kysely'
import { visibilityCondition } from '../access/access.ts'
import { hasPermission } from '../access/principal.ts'
import { chartUrl } from '../chart/chart-resource.ts'
import { dashboardUrl } from '../dashboard/dashboard-url.ts'
import { fullName, ownersColumn, userColumn, type UserSummary } from '../http/column-resolvers.ts'
import type { ReadContext } from '../http/resource.ts'
import { findImplicitTag, hasOneTag, readPermission, tagsColumn } from '../http/tags.ts'
import { unprocessableFields } from '../http/writing.ts'
import { and } from '../store/conditions.ts'
import { taggedKinds } from './tag-resource.ts'

export interface TaggableObject {
  kind: TaggedKind
  id: number
}
export type ObjectRef = [type: string | number, id: number]

/** Kind of a type in the API: a number, or a name such as `dashboard`; undefined for others. */
export const findKind = (type: string | number): TaggedKind | undefined =>
  taggedKinds.find((kind) => {
    const { number, name } = taggedTypes[kind]
    return [kind, name, String(number)].includes(String(type).toLowerCase())
  })

/** @throws AppError `unprocessable` for an unknown type or an id that is not a number */
export const readObjectRefs = (refs: readonly ObjectRef[]): TaggableObject[] =>
  refs.map(([type, id]) => {
    const kind = findKind(type)
    if (kind && Number.isSafeInteger(id)) return { kind, id }
    throw unprocessableFields({
      objects_to_tag: [
        message(
          'errors.tags.objectType',
          'Each object must be a type and an ID, such as ["chart", 1]. Types are chart, dashboard, dataset and query.',
        ),
      ],
    })
  })

export const toObjectRef = ({ kind, id }: TaggableObject): ObjectRef => [taggedTypes[kind].name, id]

/** Largest number of objects of one kind that are listed, the ones changed last. */
const maxObjects = 1000

interface ObjectRow {
  id: number
  name: string | null
  changed_on: string
  created_by_fk: number | null
  slug: string | null
}

const names: Readonly<Record<TaggedKind, string>> = {
  chart: 'slice_name',
  dashboard: 'dashboard_title',
  dataset: 'table_name',
  saved_query: 'label',
}

function objectUrl(kind: TaggedKind, row: ObjectRow): string {
  if (kind === 'chart') return chartUrl(row.id)
  if (kind === 'dashboard') return dashboardUrl(row)
  if (kind === 'dataset') return `/explore/?datasource_type=table&datasource_id=${row.id}`
  return `/superset/sqllab/?savedQueryId=${row.id}`
}

const typeNames = new Map<number, string>(Object.entries(tagTypes).map(([name, number]) => [number, name]))

/** Objects of a kind that have one of the tags, as far as the caller may see them. */
async function listOfKind(kind: TaggedKind, tagIds: readonly number[], context: ReadContext): Promise<TaggedObject[]> {
  const { db, principal } = context
  if (!hasPermission(principal, readPermission(kind))) return []
  const visible = visibilityCondition(kind, context)
  const conditions = [hasOneTag(kind, tagIds, principal), ...(visible ? [visible] : [])]
  const slug = kind === 'dashboard' ? sql.ref('dashboard.slug') : sql`null`
  const { rows } =
    await sql<ObjectRow>`select id, ${sql.ref(names[kind])} as name, changed_on, created_by_fk, ${slug} as slug
    from ${sql.table(kind)} where ${and(conditions)} order by changed_on desc, id desc limit ${maxObjects}`.execute(db)
  const creators = (await userColumn<ObjectRow>('created_by_fk')(rows, context)) as (UserSummary | null)[]
  const tags = (await tagsColumn<ObjectRow>(kind)(rows, context)) as TagSummary[][]
  const owners =
    kind === 'saved_query'
      ? creators.map((user) => (user ? [user] : []))
      : await ownersColumn<ObjectRow>(kind)(rows, context)
  return rows.map((row, index) => {
    const creator = creators[index] ?? null
    return {
      id: row.id,
      type: taggedTypes[kind].name,
      name: row.name ?? '',
      url: objectUrl(kind, row),
      changed_on: row.changed_on,
      created_by: creator,
      creator: creator ? fullName(creator) : '',
      tags: (tags[index] ?? []).map((tag) => ({ ...tag, type: typeNames.get(tag.type) ?? '' })),
      owners: (owners[index] ?? []) as UserSummary[],
    }
  })
}

const splitList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Ids of the named tags; names of tags that do not exist are left out. */
async function findTagIds({ db }: ReadContext, tagNames: readonly string[]): Promise<number[]> {
  if (tagNames.length === 0) return []
  const found = await db
    .selectFrom('custom_tag')
    .select('id')
    .where('name', 'in', [...tagNames])
    .execute()
  const implicit = tagNames.map(findImplicitTag).filter((id) => id !== undefined)
  return [...found.map(({ id }) => id), ...implicit]
}

/** `GET /api/v1/tag/get_objects/`: objects that have one of the tags, by kind; of each kind the 1,000 that were changed last. */
export async function listTaggedObjects(
  context: ReadContext,
  query: { tags?: string | undefined; tagIds?: string | undefined; types?: string | undefined },
): Promise<TaggedObject[]> {
  const ids = splitList(query.tagIds).filter((id) => /^\d{1,10}$/.test(id))
  const tagIds = [...new Set([...(await findTagIds(context, splitList(query.tags))), ...ids.map(Number)])]
  const requested = splitList(query.types)
  const kinds =
    requested.length === 0
      ? taggedKinds
      : taggedKinds.filter((kind) => requested.some((type) => findKind(type) === kind))
  const objects: TaggedObject[] = []
  if (tagIds.length > 0) for (const kind of kinds) objects.push(...(await listOfKind(kind, tagIds, context)))
  return objects
}
