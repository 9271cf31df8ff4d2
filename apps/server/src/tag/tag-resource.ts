import { TagPost, TagPut, taggedTypes, tagTypes, type TaggedKind } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { visibilityCondition } from '../access/access.ts'
import { hasPermission } from '../access/principal.ts'
import { auditColumns, sortByUser } from '../http/column-resolvers.ts'
import { noSuchAddress } from '../http/errors.ts'
import { favoriteFilter } from '../http/favorites.ts'
import { anyContains, booleanOperator, numberFilter, textFilter, timeFilter, toOneFilter } from '../http/filters.ts'
import { relatedUsers } from '../http/related.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { hasOneTag, readPermission } from '../http/tags.ts'
import { and } from '../store/conditions.ts'
import type { TagView } from '../store/tables.ts'

export const taggedKinds = Object.keys(taggedTypes) as TaggedKind[]

/** How many objects have each tag, as far as the caller may see them. */
const countObjects: ColumnResolver<TagView> = async (rows, context) => {
  const counts = new Map<number, number>()
  const customIds = rows.filter(({ type }) => type === tagTypes.custom).map(({ id }) => id)
  for (const kind of taggedKinds.filter((each) => hasPermission(context.principal, readPermission(each)))) {
    const visible = visibilityCondition(kind, context)
    const where = and(visible ? [visible] : [])
    if (customIds.length > 0) {
      const found = await sql<{ tag_id: number; n: number }>`select link.tag_id, count(*) as n
        from ${sql.table(`${kind}_tag`)} as link join ${sql.table(kind)} on ${sql.ref(`${kind}.id`)} = link.${sql.ref(`${kind}_id`)}
        where link.tag_id in (${sql.join(customIds)}) and ${where} group by link.tag_id`.execute(context.db)
      for (const { tag_id, n } of found.rows) counts.set(tag_id, (counts.get(tag_id) ?? 0) + Number(n))
    }
    for (const { id, type } of rows) {
      if (type === tagTypes.custom) continue
      const found = await sql<{ n: number }>`select count(*) as n from ${sql.table(kind)}
        where ${and([hasOneTag(kind, [id], context.principal), where])}`.execute(context.db)
      counts.set(id, (counts.get(id) ?? 0) + Number(found.rows[0]?.n ?? 0))
    }
  }
  return rows.map(({ id }) => counts.get(id) ?? 0)
}

const columns = ['id', 'name', 'type', 'description']
const audit = [
  'changed_by.first_name',
  'changed_by.last_name',
  'changed_on_delta_humanized',
  'created_on_delta_humanized',
  'created_by.first_name',
  'created_by.last_name',
]
const unannounced = ['created_by.id', 'changed_by.id', 'changed_on', 'changed_on_utc', 'created_on']

/** Resource definition of `/api/v1/tag/`: the tags that users write, and implicit ones. */
export const tagResource: Resource<TagView> & { kind: 'tag' } = {
  kind: 'tag',
  title: 'Tag',
  view: 'Tag',
  list: { announced: [...columns, ...audit], unannounced: [...unannounced, 'object_count'] },
  show: { announced: [...columns, ...audit], unannounced: [...unannounced, 'object_count'] },
  order: {
    id: 'tag.id',
    name: sql`lower(tag.name)`,
    type: 'tag.type',
    description: 'tag.description',
    created_on: 'tag.created_on',
    changed_on: 'tag.changed_on',
    changed_on_delta_humanized: 'tag.changed_on',
    created_on_delta_humanized: 'tag.created_on',
    'created_by.first_name': sortByUser('tag.created_by_fk', 'first_name'),
    'changed_by.first_name': sortByUser('tag.changed_by_fk', 'first_name'),
  },
  defaultOrder: ['id', 'asc'],
  filters: {
    id: [...numberFilter('tag.id'), ...favoriteFilter('tag').map((each) => ({ ...each, unannounced: true as const }))],
    name: [
      ...textFilter('tag.name'),
      { ...anyContains('tag_all_text', 'All Text', ['tag.name', 'tag.description']), unannounced: true },
    ],
    type: [
      ...numberFilter('tag.type'),
      booleanOperator('custom_tag', 'Is custom tag', () => sql<SqlBool>`tag.type = ${tagTypes.custom}`),
    ],
    description: textFilter('tag.description'),
    created_by: toOneFilter('tag.created_by_fk', 'user'),
    changed_by: toOneFilter('tag.changed_by_fk', 'user'),
    created_on: timeFilter('tag.created_on'),
    changed_on: timeFilter('tag.changed_on'),
  },
  resolvers: { ...auditColumns<TagView>(), object_count: countObjects },
  related: { created_by: relatedUsers(), changed_by: relatedUsers() },
  distinct: [],
  bodies: { add: TagPost, edit: TagPut },
  oddId: noSuchAddress,
}
