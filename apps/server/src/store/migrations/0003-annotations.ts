import type { Migration } from '../columns.ts'

/** Annotations of layers. A layer with annotations cannot be deleted. */
export const annotations: Migration = async (db, { id, integer }) => {
  await id(db.schema.createTable('annotation'))
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('layer_id', integer, (column) => column.notNull().references('annotation_layer.id'))
    .addColumn('short_descr', 'text', (column) => column.notNull())
    .addColumn('long_descr', 'text')
    .addColumn('start_dttm', 'text', (column) => column.notNull())
    .addColumn('end_dttm', 'text', (column) => column.notNull())
    .addColumn('json_metadata', 'text')
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('changed_on', 'text', (column) => column.notNull())
    .addColumn('created_by_fk', integer)
    .addColumn('changed_by_fk', integer)
    .execute()
  await db.schema
    .createIndex('annotation_one_name')
    .unique()
    .on('annotation')
    .columns(['layer_id', 'short_descr'])
    .execute()
}
