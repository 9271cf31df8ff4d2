import type { Migration } from '../columns.ts'

/** The server that a job or a run of SQL Lab belongs to; null in older rows. */
export const owners: Migration = async (db) => {
  for (const table of ['job', 'query']) await db.schema.alterTable(table).addColumn('owner', 'text').execute()
}
