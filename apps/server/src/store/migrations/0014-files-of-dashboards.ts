import type { Migration } from '../columns.ts'

/** Images in the texts of dashboards. They stay while a dashboard is in the trash, so no foreign key deletes them. */
export const filesOfDashboards: Migration = async (db, { integer, bytes }) => {
  await db.schema
    .createTable('dashboard_file')
    .addColumn('dashboard_id', integer, (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('media_type', 'text', (column) => column.notNull())
    .addColumn('width', integer)
    .addColumn('height', integer)
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('created_by_fk', integer)
    .addColumn('bytes', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('dashboard_file_pk', ['dashboard_id', 'hash'])
    .execute()
}
