import type { Bundle } from '@parquetry/bundle'
import { findTagNameFault, replaceTags } from '../http/tags.ts'
import { createFieldReader } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'

const path = 'tags.yaml'
const maxNameLength = 250

/** Descriptions of the tags of a bundle, by name. @throws AppError `unprocessable` for a file that lists no tags */
export function readTagDescriptions({ files }: Pick<Bundle, 'files'>): Map<string, string | null> {
  const tags = createFieldReader(files.get(path) ?? {}, path).list('tags')
  return new Map(
    tags.map((tag) => {
      const fields = createFieldReader(tag, path)
      return [fields.required('tag_name'), fields.text('description')]
    }),
  )
}

/**
 * Replaces the tags of an object by those of its document, or keeps them if the document has no list of tags. Names that custom
 * tags cannot have are left out, and so are new tags that the caller may not add.
 */
export async function importTags(
  document: Record<string, unknown>,
  documentPath: string,
  { kind, id }: { kind: 'chart' | 'dashboard'; id: number },
  context: ImportContext,
): Promise<void> {
  const names = createFieldReader(document, documentPath).texts('tags')
  if (names === null || !context.taggedKinds.includes(kind)) return
  const valid = names.map((name) => name.trim().slice(0, maxNameLength)).filter((name) => !findTagNameFault(name))
  const ids: number[] = []
  for (const name of new Set(valid)) {
    const tagId = await findOrAddTag(name, context)
    if (tagId !== undefined) ids.push(tagId)
    await context.yielder.yieldIfDue()
  }
  await replaceTags(context.db, kind, id, ids)
}

async function findOrAddTag(
  name: string,
  { db, authorId, at, mayAddTags, tagDescriptions }: ImportContext,
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
