import { sql } from 'kysely'
import type { Columns, Migration } from '../columns.ts'

/** API keys, invitations and second factors; devices of sessions; who made a link; which session started a job. */
export const accounts: Migration = async (db, columns) => {
  const { integer } = columns
  const idOf = (table: string) => `${table}.id`
  await columns
    .id(db.schema.createTable('api_key'))
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', integer, (column) => column.notNull().references(idOf('user')).onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key_prefix', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('scopes', 'text')
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('expires_on', 'text')
    .addColumn('revoked_on', 'text')
    .addColumn('last_used_on', 'text')
    .execute()
  await db.schema.createIndex('api_key_by_user').on('api_key').columns(['user_id']).execute()

  await db.schema.alterTable('session').addColumn('user_agent', 'text').execute()
  await db.schema.alterTable('job').addColumn('session', 'text').execute()

  await addLinkColumns(db, integer)
  await columns
    .id(db.schema.createTable('invitation'))
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('username', 'text')
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('created_by_fk', integer)
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  for (const [table, other] of [
    ['invitation_role', 'role'],
    ['invitation_group', 'user_group'],
  ] as const)
    await db.schema
      .createTable(table)
      .addColumn('invitation_id', integer, (column) =>
        column.notNull().references(idOf('invitation')).onDelete('cascade'),
      )
      .addColumn(`${table.slice('invitation_'.length)}_id`, integer, (column) =>
        column.notNull().references(idOf(other)).onDelete('cascade'),
      )
      .addPrimaryKeyConstraint(`${table}_pk`, ['invitation_id', `${table.slice('invitation_'.length)}_id`] as never)
      .execute()

  await db.schema
    .createTable('second_factor')
    .addColumn('user_id', integer, (column) => column.primaryKey().references(idOf('user')).onDelete('cascade'))
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_on', 'text', (column) => column.notNull())
    .addColumn('confirmed_on', 'text')
    .addColumn('last_step', integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('recovery_code')
    .addColumn('user_id', integer, (column) => column.notNull().references(idOf('user')).onDelete('cascade'))
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_code_pk', ['user_id', 'hash'] as never)
    .execute()
  await db.schema
    .alterTable('role')
    .addColumn('requires_second_factor', integer, (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Links of earlier versions were made on the command line and are deleted within a day. */
async function addLinkColumns(db: Parameters<Migration>[0], integer: Columns['integer']): Promise<void> {
  await db.schema.alterTable('one_time_link').addColumn('uuid', 'text').execute()
  await db.schema.alterTable('one_time_link').addColumn('created_on', 'text').execute()
  await db.schema.alterTable('one_time_link').addColumn('created_by_fk', integer).execute()
  await sql`delete from one_time_link where used_at is not null`.execute(db)
}
