import type { Migration } from '../columns.ts'

/** The users who saved the SQL and the expressions of a dataset; null in older rows, where they are unknown. */
export const authorsOfDatasets: Migration = async (db, { integer }) => {
  for (const column of ['sql_by_fk', 'expressions_by_fk'])
    await db.schema.alterTable('dataset').addColumn(column, integer).execute()
}
