import type { TagSummary } from '@parquetry/model'
import { tagTypes } from '@parquetry/model/tag-types'
import { api } from '../api.ts'

/** Names of the tags that users have written. */
export const customTagNames = (tags: readonly TagSummary[] | undefined): string[] =>
  (tags ?? []).filter(({ type }) => type === tagTypes.custom).map(({ name }) => name)

/** Returns the tags with these names; those that do not exist are created. */
export async function ensureTags(names: readonly string[]): Promise<TagSummary[]> {
  const tags: TagSummary[] = []
  for (const name of names) {
    const { id } = await api.post('/api/v1/tag/', { body: { name } })
    tags.push({ id, name, type: tagTypes.custom })
  }
  return tags
}

/** Saves the tags of an object whose own call does not accept them. */
export async function saveObjectTags(
  type: 'dataset' | 'query',
  id: number,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const added = after.filter((name) => !before.includes(name))
  const removed = before.filter((name) => !after.includes(name))
  if (added.length > 0)
    await api.post('/api/v1/tag/:type/:id/', { params: { type, id }, body: { properties: { tags: added } } })
  for (const tag of removed) await api.del('/api/v1/tag/:type/:id/:tag/', { params: { type, id, tag } })
}
