import type { Migration } from '../columns.ts'

/** Tabs and table panels of SQL Lab, tags and schedules of saved queries, and the tables that SQL reads. */
export const editorTabs: Migration = async (db, { id, integer }) => {
  await id(db.schema.createTable('tab_state'))
    .addColumn('user_id', integer, (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('label', 'text')
    .addColumn('active', integer, (column) => column.notNull())
    .addColumn('database_id', integer, (column) => column.references('database.id').onDelete('set null'))
    .addColumn('catalog', 'text')
    .addColumn('schema', 'text')
    .addColumn('sql', 'text')
    .addColumn('query_limit', integer)
    .addColumn('latest_query_id', 'text')
    .addColumn('autorun', integer, (column) => column.notNull())
    .addColumn('template_params', 'text')
    .addColumn('hide_left_bar', integer, (column) => column.notNull())
    .addColumn('saved_query_id', integer, (column) => column.references('saved_query.id').onDelete('set null'))
    .addColumn('extra_json', 'text', (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('changed_on', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tab_state_by_user_id').on('tab_state').column('user_id').execute()
  await id(db.schema.createTable('tab_table'))
    .addColumn('tab_state_id', integer, (column) => column.notNull().references('tab_state.id').onDelete('cascade'))
    .addColumn('database_id', integer, (column) => column.notNull().references('database.id').onDelete('cascade'))
    .addColumn('catalog', 'text')
    .addColumn('schema', 'text')
    .addColumn('table', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('expanded', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tab_table_by_tab_state_id').on('tab_table').column('tab_state_id').execute()

  await id(db.schema.createTable('tag'))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('saved_query_tag')
    .addColumn('saved_query_id', integer, (column) => column.notNull().references('saved_query.id').onDelete('cascade'))
    .addColumn('tag_id', integer, (column) => column.notNull().references('tag.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('saved_query_tag_pk', ['saved_query_id', 'tag_id'] as never)
    .execute()
  await db.schema.createIndex('saved_query_tag_by_tag_id').on('saved_query_tag').column('tag_id').execute()

  await db.schema
    .createTable('query_schedule')
    .addColumn('saved_query_id', integer, (column) =>
      column.primaryKey().references('saved_query.id').onDelete('cascade'),
    )
    .addColumn('next_at', 'text')
    .addColumn('last_at', 'text')
    .addColumn('last_status', 'text')
    .addColumn('last_error', 'text')
    .addColumn('last_client_id', 'text')
    .execute()
  await db.schema.createIndex('query_schedule_by_next_at').on('query_schedule').column('next_at').execute()

  await db.schema
    .createIndex('query_by_user_id_sql_editor_id')
    .on('query')
    .columns(['user_id', 'sql_editor_id'] as never)
    .execute()
  await db.schema
    .createIndex('saved_query_by_db_id')
    .on('saved_query')
    .column('db_id' as never)
    .execute()
  await db.schema.alterTable('query').addColumn('sql_tables', 'text').execute()
  await db.schema.alterTable('saved_query').addColumn('sql_tables', 'text').execute()
}
