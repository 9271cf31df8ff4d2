import { sql, type SqlBool } from 'kysely'
import { type Filter, type FilterValue, customOperator } from '../http/filters.ts'
import type { ColumnResolver } from '../http/resource.ts'

/** The API's number for tags that users assign; the system tags of the API do not exist here. */
const custom = 1

/** Tags of each saved query, sorted by name. */
export const tagsColumn: ColumnResolver<{ id: number }> = async (rows, { db }) => {
  const ids = rows.map(({ id }) => id)
  const found = await db
    .selectFrom('saved_query_tag')
    .innerJoin('tag', 'tag.id', 'saved_query_tag.tag_id')
    .select(['saved_query_id', 'tag.id', 'tag.name'])
    .where('saved_query_id', 'in', [...ids, -1])
    .orderBy('tag.name')
    .execute()
  return ids.map((queryId) =>
    found.flatMap(({ saved_query_id, id, name }) => (saved_query_id === queryId ? [{ id, name, type: custom }] : [])),
  )
}

const hasTag = (condition: ReturnType<typeof sql>) =>
  sql<SqlBool>`saved_query.id in (select t.saved_query_id from saved_query_tag as t
    join tag on tag.id = t.tag_id where ${condition})`

const containsPattern = (value: FilterValue): string =>
  `%${String(value)
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')}%`

/** Filters by a part of a tag's name, or by its id. */
export const tagsFilter: Filter = [
  customOperator('saved_query_tags', 'Is tagged', (value) =>
    value === '' ? undefined : hasTag(sql`lower(tag.name) like ${containsPattern(value)} escape '\\'`),
  ),
  customOperator('saved_query_tag_id', 'Is tagged with', (value) =>
    hasTag(sql`tag.id = ${Math.trunc(Number(value)) || -1}`),
  ),
]
