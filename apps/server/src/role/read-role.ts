import { AppError, message, type RelatedQuery, type RoleSearchQuery } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import { canReadEmails } from '../access/principal.ts'
import { fullName } from '../http/column-resolvers.ts'
import { containsAnyCase, isLinkedTo } from '../http/filters.ts'
import { type ReadContext, resolvePage } from '../http/resource.ts'
import { and, type Condition } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import { groupLinks, permissionLinks, userLinks } from './role-resource.ts'

const searchPageSize = 10

const idFilters = { user_ids: userLinks, group_ids: groupLinks, permission_ids: permissionLinks }

function toCondition({ col, value }: NonNullable<RoleSearchQuery['filters']>[number]): Condition[] {
  if (col === 'name') return [containsAnyCase('role.name', String(value))]
  if (!Object.hasOwn(idFilters, col)) return []
  const id = Number(value)
  return [isLinkedTo('role', idFilters[col as keyof typeof idFilters], Number.isSafeInteger(id) ? id : -1)]
}

/** `GET /api/v1/security/roles/search/` @throws AppError `bad_request` for an order other than by id or name */
export async function searchRoles(
  { db }: Pick<ReadContext, 'db'>,
  { filters = [], order_column = 'id', order_direction = 'asc', page, page_size = searchPageSize }: RoleSearchQuery,
) {
  if (order_column !== 'id' && order_column !== 'name')
    throw new AppError('bad_request', {
      message: message('errors.http.orderColumn', 'Invalid order by column: {column}', { column: order_column }),
    })
  const where = and(filters.flatMap(toCondition))
  const { limit, offset } = resolvePage({ page, page_size })
  const { rows } = await sql<{ id: number; name: string }>`select id, name from role where ${where}
    order by ${sql.ref(`role.${order_column}`)} ${sql.raw(order_direction)} limit ${limit} offset ${offset}`.execute(db)
  const { rows: counted } = await sql<{ n: number }>`select count(*) as n from role where ${where}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const [users, permissions, groups] = [
    await linkedIds(db, userLinks, ids),
    await linkedIds(db, permissionLinks, ids),
    await linkedIds(db, groupLinks, ids),
  ]
  return {
    count: Number(counted[0]?.n ?? 0),
    ids,
    result: rows.map(({ id, name }) => ({
      id,
      name,
      user_ids: users.get(id) ?? [],
      permission_ids: permissions.get(id) ?? [],
      group_ids: groups.get(id) ?? [],
    })),
  }
}

async function linkedIds(
  db: Kysely<Tables>,
  { through, other }: typeof userLinks,
  roleIds: readonly number[],
): Promise<Map<number, number[]>> {
  if (roleIds.length === 0) return new Map()
  const { rows } = await sql<{ role_id: number; id: number }>`select role_id, ${sql.ref(other)} as id
    from ${sql.table(through)} where role_id in (${sql.join([...roleIds])}) order by 2`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ role_id }) => role_id)].map(([role, found]) => [role, found.map(({ id }) => id)]),
  )
}

/** Permission pairs of a role, by view and name. */
export const listRolePermissions = (db: Kysely<Tables>, id: number) =>
  db
    .selectFrom('role_permission')
    .innerJoin('permission', 'permission.id', 'permission_id')
    .select(['permission.id', 'name as permission_name', 'view as view_menu_name'])
    .where('role_id', '=', id)
    .orderBy('permission.id')
    .execute()

/** A page of the groups and users that hold a role, found by name, username or email. Groups come first. */
export async function listMembers(
  { db, principal }: Pick<ReadContext, 'db' | 'principal'>,
  id: number,
  { filter = '', page, page_size }: RelatedQuery,
) {
  const { limit, offset } = resolvePage({ page, page_size })
  const groups = await listMemberGroups(db, id, filter)
  const shownGroups = groups.slice(offset, offset + (limit ?? groups.length))
  const email = canReadEmails(principal) ? sql` || ' ' || email` : sql``
  const text = sql`first_name || ' ' || last_name || ' ' || username${email}`
  const from = sql`from user_role join "user" on "user".id = user_role.user_id
    where user_role.role_id = ${id} and ${filter === '' ? sql<SqlBool>`1 = 1` : containsAnyCase(text, filter)}`
  // Without a filter, the number of links is the number of users.
  const counted = await sql<{ n: number }>`select count(*) as n
    ${filter === '' ? sql`from user_role where role_id = ${id}` : from}`.execute(db)
  interface MemberRow {
    id: number
    first_name: string
    last_name: string
    username: string
    active: number
  }
  const { rows: users } = await sql<MemberRow>`select "user".id, first_name, last_name, username, active ${from}
    order by first_name, last_name, "user".id
    limit ${(limit ?? 0) - shownGroups.length} offset ${Math.max(0, offset - groups.length)}`.execute(db)
  return {
    count: groups.length + Number(counted.rows[0]?.n ?? 0),
    result: [
      ...shownGroups.map(({ id: groupId, name, label }) => ({
        type: 'group' as const,
        id: groupId,
        label: label || name,
        secondary_label: name,
        active: null,
      })),
      ...users.map((user) => ({
        type: 'user' as const,
        id: user.id,
        label: fullName(user) || user.username,
        secondary_label: user.username,
        active: user.active === 1,
      })),
    ],
  }
}

async function listMemberGroups(db: Kysely<Tables>, id: number, filter: string) {
  const matches = filter === '' ? sql<SqlBool>`1 = 1` : containsAnyCase(sql`name || ' ' || coalesce(label, '')`, filter)
  const { rows } = await sql<{ id: number; name: string; label: string | null }>`select user_group.id, name, label
    from user_group_role join user_group on user_group.id = user_group_role.group_id
    where user_group_role.role_id = ${id} and ${matches} order by coalesce(nullif(label, ''), name), user_group.id`.execute(
    db,
  )
  return rows
}
