import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Migration } from '../columns.ts'

/** Identities of row-level security rules, and whether their condition was checked against their tables. */
export const checkedRules: Migration = async (db, { integer }) => {
  await db.schema.alterTable('row_rule').addColumn('uuid', 'text').execute()
  await db.schema
    .alterTable('row_rule')
    .addColumn('is_checked', integer, (column) => column.notNull().defaultTo(1))
    .execute()
  const { rows } = await sql<{ id: number }>`select id from row_rule`.execute(db)
  for (const { id } of rows) await sql`update row_rule set uuid = ${randomUUID()} where id = ${id}`.execute(db)
  await db.schema.createIndex('row_rule_uuid').unique().on('row_rule').columns(['uuid']).execute()
}
