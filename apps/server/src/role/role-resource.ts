import { RolePost, RolePut } from '@parquetry/model'
import { sql, type Selectable } from 'kysely'
import { auditColumns, computedColumn } from '../http/column-resolvers.ts'
import { numberFilter, textFilter, timeFilter, toManyFilter } from '../http/filters.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { findFixation, isBuiltInRole } from '../security/roles.ts'
import type { Config } from '../settings/config.ts'
import type { RoleTable } from '../store/tables.ts'

export type RoleRow = Selectable<RoleTable>

export const userLinks = { through: 'user_role', own: 'role_id', other: 'user_id' }
export const groupLinks = { through: 'user_group_role', own: 'role_id', other: 'group_id' }
export const permissionLinks = { through: 'role_permission', own: 'role_id', other: 'permission_id' }

const countColumn =
  ({ through }: { through: string }): ColumnResolver<RoleRow> =>
  async (rows, { db }) => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const found = await sql<{ role_id: number; n: number }>`select role_id, count(*) as n from ${sql.table(through)}
      where role_id in (${sql.join(ids)}) group by role_id`.execute(db)
    const counts = new Map(found.rows.map(({ role_id, n }) => [role_id, Number(n)]))
    return ids.map((id) => counts.get(id) ?? 0)
  }

const later = [
  'uuid',
  'is_built_in',
  'fixed_by',
  'user_count',
  'group_count',
  'permission_count',
  'changed_on',
  'changed_on_delta_humanized',
  'changed_by.id',
  'changed_by.first_name',
  'changed_by.last_name',
]

/** Resource definition of `/api/v1/security/roles/`. Users with the permission see all roles. */
export const createRoleResource = ({
  PUBLIC_ROLE_LIKE,
}: Pick<Config, 'PUBLIC_ROLE_LIKE'>): Resource<RoleRow> & { kind: 'role' } => ({
  kind: 'role',
  title: 'Role',
  view: 'Role',
  list: { announced: ['id', 'name'], unannounced: later },
  show: { announced: ['id', 'name'], unannounced: later },
  order: { id: 'role.id', name: 'role.name', changed_on_delta_humanized: 'role.changed_on' },
  defaultOrder: ['id', 'asc'],
  filters: {
    id: numberFilter('role.id'),
    name: textFilter('role.name'),
    users: toManyFilter('role', 'user', userLinks).map((each) => ({ ...each, unannounced: true })),
    groups: toManyFilter('role', 'user_group', groupLinks).map((each) => ({ ...each, unannounced: true })),
    changed_on: timeFilter('role.changed_on').map((each) => ({ ...each, unannounced: true })),
  },
  resolvers: {
    ...auditColumns<RoleRow>(),
    is_built_in: computedColumn(({ name }) => isBuiltInRole(name)),
    fixed_by: computedColumn(({ name }) => findFixation(name, PUBLIC_ROLE_LIKE)),
    user_count: countColumn(userLinks),
    group_count: countColumn(groupLinks),
    permission_count: countColumn(permissionLinks),
  },
  related: {},
  distinct: [],
  bodies: { add: RolePost, edit: RolePut },
})
