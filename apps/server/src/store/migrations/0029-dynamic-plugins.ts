import type { Migration } from '../columns.ts'

/** Chart types that administrators add: name, `viz_type`, settings and module with its SHA-256. */
export const dynamicPlugins: Migration = async (db, { id, integer }) => {
  await id(db.schema.createTable('dynamic_plugin'))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('viz_type', 'text', (column) => column.notNull().unique())
    .addColumn('form', 'text', (column) => column.notNull())
    .addColumn('module', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('changed_on', 'text', (column) => column.notNull())
    .addColumn('created_by_fk', integer)
    .addColumn('changed_by_fk', integer)
    .execute()
}
