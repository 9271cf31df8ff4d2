import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

/** Themes, and the theme of each dashboard. At most one theme is the system's default one, and one the dark one. */
export const themes: Migration = async (db, { kind, id, integer }) => {
  let table = id(db.schema.createTable('theme'))
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('theme_name', 'text', (column) => column.notNull())
    .addColumn('json_data', 'text', (column) => column.notNull())
  for (const flag of ['is_system', 'is_system_default', 'is_system_dark'])
    table = table.addColumn(flag, integer, (column) => column.notNull().defaultTo(0))
  await table
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('changed_on', 'text', (column) => column.notNull())
    .addColumn('created_by_fk', integer)
    .addColumn('changed_by_fk', integer)
    .execute()
  for (const flag of ['is_system_default', 'is_system_dark'])
    await sql`create unique index ${sql.ref(`theme_one_${flag}`)} on theme (${sql.ref(flag)})
      where ${sql.ref(flag)} = 1`.execute(db)
  await db.schema
    .alterTable('dashboard')
    .addColumn('theme_id', integer, (column) => column.references('theme.id').onDelete('set null'))
    .execute()
  await db.schema.createIndex('dashboard_by_theme_id').on('dashboard').column('theme_id').execute()
  if (kind === 'postgres')
    for (const event of ['insert', 'update', 'delete', 'truncate'])
      await sql`create trigger ${sql.ref(`report_${event}`)} after ${sql.raw(event)} on theme
        for each statement execute function parquetry_report_change('content')`.execute(db)
}
