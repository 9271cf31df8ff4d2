import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

/** SSH tunnels, certificates, the last test of a connection, and masks in place of stored secrets. */
export const connections: Migration = async (db, { integer }) => {
  await db.schema.alterTable('database').addColumn('ssh_tunnel', 'text').execute()
  await db.schema
    .alterTable('database')
    .addColumn('has_server_cert', integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('database').addColumn('last_test', 'text').execute()
  const { rows } = await sql<{
    id: number
    settings: string
  }>`select id, settings from "database" where secrets is not null`.execute(db)
  for (const { id, settings } of rows) {
    const masked = JSON.stringify({ ...(JSON.parse(settings) as object), password: 'XXXXXXXXXX' })
    await sql`update "database" set settings = ${masked} where id = ${id}`.execute(db)
  }
}
