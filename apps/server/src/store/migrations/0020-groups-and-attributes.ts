import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from '../columns.ts'

type Db = Kysely<Record<string, never>>

/** Groups of users, attributes of users and groups, rules for users and groups, and who changed an account or role when. */
export const groupsAndAttributes: Migration = async (db, columns) => {
  const { integer } = columns
  const key = (text: 'cascade' | 'set null') => (column: { onDelete(action: typeof text): never }) =>
    column.onDelete(text)
  const link = async (name: string, own: string, ownTable: string, other: string, otherTable: string) => {
    await db.schema
      .createTable(name)
      .addColumn(own, integer, (column) => column.notNull())
      .addColumn(other, integer, (column) => column.notNull())
      .addForeignKeyConstraint(`${name}_${own}`, [own] as never, ownTable, ['id'] as never, key('cascade') as never)
      .addForeignKeyConstraint(
        `${name}_${other}`,
        [other] as never,
        otherTable,
        ['id'] as never,
        key('cascade') as never,
      )
      .addPrimaryKeyConstraint(`${name}_pk`, [own, other] as never)
      .execute()
    await db.schema.createIndex(`${name}_by_${other}`).on(name).columns([other]).execute()
  }
  const attributes = async (name: string, own: string, ownTable: string) => {
    await db.schema
      .createTable(name)
      .addColumn(own, integer, (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addForeignKeyConstraint(`${name}_${own}`, [own] as never, ownTable, ['id'] as never, key('cascade') as never)
      .addPrimaryKeyConstraint(`${name}_pk`, [own, 'name', 'value'] as never)
      .execute()
  }

  await columns
    .id(db.schema.createTable('user_group'))
    .addColumn('uuid', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('label', 'text')
    .addColumn('description', 'text')
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('changed_on', 'text', (column) => column.notNull())
    .addColumn('created_by_fk', integer)
    .addColumn('changed_by_fk', integer)
    .execute()
  await unique(db, 'user_group', 'name')
  await unique(db, 'user_group', 'uuid')
  await link('user_group_member', 'group_id', 'user_group', 'user_id', 'user')
  await link('user_group_role', 'group_id', 'user_group', 'role_id', 'role')
  await link('row_rule_user', 'row_rule_id', 'row_rule', 'user_id', 'user')
  await link('row_rule_group', 'row_rule_id', 'row_rule', 'group_id', 'user_group')
  await attributes('user_attribute', 'user_id', 'user')
  await attributes('group_attribute', 'group_id', 'user_group')

  for (const table of ['user', 'role']) {
    await db.schema.alterTable(table).addColumn('uuid', 'text').execute()
    await db.schema.alterTable(table).addColumn('created_by_fk', integer).execute()
    await db.schema.alterTable(table).addColumn('changed_by_fk', integer).execute()
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}`.execute(db)
    for (const { id } of rows)
      await sql`update ${sql.table(table)} set uuid = ${randomUUID()} where id = ${id}`.execute(db)
    await unique(db, table, 'uuid')
  }
  await db.schema
    .alterTable('user')
    .addColumn('fail_login_count', integer, (column) => column.notNull().defaultTo(0))
    .execute()
  const now = new Date().toISOString().slice(0, 23)
  for (const column of ['created_on', 'changed_on'])
    await db.schema
      .alterTable('role')
      .addColumn(column, 'text', (text) => text.notNull().defaultTo(now))
      .execute()

  // The id of a subject contains its type, so subjects need no rows of their own.
  await sql`create view subject as
    select 4 * id + 1 as id, uuid, trim(first_name || ' ' || last_name) as label, email as secondary_label, 1 as type, active,
      username as extra_search, id as user_id, cast(null as bigint) as role_id, cast(null as bigint) as group_id,
      created_on, changed_on, changed_by_fk from "user"
    union all
    select 4 * id + 2, uuid, name, '', 2, cast(null as bigint), '', cast(null as bigint), id, cast(null as bigint),
      created_on, changed_on, changed_by_fk from role
    union all
    select 4 * id + 3, uuid, coalesce(nullif(label, ''), name), coalesce(description, ''), 3, cast(null as bigint), name,
      cast(null as bigint), cast(null as bigint), id, created_on, changed_on, changed_by_fk from user_group`.execute(db)
}

const unique = (db: Db, table: string, column: string) =>
  db.schema.createIndex(`${table}_one_${column}`).unique().on(table).columns([column]).execute()
