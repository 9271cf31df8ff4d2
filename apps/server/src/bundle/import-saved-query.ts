import { exportSavedQuery } from './export-documents.ts'
import { createFieldReader, databaseNotInBundle, fileProblem } from './fields.ts'
import type { KindImporter, ReadScope } from './import-scope.ts'
import { pickOtherFields } from './other-fields.ts'

const knownFields = ['catalog', 'schema', 'label', 'description', 'sql', 'uuid', 'version', 'database_uuid']

function readContent(document: Record<string, unknown>, path: string, { references }: ReadScope) {
  const fields = createFieldReader(document, path)
  const db_id = references.databases.get(fields.required('database_uuid'))
  if (db_id === undefined) throw fileProblem(path, { database_uuid: [databaseNotInBundle] })
  return {
    db_id,
    catalog: fields.text('catalog'),
    schema: fields.text('schema'),
    label: fields.text('label'),
    description: fields.text('description'),
    sql: fields.required('sql'),
    other_fields: pickOtherFields(document, knownFields),
  }
}

/** Imports a saved query as owned by the importing user. */
export const savedQueryImporter: KindImporter<ReturnType<typeof readContent>> = {
  kind: 'saved_query',
  read: readContent,

  async readStored(db, { id }, scope) {
    const row = await db.selectFrom('saved_query').selectAll().where('id', '=', id).executeTakeFirst()
    const database =
      row && row.db_id !== null
        ? await db.selectFrom('database').select(['id', 'uuid']).where('id', '=', row.db_id).executeTakeFirst()
        : undefined
    if (!row || !database) return undefined
    const databases = new Map([[database.uuid, database.id]])
    const references = { ...scope.references, databases }
    return readContent(exportSavedQuery(row, database.uuid), '', { ...scope, references })
  },

  async create(content, identity, { db, authorId, at }) {
    const creation = { ...identity, user_id: authorId ?? -1, sql_tables: null, created_on: at, created_by_fk: authorId }
    const { id } = await db
      .insertInto('saved_query')
      .values({ ...content, ...creation, changed_on: at, changed_by_fk: authorId })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },

  async replace(content, { id }, { db, authorId, at }) {
    await db
      .updateTable('saved_query')
      .set({ ...content, sql_tables: null, changed_on: at, changed_by_fk: authorId })
      .where('id', '=', id)
      .execute()
  },
}
