import { randomUUID } from 'node:crypto'
import { databaseNotInBundle, formatAlreadyExists, createFieldReader } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'

/**
 * Imports a saved query as owned by the importing user. If another user owns the UUID, their query is unchanged and the import is
 * a copy with a new UUID.
 */
export async function importSavedQuery(
  document: Record<string, unknown>,
  path: string,
  context: ImportContext,
): Promise<void> {
  const { db, ids, authorId, at } = context
  const fields = createFieldReader(document, path)
  const uuid = fields.required('uuid')
  const found = await db.selectFrom('saved_query').select(['id', 'user_id']).where('uuid', '=', uuid).executeTakeFirst()
  const ownQuery = found?.user_id === authorId ? found : undefined
  if (ownQuery && !context.overwrite) {
    context.problems[path] = formatAlreadyExists('Saved_Queries')
    return
  }
  const db_id = ids.databases.get(fields.required('database_uuid'))
  if (db_id === undefined) {
    context.problems[path] = { database_uuid: [databaseNotInBundle] }
    return
  }
  const row = {
    db_id,
    catalog: fields.text('catalog'),
    schema: fields.text('schema'),
    label: fields.text('label'),
    description: fields.text('description'),
    sql: fields.required('sql'),
    sql_tables: null,
    changed_on: at,
    changed_by_fk: authorId,
  }
  if (ownQuery) {
    await db.updateTable('saved_query').set(row).where('id', '=', ownQuery.id).execute()
    return
  }
  const creationFields = {
    uuid: found ? randomUUID() : uuid,
    user_id: authorId ?? -1,
    created_on: at,
    created_by_fk: authorId,
  }
  await db
    .insertInto('saved_query')
    .values({ ...row, ...creationFields })
    .execute()
}
