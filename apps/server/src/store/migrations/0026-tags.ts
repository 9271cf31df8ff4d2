import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

const links: readonly (readonly [table: string, own: string, ownTable: string])[] = [
  ['chart_tag', 'chart_id', 'chart'],
  ['dashboard_tag', 'dashboard_id', 'dashboard'],
  ['dataset_tag', 'dataset_id', 'dataset'],
]

/**
 * Tags of charts, dashboards and datasets. The tags that users write move to `custom_tag`, and the view `tag` adds those that follow
 * from other rows: type, owners and favorites. Their ids contain the id of the user, so they need no rows.
 */
export const tags: Migration = async (db, { kind, integer }) => {
  await db.schema.alterTable('tag').renameTo('custom_tag').execute()
  await db.schema.alterTable('custom_tag').addColumn('description', 'text').execute()
  await db.schema
    .alterTable('custom_tag')
    .addColumn('changed_on', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  for (const column of ['created_by_fk', 'changed_by_fk'])
    await db.schema.alterTable('custom_tag').addColumn(column, integer).execute()
  await sql`update custom_tag set changed_on = created_on`.execute(db)

  for (const [name, own, ownTable] of links) {
    await db.schema
      .createTable(name)
      .addColumn(own, integer, (column) => column.notNull().references(`${ownTable}.id`).onDelete('cascade'))
      .addColumn('tag_id', integer, (column) => column.notNull().references('custom_tag.id').onDelete('cascade'))
      .addPrimaryKeyConstraint(`${name}_pk`, [own, 'tag_id'] as never)
      .execute()
    await db.schema.createIndex(`${name}_by_tag_id`).on(name).columns(['tag_id']).execute()
    if (kind === 'postgres')
      for (const event of ['insert', 'update', 'delete', 'truncate'])
        await sql`create trigger ${sql.ref(`report_${event}`)} after ${sql.raw(event)} on ${sql.table(name)}
          for each statement execute function parquetry_report_change('content')`.execute(db)
  }

  await sql`create view tag as
    select id, name, 1 as type, description, created_on, changed_on, created_by_fk, changed_by_fk from custom_tag
    union all
    select cast(900000000 + n as bigint), name, 2, cast(null as text), first.at, first.at, cast(null as bigint),
      cast(null as bigint) from (select 1 as n, 'type:query' as name union all select 2, 'type:chart'
        union all select 3, 'type:dashboard' union all select 4, 'type:dataset') as types,
      (select coalesce(min(created_on), '2020-01-01T00:00:00.000') as at from "user") as first
    union all
    select 1000000000 + id, 'owner:' || id, 3, cast(null as text), created_on, created_on, cast(null as bigint),
      cast(null as bigint) from "user" where exists (select 1 from chart_owner where user_id = "user".id)
        or exists (select 1 from dashboard_owner where user_id = "user".id)
        or exists (select 1 from dataset_owner where user_id = "user".id)
        or exists (select 1 from saved_query where user_id = "user".id)
    union all
    select 1500000000 + id, 'favorited_by:' || id, 4, cast(null as text), created_on, created_on, cast(null as bigint),
      cast(null as bigint) from "user"
      where exists (select 1 from favorite where user_id = "user".id and kind in ('chart', 'dashboard'))`.execute(db)
}
