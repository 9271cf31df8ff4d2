import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

/** Values of columns were offered whatever a dataset said: those of before go on so. */
export const valuesAreOffered: Migration = async (db) => {
  await sql`UPDATE dataset SET filter_select_enabled = 1`.execute(db)
}
