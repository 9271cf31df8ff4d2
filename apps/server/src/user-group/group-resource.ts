import { UserGroupPost, UserGroupPut } from '@parquetry/model'
import { type Selectable, sql } from 'kysely'
import { agoColumn, userColumn } from '../http/column-resolvers.ts'
import { anyContains, numberFilter, textFilter, timeFilter, toManyFilter } from '../http/filters.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import type { UserGroupTable } from '../store/tables.ts'
import { attributesColumn, linkedColumn } from '../user/linked-columns.ts'

export type GroupRow = Selectable<UserGroupTable>

/** Links of a group to its roles and members. */
export const groupRoleLinks = { through: 'user_group_role', own: 'group_id', other: 'role_id' }
export const groupUserLinks = { through: 'user_group_member', own: 'group_id', other: 'user_id' }

const countMembers: ColumnResolver<GroupRow> = async (rows, { db }) => {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const counts = await db
    .selectFrom('user_group_member')
    .select(({ fn }) => ['group_id', fn.countAll<number>().as('n')])
    .where('group_id', 'in', ids)
    .groupBy('group_id')
    .execute()
  return ids.map((id) => Number(counts.find(({ group_id }) => group_id === id)?.n ?? 0))
}

const roles = ['roles.id', 'roles.name']
const users = ['users.id', 'users.username']
const later = [
  'uuid',
  'attributes',
  'user_count',
  'users.first_name',
  'users.last_name',
  'rules.id',
  'rules.name',
  'created_on',
  'changed_on',
  'changed_on_delta_humanized',
  'created_by.id',
  'changed_by.id',
]
const announced = ['id', 'name', 'label', 'description', ...roles, ...users]

/** Resource definition of `/api/v1/security/groups/`. Users with the permission see all groups. */
export const groupResource: Resource<GroupRow> & { kind: 'user_group' } = {
  kind: 'user_group',
  title: 'Group',
  listTitle: 'List Groups',
  view: 'Group',
  list: { announced, unannounced: later },
  show: { announced: [...announced, 'attributes'], unannounced: later },
  order: {
    id: 'user_group.id',
    name: 'user_group.name',
    label: 'user_group.label',
    description: 'user_group.description',
    changed_on: 'user_group.changed_on',
  },
  defaultOrder: ['id', 'asc'],
  filters: {
    id: numberFilter('user_group.id'),
    name: [
      ...textFilter('user_group.name'),
      {
        ...anyContains('group_all_text', 'All Text', ['user_group.name', 'user_group.label', 'user_group.description']),
        unannounced: true,
      },
    ],
    label: textFilter('user_group.label'),
    description: textFilter('user_group.description'),
    roles: toManyFilter('user_group', 'role', groupRoleLinks),
    users: toManyFilter('user_group', 'user', groupUserLinks),
    changed_on: timeFilter('user_group.changed_on'),
  },
  resolvers: {
    roles: linkedColumn(
      sql`select group_id as own, role.id, role.name from user_group_role join role on role.id = role_id`,
    ),
    users: linkedColumn(
      sql`select group_id as own, member.id, username, first_name, last_name from user_group_member
        join ${sql.table('user')} as member on member.id = user_id`,
    ),
    rules: linkedColumn(
      sql`select group_id as own, row_rule.id, row_rule.name from row_rule_group join row_rule on row_rule.id = row_rule_id`,
    ),
    user_count: countMembers,
    attributes: attributesColumn('group_attribute', 'group_id'),
    created_by: userColumn('created_by_fk'),
    changed_by: userColumn('changed_by_fk'),
    changed_on_delta_humanized: agoColumn('changed_on'),
  },
  related: {},
  distinct: [],
  bodies: { add: UserGroupPost, edit: UserGroupPut },
}
