import type { Migration } from '../columns.ts'

/** Named filter states of a dashboard, owned by a user or by the dashboard. */
export const filterSets: Migration = async (db, { id, integer }) => {
  await id(db.schema.createTable('filter_set'))
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('owner_type', 'text', (column) => column.notNull())
    .addColumn('owner_id', integer, (column) => column.notNull())
    .addColumn('dashboard_id', integer, (column) => column.notNull().references('dashboard.id').onDelete('cascade'))
    .addColumn('json_metadata', 'text', (column) => column.notNull())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('changed_on', 'text', (column) => column.notNull())
    .addColumn('created_by_fk', integer)
    .addColumn('changed_by_fk', integer)
    .execute()
  await db.schema.createIndex('filter_set_dashboard').on('filter_set').columns(['dashboard_id']).execute()
}
