import type { Migration } from '../columns.ts'

/** Access of single users to dashboards and data, and their requests for it. */
export const sharing: Migration = async (db, columns) => {
  const { integer } = columns
  const link = async (name: string, own: string, ownTable: string, other: string, otherTable: string) => {
    const cascade = (key: { onDelete(action: 'cascade'): never }) => key.onDelete('cascade')
    await db.schema
      .createTable(name)
      .addColumn(own, integer, (column) => column.notNull())
      .addColumn(other, integer, (column) => column.notNull())
      .addForeignKeyConstraint(`${name}_${own}`, [own] as never, ownTable, ['id'] as never, cascade as never)
      .addForeignKeyConstraint(`${name}_${other}`, [other] as never, otherTable, ['id'] as never, cascade as never)
      .addPrimaryKeyConstraint(`${name}_pk`, [own, other] as never)
      .execute()
    await db.schema.createIndex(`${name}_by_${other}`).on(name).columns([other]).execute()
  }
  await link('user_permission', 'user_id', 'user', 'permission_id', 'permission')
  await link('dashboard_viewer', 'dashboard_id', 'dashboard', 'user_id', 'user')
  await columns
    .id(db.schema.createTable('access_request'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('object_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addForeignKeyConstraint(
      'access_request_user',
      ['user_id'] as never,
      'user',
      ['id'] as never,
      ((key: { onDelete(action: 'cascade'): never }) => key.onDelete('cascade')) as never,
    )
    .execute()
  await db.schema
    .createIndex('access_request_one')
    .unique()
    .on('access_request')
    .columns(['kind', 'object_id', 'user_id'])
    .execute()
}
