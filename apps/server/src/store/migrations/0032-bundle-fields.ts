import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

const tables = [
  'theme',
  'css_template',
  'annotation_layer',
  'database',
  'dataset',
  'dataset_column',
  'dataset_metric',
  'chart',
  'dashboard',
  'saved_query',
]

/** Fields of imported documents that the product does not know, as JSON text. */
export const bundleFields: Migration = async (db, { kind }) => {
  for (const table of tables) await db.schema.alterTable(table).addColumn('other_fields', 'text').execute()
  if (kind === 'sqlite') return
  // Of this table, only updates of listed columns are reported to other servers.
  await sql`drop trigger report_update on saved_query`.execute(db)
  const { rows } = await sql<{ column: string }>`select quote_ident(column_name) as column
    from information_schema.columns where table_schema = current_schema() and table_name = 'saved_query'
      and column_name not in ('rows', 'last_run', 'sql_tables')`.execute(db)
  await sql`create trigger report_update
    after update of ${sql.raw(rows.map(({ column }) => column).join(', '))} on saved_query
    for each statement execute function parquetry_report_change('content')`.execute(db)
}
