import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

/** Sizes of links and page states in bytes, for quotas. Existing ones count by their characters. */
export const sizesOfLinks: Migration = async (db, { integer }) => {
  await db.schema
    .alterTable('key_value')
    .addColumn('size', integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update key_value set size = length(value)`.execute(db)
  await db.schema.createIndex('key_value_user').on('key_value').columns(['user_id', 'size']).execute()
}
