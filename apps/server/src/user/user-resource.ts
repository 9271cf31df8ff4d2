import { UserPost, UserPut } from '@parquetry/model'
import { type Selectable, sql } from 'kysely'
import { agoColumn, booleanColumn, computedColumn, userColumn } from '../http/column-resolvers.ts'
import { anyContains, booleanFilter, numberFilter, textFilter, timeFilter, toManyFilter } from '../http/filters.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import type { UserTable } from '../store/tables.ts'
import { attributesColumn, linkedColumn } from './linked-columns.ts'

export type UserRow = Selectable<UserTable>

/** Links of a user to roles and groups. */
export const userRoleLinks = { through: 'user_role', own: 'user_id', other: 'role_id' }
export const userGroupLinks = { through: 'user_group_member', own: 'user_id', other: 'group_id' }

const orders = [
  'id',
  'first_name',
  'last_name',
  'username',
  'active',
  'email',
  'last_login',
  'login_count',
  'fail_login_count',
  'created_on',
  'changed_on',
]
const announced = [
  'id',
  'roles.id',
  'roles.name',
  'groups.id',
  'groups.name',
  'first_name',
  'last_name',
  'username',
  'active',
  'email',
  'last_login',
  'login_count',
  'fail_login_count',
  'created_on',
  'changed_on',
  'created_by.id',
  'changed_by.id',
]

const resolvers: Record<string, ColumnResolver<UserRow>> = {
  active: booleanColumn('active'),
  roles: linkedColumn(sql`select user_id as own, role.id, role.name from user_role join role on role.id = role_id`),
  groups: linkedColumn(
    sql`select user_id as own, user_group.id, user_group.name from user_group_member
      join user_group on user_group.id = group_id`,
  ),
  attributes: attributesColumn('user_attribute', 'user_id'),
  has_password: computedColumn(({ password }) => password !== null),
  created_by: userColumn('created_by_fk'),
  changed_by: userColumn('changed_by_fk'),
  changed_on_delta_humanized: agoColumn('changed_on'),
}

/** Resource definition of `/api/v1/security/users/`. Users with the permission see all accounts; hashes of passwords never leave. */
export const userResource: Resource<UserRow> & { kind: 'user' } = {
  kind: 'user',
  title: 'User',
  listTitle: 'List Users',
  view: 'User',
  list: { announced, unannounced: ['uuid', 'attributes', 'has_password', 'changed_on_delta_humanized'] },
  show: {
    announced: [...announced, 'attributes'],
    unannounced: ['uuid', 'has_password', 'changed_on_delta_humanized'],
  },
  order: Object.fromEntries(orders.map((column) => [column, `user.${column}`])),
  defaultOrder: ['id', 'asc'],
  filters: {
    id: numberFilter('user.id'),
    roles: toManyFilter('user', 'role', userRoleLinks),
    groups: toManyFilter('user', 'user_group', userGroupLinks),
    first_name: textFilter('user.first_name'),
    last_name: textFilter('user.last_name'),
    username: [
      ...textFilter('user.username'),
      {
        ...anyContains('user_all_text', 'All Text', [
          'user.username',
          'user.first_name',
          'user.last_name',
          'user.email',
        ]),
        unannounced: true,
      },
    ],
    active: booleanFilter('user.active'),
    email: textFilter('user.email'),
    last_login: timeFilter('user.last_login'),
    login_count: numberFilter('user.login_count'),
    fail_login_count: numberFilter('user.fail_login_count'),
    created_on: timeFilter('user.created_on'),
    changed_on: timeFilter('user.changed_on'),
  },
  resolvers,
  related: {},
  distinct: [],
  bodies: { add: UserPost, edit: UserPut },
}
