import type { Migration } from '../columns.ts'

/** Which server a job and a run of SQL Lab belong to; null in rows of before. */
export const owners: Migration = async (db) => {
  for (const table of ['job', 'query']) await db.schema.alterTable(table).addColumn('owner', 'text').execute()
}
