import type { Kysely } from 'kysely'
import type { Principal } from './principal.ts'
import type { Tables } from '../store/tables.ts'

interface UserRow {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string
}

const loadPermissions = async (db: Kysely<Tables>, roleIds: number[]): Promise<Set<string>> => {
  if (roleIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('role_permission')
    .innerJoin('permission', 'permission.id', 'permission_id')
    .select(['name', 'view'])
    .where('role_id', 'in', roleIds)
    .execute()
  return new Set(rows.map(({ name, view }) => `${name} ${view}`))
}

/** A user with what his roles hold. Admin is who has a role of that name, in any spelling (PERM-002). */
export async function loadPrincipal(db: Kysely<Tables>, user: UserRow): Promise<Principal> {
  const roles = await db
    .selectFrom('user_role')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['role.id', 'name'])
    .where('user_id', '=', user.id)
    .orderBy('role.id')
    .execute()
  return {
    kind: 'user',
    id: user.id,
    username: user.username,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    roles,
    permissions: await loadPermissions(
      db,
      roles.map(({ id }) => id),
    ),
    isAdmin: roles.some(({ name }) => name.toLowerCase() === 'admin'),
    guest: null,
  }
}

/** A user as he is now, for work that goes on after his call. Undefined when he is gone or may not sign in any more. */
export async function loadPrincipalById(db: Kysely<Tables>, id: number): Promise<Principal | undefined> {
  const user = await db.selectFrom('user').selectAll().where('id', '=', id).where('active', '=', 1).executeTakeFirst()
  return user && loadPrincipal(db, user)
}

/** Who wrote something, with the rights that he holds today, whether he may sign in or not. Undefined when he is gone. */
export async function loadAuthor(db: Kysely<Tables>, id: number): Promise<Principal | undefined> {
  const user = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  return user && loadPrincipal(db, user)
}

/** Somebody who has not signed in: what the role Public holds. */
export async function loadAnonymousPrincipal(db: Kysely<Tables>): Promise<Principal> {
  const roles = await db.selectFrom('role').select(['id', 'name']).where('name', '=', 'Public').execute()
  return {
    kind: 'anonymous',
    id: null,
    username: null,
    firstName: '',
    lastName: '',
    email: '',
    roles,
    permissions: await loadPermissions(
      db,
      roles.map(({ id }) => id),
    ),
    isAdmin: false,
    guest: null,
  }
}

/** What a guest token says of its visitor, under the names that the API's tokens have for it. */
export interface GuestClaims {
  user: { username?: string; first_name?: string; last_name?: string }
  resources: { type: string; id: string }[]
  rls_rules: { dataset?: number; clause: string }[]
}

/** A visitor with a guest token, and what limits him. He holds nothing yet: embedded dashboards are not built. */
export const guestPrincipal = ({ user, resources, rls_rules }: GuestClaims): Principal => ({
  kind: 'guest',
  id: null,
  username: user.username ?? null,
  firstName: user.first_name ?? '',
  lastName: user.last_name ?? '',
  email: '',
  roles: [],
  permissions: new Set(),
  isAdmin: false,
  guest: {
    resources,
    rlsRules: rls_rules.map(({ dataset, clause }) => ({ dataset: dataset ?? null, clause })),
  },
})
