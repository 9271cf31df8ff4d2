import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

/**
 * Names and views of permissions with ids of their own. The id of a name is that of its pair with an empty view if there is one,
 * otherwise that of its first pair; the same for views. Pairs with an empty part are never granted: they keep the id of a name
 * whose pairs come and go with objects, and that of a view without permissions.
 */
export const namesOfPermissions: Migration = async (db) => {
  await db.schema.createIndex('permission_by_view').on('permission').columns(['view']).execute()
  await sql`create view permission_name as
    select coalesce(min(case when view = '' then id end), min(id)) as id, name
    from permission where name <> '' group by name`.execute(db)
  await sql`create view permission_view as
    select coalesce(min(case when name = '' then id end), min(id)) as id, view as name
    from permission where view <> '' group by view`.execute(db)
}
