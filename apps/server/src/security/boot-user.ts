import { type BootUser, subjectId } from '@parquetry/model'
import { loadOwnPermissions } from '../access/load-principal.ts'
import { subjectsOf } from '../access/subject-links.ts'
import type { Principal } from '../access/principal.ts'
import type { HttpDeps } from '../http/app.ts'

/** The user for pages and `me/roles`: roles with their permission pairs, and grants on single objects. */
export async function bootUser({ db }: Pick<HttpDeps, 'db'>, principal: Principal): Promise<BootUser> {
  const ids = principal.roles.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('role_permission')
          .innerJoin('permission', 'permission.id', 'permission_id')
          .innerJoin('role', 'role.id', 'role_id')
          .select(['role.name as role', 'permission.name', 'view'])
          .where('role_id', 'in', ids)
          .execute()
  const roles: BootUser['roles'] = Object.fromEntries(principal.roles.map(({ name }) => [name, []]))
  const permissions: BootUser['permissions'] = {}
  for (const { role, name, view } of rows) roles[role]?.push([name, view])
  const own = principal.id === null ? [] : await loadOwnPermissions(db, principal.id)
  for (const { name, view } of [...rows, ...own])
    if (name === 'datasource_access' || name === 'database_access') (permissions[name] ??= []).push(view)
  if (principal.kind !== 'user')
    return { roles, permissions, isActive: false, isAnonymous: principal.kind === 'anonymous' }
  const user = await db
    .selectFrom('user')
    .select(['created_on', 'login_count', 'active'])
    .where('id', '=', principal.id)
    .executeTakeFirst()
  return {
    username: principal.username ?? '',
    firstName: principal.firstName,
    lastName: principal.lastName,
    userId: principal.id ?? 0,
    subjects: subjectsOf(principal).flatMap(([type, ids]) => ids.map((id) => subjectId(type, id))),
    email: principal.email,
    isActive: user?.active === 1,
    isAnonymous: false,
    createdOn: user?.created_on ?? '',
    loginCount: user?.login_count ?? 0,
    roles,
    permissions,
  }
}
