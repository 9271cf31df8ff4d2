import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

/** Values of columns were offered regardless of this setting: existing datasets keep offering them. */
export const valuesAreOffered: Migration = async (db) => {
  await sql`UPDATE dataset SET filter_select_enabled = 1`.execute(db)
}
