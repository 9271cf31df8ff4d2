import type { Migration } from '../columns.ts'

/** CSS templates, annotation layers, and dashboards that may be embedded in other pages. */
export const smallResources: Migration = async (db, { id, integer }) => {
  for (const [name, fields] of [
    ['css_template', ['template_name', 'css']],
    ['annotation_layer', ['name', 'descr']],
  ] as const) {
    let table = id(db.schema.createTable(name)).addColumn('uuid', 'text', (column) => column.notNull().unique())
    for (const field of fields) table = table.addColumn(field, 'text')
    await table
      .addColumn('created_on', 'text', (column) => column.notNull())
      .addColumn('changed_on', 'text', (column) => column.notNull())
      .addColumn('created_by_fk', integer)
      .addColumn('changed_by_fk', integer)
      .execute()
  }
  await db.schema.createIndex('annotation_layer_one_name').unique().on('annotation_layer').column('name').execute()
  await db.schema
    .createTable('embedded_dashboard')
    .addColumn('uuid', 'text', (column) => column.primaryKey())
    .addColumn('dashboard_id', integer, (column) =>
      column.notNull().unique().references('dashboard.id').onDelete('cascade'),
    )
    .addColumn('allowed_domains', 'text', (column) => column.notNull())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('changed_on', 'text', (column) => column.notNull())
    .addColumn('created_by_fk', integer)
    .addColumn('changed_by_fk', integer)
    .execute()
}
