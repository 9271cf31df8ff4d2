import type { BundleSource } from '@parquetry/bundle'
import { findTagNameFault, replaceTags } from '../http/tags.ts'
import { createFieldReader } from './fields.ts'
import type { WriteScope } from './import-scope.ts'

const path = 'tags.yaml'
const maxNameLength = 250

/** Descriptions of the tags of a bundle, by name. @throws AppError `unprocessable` for a file that lists no tags */
export async function readTagDescriptions(source: BundleSource): Promise<Map<string, string | null>> {
  if (!source.paths.includes(path)) return new Map()
  const tags = createFieldReader(await source.read(path), path).list('tags')
  return new Map(
    tags.map((tag) => {
      const fields = createFieldReader(tag, path)
      return [fields.required('tag_name'), fields.text('description')]
    }),
  )
}

/**
 * Names of the tags of an object, in order; null if the document has no list of them. Names that custom tags cannot have are left
 * out.
 */
export function readTagNames(document: Record<string, unknown>, documentPath: string): string[] | null {
  const names = createFieldReader(document, documentPath).texts('tags')
  const valid = names?.map((name) => name.trim().slice(0, maxNameLength)).filter((name) => !findTagNameFault(name))
  return valid ? [...new Set(valid)].toSorted() : null
}

/** Replaces the tags of an object; null keeps them. New tags that the importer may not add are left out. */
export async function writeTags(
  names: string[] | null,
  { kind, id }: { kind: 'chart' | 'dashboard'; id: number },
  scope: WriteScope,
): Promise<void> {
  if (names === null || !scope.taggedKinds.includes(kind)) return
  const ids: number[] = []
  for (const name of names) {
    const tagId = await findOrAddTag(name, scope)
    if (tagId !== undefined) ids.push(tagId)
    await scope.yielder.yieldIfDue()
  }
  await replaceTags(scope.db, kind, id, ids)
}

async function findOrAddTag(
  name: string,
  { db, authorId, at, mayAddTags, tagDescriptions }: WriteScope,
): Promise<number | undefined> {
  const description = tagDescriptions.get(name) ?? null
  const author = { created_on: at, changed_on: at, created_by_fk: authorId, changed_by_fk: authorId }
  if (mayAddTags)
    await db
      .insertInto('custom_tag')
      .values({ name, description, ...author })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  return (await db.selectFrom('custom_tag').select('id').where('name', '=', name).executeTakeFirst())?.id
}
