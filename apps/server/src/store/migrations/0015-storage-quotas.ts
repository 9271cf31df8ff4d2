import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

/**
 * Size in bytes and owner of tables loaded from files, for quotas. The owner of an existing one is the author of its dataset; the
 * server reads its size at the start.
 */
export const storageQuotas: Migration = async (db, { integer }) => {
  for (const column of ['size', 'created_by_fk'])
    await db.schema.alterTable('embedded_table').addColumn(column, integer).execute()
  await sql`
    update embedded_table set created_by_fk = (
      select min(dataset.created_by_fk) from dataset
      where dataset.database_id = embedded_table.database_id and dataset.table_name = embedded_table.name
        and dataset.sql is null)
    where file like 'upload-%'`.execute(db)
  await db.schema.createIndex('dashboard_file_author').on('dashboard_file').columns(['created_by_fk', 'size']).execute()
}
