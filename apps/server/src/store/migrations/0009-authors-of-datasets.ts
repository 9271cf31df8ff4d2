import type { Migration } from '../columns.ts'

/** Who saved the SQL and the expressions of a dataset; null in rows of before, where nobody knows. */
export const authorsOfDatasets: Migration = async (db, { integer }) => {
  for (const column of ['sql_by_fk', 'expressions_by_fk'])
    await db.schema.alterTable('dataset').addColumn(column, integer).execute()
}
