import { type Kysely, sql } from 'kysely'
import type { Migration } from '../columns.ts'

/** The object of a version, since uuids of deleted objects can be reused; and the trash for deleted objects. */
export const trash: Migration = async (db, { integer }) => {
  await db.schema.alterTable('version').addColumn('object_id', integer).execute()
  await fillObjectIds(db)
  await db.schema
    .createTable('trash')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('object_id', integer, (column) => column.notNull())
    .addColumn('uuid', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('deleted_on', 'text', (column) => column.notNull())
    .addColumn('deleted_by_fk', integer)
    .addPrimaryKeyConstraint('trash_pk', ['kind', 'object_id'])
    .execute()
  await db.schema.createIndex('trash_by_deleted_on').on('trash').column('deleted_on').execute()
  await db.schema
    .createTable('trash_owner')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('object_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('trash_owner_pk', ['user_id', 'kind', 'object_id'])
    .addForeignKeyConstraint('trash_owner_trash', ['kind', 'object_id'], 'trash', ['kind', 'object_id'], (key) =>
      key.onDelete('cascade'),
    )
    .addForeignKeyConstraint('trash_owner_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
    .execute()
  await db.schema.createIndex('trash_owner_by_object').on('trash_owner').columns(['kind', 'object_id']).execute()
}

const batchRows = 200

/** Each document contains the id of its object; the document of a deletion is null, so its version gets no id. */
async function fillObjectIds(db: Kysely<Record<string, never>>): Promise<void> {
  for (let last = 0; ;) {
    const { rows } = await sql<{ id: number; document: string }>`
      select id, document from version where id > ${last} order by id limit ${batchRows}`.execute(db)
    for (const { id, document } of rows) {
      last = Number(id)
      const object = JSON.parse(document) as { id?: unknown } | null
      if (typeof object?.id === 'number')
        await sql`update version set object_id = ${object.id} where id = ${last}`.execute(db)
    }
    if (rows.length < batchRows) return
  }
}
