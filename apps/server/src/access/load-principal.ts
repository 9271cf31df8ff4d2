import { type Kysely, type RawBuilder, sql } from 'kysely'
import { formatRights, type Principal } from './principal.ts'
import type { Tables } from '../store/tables.ts'
import { loadRolePermissions } from './role-permissions.ts'

interface UserRow {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string
}

/** Permissions on single objects that a user has without a role. */
export const loadOwnPermissions = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom('user_permission')
    .innerJoin('permission', 'permission.id', 'permission_id')
    .select(['name', 'view'])
    .where('user_id', '=', userId)
    .execute()

interface StoredAttribute {
  name: string
  value: string
}

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
  const [groups, roles, attributes] = await Promise.all([
    db.selectFrom('user_group').select(['id', 'name']).where('id', '=', groupId).execute(),
    db
      .selectFrom('user_group_role')
      .innerJoin('role', 'role.id', 'role_id')
      .select(['role.id', 'name'])
      .where('group_id', '=', groupId)
      .orderBy('role.id')
      .execute(),
    db.selectFrom('group_attribute').select(['name', 'value']).where('group_id', '=', groupId).execute(),
  ])
  return { groups, roles, attributes: joinAttributes([], attributes) }
}

type GrantKind = 'group' | 'role' | 'permission' | 'attribute' | 'group attribute'

interface Grant {
  kind: GrantKind
  id: number
  name: string
  value: string
}

/**
 * Everything that decides the rights of a user besides the permissions of roles, in one statement: each is a round trip.
 *
 * @param user  id of the user
 */
const loadGrants = async (db: Kysely<Tables>, user: RawBuilder<unknown>): Promise<Grant[]> =>
  (
    await sql<Grant>`
      select 'group' as kind, held.id, held.name, '' as value
        from user_group_member as member join user_group as held on held.id = member.group_id
        where member.user_id = ${user}
      union all select 'role', held.id, held.name, ''
        from user_role as own join role as held on held.id = own.role_id where own.user_id = ${user}
      union all select 'role', held.id, held.name, ''
        from user_group_member as member join user_group_role as own on own.group_id = member.group_id
        join role as held on held.id = own.role_id where member.user_id = ${user}
      union all select 'permission', held.id, held.name, held.view
        from user_permission as own join permission as held on held.id = own.permission_id
        where own.user_id = ${user}
      union all select 'attribute', 0, own.name, own.value from user_attribute as own where own.user_id = ${user}
      union all select 'group attribute', 0, own.name, own.value
        from user_group_member as member join group_attribute as own on own.group_id = member.group_id
        where member.user_id = ${user}`.execute(db)
  ).rows

/** Grants of the user of a session, which need not be known yet. For {@link loadPrincipal}. */
export const loadSessionGrants = (db: Kysely<Tables>, session: string): Promise<Grant[]> =>
  loadGrants(db, sql`(select user_id from session where id = ${session})`)

/**
 * Loads a user with the permissions of their roles and those of their groups. A role named Admin, in any spelling, makes the user
 * an admin (PERM-002).
 *
 * @param known  their grants, if they were read already
 */
export async function loadPrincipal(db: Kysely<Tables>, user: UserRow, known?: readonly Grant[]): Promise<Principal> {
  const grants = known ?? (await loadGrants(db, sql`${user.id}`))
  const ofKind = (kind: GrantKind) => grants.filter((grant) => grant.kind === kind)
  const named = (kind: GrantKind) =>
    [...new Map(ofKind(kind).map(({ id, name }) => [id, { id, name }])).values()].toSorted((a, b) => a.id - b.id)
  const roles = named('role')
  const ofRoles = await loadRolePermissions(
    db,
    roles.map(({ id }) => id),
  )
  const own = ofKind('permission').map(({ name, value }) => `${name} ${value}`)
  return {
    kind: 'user',
    id: user.id,
    username: user.username,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    roles,
    groups: named('group'),
    attributes: joinAttributes(ofKind('attribute'), ofKind('group attribute')),
    permissions: own.length === 0 ? ofRoles : new Set([...ofRoles, ...own]),
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
    permissions: await loadRolePermissions(
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
