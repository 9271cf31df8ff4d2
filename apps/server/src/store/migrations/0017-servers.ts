import type { Migration } from '../columns.ts'

/** Servers that share a store, with the time of the database when each was last seen, in milliseconds. */
export const servers: Migration = async (db, { integer }) => {
  await db.schema
    .createTable('server')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('seen_at', integer, (column) => column.notNull())
    .execute()
}
