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

/** Loads a user with the permissions of their roles. A role named Admin, in any spelling, makes the user an admin (PERM-002). */
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

/**
 * Loads the current state of a user, for work that continues after their request. Undefined when the user is deleted or inactive.
 */
export async function loadPrincipalById(db: Kysely<Tables>, id: number): Promise<Principal | undefined> {
  const user = await db.selectFrom('user').selectAll().where('id', '=', id).where('active', '=', 1).executeTakeFirst()
  return user && loadPrincipal(db, user)
}

/** Loads the author of an object with their current permissions, even if inactive. Undefined when deleted. */
export async function loadAuthor(db: Kysely<Tables>, id: number): Promise<Principal | undefined> {
  const user = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  return user && loadPrincipal(db, user)
}

/** Principal of users who are not signed in, with the permissions of the role Public. */
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

/** Claims of a guest token, named as in the API's tokens. */
export interface GuestClaims {
  user: { username?: string; first_name?: string; last_name?: string }
  resources: { type: string; id: string }[]
  rls_rules: { dataset?: number; clause: string }[]
}

/** Principal and limits of a visitor with a guest token. Holds no permissions yet: embedded dashboards are not implemented. */
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
