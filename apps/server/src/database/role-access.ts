import { AppError, message } from '@parquetry/model'
import { type Kysely, sql } from 'kysely'
import { databaseViewName } from '../access/data-rights.ts'
import { upsertDatabasePermission } from '../access/data-permissions.ts'
import type { ReadContext } from '../http/resource.ts'
import { changedBy } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import type { DatabaseRow } from '../connection/source.ts'

interface RoleAccess {
  id: number
  name: string
  users: number
  access: 'none' | 'granted' | 'all'
}

/** Permissions on every database; each has its own name as its view. */
const allAccessPermissions = ['all_database_access', 'all_datasource_access']

/** All roles, with their access to a database: by a grant on it or on every database. */
export async function listRoleAccess(db: Kysely<Tables>, database: DatabaseRow): Promise<RoleAccess[]> {
  const { rows } = await sql<{ id: number; name: string; users: number; granted: number; everything: number }>`
    select role.id, role.name,
      (select count(*) from user_role where user_role.role_id = role.id) as users,
      sum(case when permission.name = 'database_access' and permission.view = ${databaseViewName(database)} then 1 else 0 end) as granted,
      sum(case when permission.name in (${sql.join(allAccessPermissions)}) and permission.view = permission.name then 1 else 0 end) as everything
    from role
    left join role_permission on role_permission.role_id = role.id
    left join permission on permission.id = role_permission.permission_id
    group by role.id, role.name order by lower(role.name)`.execute(db)
  return rows.map(({ id, name, users, granted, everything: all }) => ({
    id,
    name,
    users: Number(users),
    access: name.toLowerCase() === 'admin' || Number(all) > 0 ? 'all' : Number(granted) > 0 ? 'granted' : 'none',
  }))
}

/**
 * Grants exactly these roles access to a database; roles that read every database need no grant.
 * @throws AppError `unprocessable` for a role that does not exist
 */
export async function setRoleAccess(
  { db, principal, now }: Pick<ReadContext, 'db' | 'principal' | 'now'>,
  database: DatabaseRow,
  ids: readonly number[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const roles = await listRoleAccess(trx, database)
    const unknown = ids.find((id) => !roles.some((role) => role.id === id))
    if (unknown !== undefined)
      throw new AppError('unprocessable', {
        message: message('errors.database.noRole', 'Role {id} does not exist.', { id: unknown }),
      })
    await upsertDatabasePermission(trx, database)
    const { id: permission_id } = await trx
      .selectFrom('permission')
      .select('id')
      .where('name', '=', 'database_access')
      .where('view', '=', databaseViewName(database))
      .executeTakeFirstOrThrow()
    for (const { id, access } of roles) {
      const isWanted = ids.includes(id)
      if (access === (isWanted ? 'none' : 'granted'))
        await trx.updateTable('role').set(changedBy(principal, now)).where('id', '=', id).execute()
      if (isWanted && access === 'none')
        await trx.insertInto('role_permission').values({ role_id: id, permission_id }).execute()
      else if (!isWanted && access === 'granted')
        await trx
          .deleteFrom('role_permission')
          .where('role_id', '=', id)
          .where('permission_id', '=', permission_id)
          .execute()
    }
  })
}
