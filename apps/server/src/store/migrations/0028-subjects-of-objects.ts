import { sql } from 'kysely'
import type { Columns, Migration } from '../columns.ts'

type Db = Parameters<Migration>[0]

const cascade = ((key: { onDelete(action: 'cascade'): never }) => key.onDelete('cascade')) as never

/** Links to another table that end with either row. */
async function link(
  db: Db,
  { integer }: Columns,
  name: string,
  own: string,
  ownTable: string,
  other: string,
  otherTable: string,
): Promise<void> {
  await db.schema
    .createTable(name)
    .addColumn(own, integer, (column) => column.notNull())
    .addColumn(other, integer, (column) => column.notNull())
    .addForeignKeyConstraint(`${name}_${own}`, [own] as never, ownTable, ['id'] as never, cascade)
    .addForeignKeyConstraint(`${name}_${other}`, [other] as never, otherTable, ['id'] as never, cascade)
    .addPrimaryKeyConstraint(`${name}_pk`, [own, other] as never)
    .execute()
  await db.schema.createIndex(`${name}_by_${other}`).on(name).columns([other]).execute()
}

/** PostgreSQL notifies other servers of changes (`0025-notified-changes.ts`). */
async function report(db: Db, { kind }: Columns, table: string): Promise<void> {
  if (kind === 'sqlite') return
  for (const event of ['insert', 'update', 'delete', 'truncate'])
    await sql`create trigger ${sql.ref(`report_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
      for each statement execute function parquetry_report_change('content')`.execute(db)
}

/** Roles and groups that own charts, dashboards and datasets, the viewers of charts, and groups as viewers of dashboards. */
export const subjectsOfObjects: Migration = async (db, columns) => {
  const { integer } = columns
  const others = { user: 'user', role: 'role', group: 'user_group' } as const
  const linked = async (name: string, ownTable: string, other: keyof typeof others) => {
    await link(db, columns, name, `${ownTable}_id`, ownTable, `${other}_id`, others[other])
    await report(db, columns, name)
  }
  for (const table of ['chart', 'dashboard', 'dataset'])
    for (const other of ['role', 'group'] as const) await linked(`${table}_owner_${other}`, table, other)
  await linked('chart_viewer', 'chart', 'user')
  await linked('chart_viewer_role', 'chart', 'role')
  await linked('chart_viewer_group', 'chart', 'group')
  await linked('dashboard_viewer_group', 'dashboard', 'group')

  // A row stays when the last viewer is deleted, so that this opens nothing to others.
  for (const table of ['chart', 'dashboard']) {
    const name = `${table}_restriction`
    await db.schema
      .createTable(name)
      .addColumn(`${table}_id`, integer, (column) => column.primaryKey())
      .addForeignKeyConstraint(`${name}_${table}_id`, [`${table}_id`] as never, table, ['id'] as never, cascade)
      .execute()
    await report(db, columns, name)
  }

  for (const other of ['role', 'group'] as const) {
    const name = `trash_owner_${other}`
    const column = `${other}_id`
    await db.schema
      .createTable(name)
      .addColumn('kind', 'text', (text) => text.notNull())
      .addColumn('object_id', integer, (id) => id.notNull())
      .addColumn(column, integer, (id) => id.notNull())
      .addPrimaryKeyConstraint(`${name}_pk`, [column, 'kind', 'object_id'] as never)
      .addForeignKeyConstraint(
        `${name}_trash`,
        ['kind', 'object_id'] as never,
        'trash',
        ['kind', 'object_id'] as never,
        cascade,
      )
      .addForeignKeyConstraint(`${name}_${other}`, [column] as never, others[other], ['id'] as never, cascade)
      .execute()
    await db.schema.createIndex(`${name}_by_object`).on(name).columns(['kind', 'object_id']).execute()
  }
}
