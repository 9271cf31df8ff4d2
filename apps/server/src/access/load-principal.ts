import type { Kysely } from 'kysely'
import { formatRights, type Principal } from './principal.ts'
import type { Tables } from '../store/tables.ts'

interface UserRow {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string
}

const loadRolePermissions = async (
  db: Kysely<Tables>,
  roleIds: readonly number[],
): Promise<{ name: string; view: string }[]> =>
  roleIds.length === 0
    ? []
    : db
        .selectFrom('role_permission')
        .innerJoin('permission', 'permission.id', 'permission_id')
        .select(['name', 'view'])
        .where('role_id', 'in', roleIds)
        .execute()

const toPairs = (rows: readonly { name: string; view: string }[]): Set<string> =>
  new Set(rows.map(({ name, view }) => `${name} ${view}`))

/** Permissions on single objects that a user has without a role. */
export const loadOwnPermissions = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom('user_permission')
    .innerJoin('permission', 'permission.id', 'permission_id')
    .select(['name', 'view'])
    .where('user_id', '=', userId)
    .execute()

const loadGroups = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom('user_group_member')
    .innerJoin('user_group', 'user_group.id', 'group_id')
    .select(['user_group.id', 'name'])
    .where('user_id', '=', userId)
    .orderBy('user_group.id')
    .execute()

/** Direct roles of a user and those of groups. */
const loadRoles = (db: Kysely<Tables>, userId: number, groupIds: readonly number[]) => {
  const direct = db
    .selectFrom('user_role')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['role.id', 'name'])
    .where('user_id', '=', userId)
  const ofGroups = db
    .selectFrom('user_group_role')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['role.id', 'name'])
    .where('group_id', 'in', groupIds)
  return (groupIds.length === 0 ? direct : direct.union(ofGroups)).orderBy('id').execute()
}

interface StoredAttribute {
  name: string
  value: string
}

const loadOwnAttributes = (db: Kysely<Tables>, userId: number): Promise<StoredAttribute[]> =>
  db.selectFrom('user_attribute').select(['name', 'value']).where('user_id', '=', userId).execute()

const loadGroupAttributes = async (db: Kysely<Tables>, groupIds: readonly number[]): Promise<StoredAttribute[]> =>
  groupIds.length === 0
    ? []
    : db.selectFrom('group_attribute').select(['name', 'value']).where('group_id', 'in', groupIds).execute()

/** Values by attribute. Those that a user has themselves replace the ones of the same name that their groups have. */
function joinAttributes(
  own: readonly StoredAttribute[],
  ofGroups: readonly StoredAttribute[],
): Map<string, readonly string[]> {
  const toValues = (rows: readonly StoredAttribute[]) =>
    [...Map.groupBy(rows, ({ name }) => name)].map(
      ([name, found]) => [name, [...new Set(found.map(({ value }) => value))].toSorted()] as const,
    )
  return new Map([...toValues(ofGroups), ...toValues(own)])
}

/** The rights that one group gives to its members. */
export async function loadGroupRights(
  db: Kysely<Tables>,
  groupId: number,
): Promise<Pick<Principal, 'roles' | 'groups' | 'attributes'>> {
  const noUser = -1
  return {
    roles: await loadRoles(db, noUser, [groupId]),
    groups: await db.selectFrom('user_group').select(['id', 'name']).where('id', '=', groupId).execute(),
    attributes: joinAttributes([], await loadGroupAttributes(db, [groupId])),
  }
}

/**
 * Loads a user with the permissions of their roles and those of their groups. A role named Admin, in any spelling, makes the user
 * an admin (PERM-002).
 */
export async function loadPrincipal(db: Kysely<Tables>, user: UserRow): Promise<Principal> {
  const [groups, ownPermissions, ownAttributes] = await Promise.all([
    loadGroups(db, user.id),
    loadOwnPermissions(db, user.id),
    loadOwnAttributes(db, user.id),
  ])
  const groupIds = groups.map(({ id }) => id)
  const [roles, groupAttributes] = await Promise.all([
    loadRoles(db, user.id, groupIds),
    loadGroupAttributes(db, groupIds),
  ])
  return {
    kind: 'user',
    id: user.id,
    username: user.username,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    roles,
    groups,
    attributes: joinAttributes(ownAttributes, groupAttributes),
    permissions: toPairs([
      ...(await loadRolePermissions(
        db,
        roles.map(({ id }) => id),
      )),
      ...ownPermissions,
    ]),
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

/** The rights of a user of now, for comparison. Undefined when the user is deleted or inactive. */
export async function loadRights(db: Kysely<Tables>, id: number): Promise<string | undefined> {
  const principal = await loadPrincipalById(db, id)
  return principal && formatRights(principal)
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
    groups: [],
    attributes: new Map(),
    permissions: toPairs(
      await loadRolePermissions(
        db,
        roles.map(({ id }) => id),
      ),
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

/**
 * Principal and limits of a visitor with a guest token. It holds no permissions: the embedded page, the role of guests
 * (`GUEST_ROLE_NAME`) and access by the `resources` of the token are not implemented.
 */
export const guestPrincipal = ({ user, resources, rls_rules }: GuestClaims): Principal => ({
  kind: 'guest',
  id: null,
  username: user.username ?? null,
  firstName: user.first_name ?? '',
  lastName: user.last_name ?? '',
  email: '',
  roles: [],
  groups: [],
  attributes: new Map(),
  permissions: new Set(),
  isAdmin: false,
  guest: {
    resources,
    rlsRules: rls_rules.map(({ dataset, clause }) => ({ dataset: dataset ?? null, clause })),
  },
})
