import { PermissionPairPost, PermissionPairPut, ResourceNamePost, ResourceNamePut } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { computedColumn } from '../http/column-resolvers.ts'
import { type Filter, numberFilter, textFilter, toManyFilter } from '../http/filters.ts'
import type { Resource } from '../http/resource.ts'

export interface PermissionPairRow {
  id: number
  name: string
  view: string
}

export interface NamedRow {
  id: number
  name: string
}

const createNameResource = <K extends 'permission_name' | 'permission_view'>(
  kind: K,
  part: Pick<Resource<NamedRow>, 'title' | 'view' | 'bodies'>,
): Resource<NamedRow> & { kind: K } => ({
  ...part,
  kind,
  list: { announced: ['id', 'name'] },
  show: { announced: ['id', 'name'] },
  order: { id: `${kind}.id`, name: `${kind}.name` },
  defaultOrder: ['id', 'asc'],
  filters: { id: numberFilter(`${kind}.id`), name: textFilter(`${kind}.name`) },
  resolvers: {},
  related: {},
  distinct: [],
})

/** Resource definition of `/api/v1/security/permissions/`. */
export const nameResource = createNameResource('permission_name', {
  title: 'Permission',
  view: 'Permission',
  bodies: null,
})

/** Resource definition of `/api/v1/security/resources/`. */
export const viewResource = createNameResource('permission_view', {
  title: 'View Menu',
  view: 'ViewMenu',
  bodies: { add: ResourceNamePost, edit: ResourceNamePut },
})

/** Filters by the id of a name, as the API has them, and by its text. */
const partFilter = (column: 'name' | 'view', table: 'permission_name' | 'permission_view'): Filter => [
  {
    operator: 'rel_o_m',
    name: 'Relation',
    apply: (value) =>
      sql<SqlBool>`${sql.ref(`permission.${column}`)} in
        (select name from ${sql.table(table)} where id = ${Number.isSafeInteger(Number(value)) ? Number(value) : -1})`,
  },
  ...textFilter(`permission.${column}`).map((each) => ({ ...each, unannounced: true as const })),
]

/** Resource definition of `/api/v1/security/permissions-resources/`. */
export const pairResource: Resource<PermissionPairRow> & { kind: 'permission' } = {
  kind: 'permission',
  title: 'Permission View',
  view: 'PermissionViewMenu',
  list: { announced: ['id', 'permission.name', 'view_menu.name'] },
  show: { announced: ['id', 'permission.name', 'view_menu.name'] },
  order: { id: 'permission.id', 'permission.name': 'permission.name', 'view_menu.name': 'permission.view' },
  defaultOrder: ['id', 'asc'],
  filters: {
    id: numberFilter('permission.id').map((each) => ({ ...each, unannounced: true })),
    permission: partFilter('name', 'permission_name'),
    view_menu: partFilter('view', 'permission_view'),
    role: toManyFilter('permission', 'role', { through: 'role_permission', own: 'permission_id', other: 'role_id' }),
  },
  resolvers: {
    permission: computedColumn(({ name }) => ({ name })),
    view_menu: computedColumn(({ view }) => ({ name: view })),
  },
  related: {},
  distinct: [],
  bodies: { add: PermissionPairPost, edit: PermissionPairPut },
  maxPageSize: 1000,
}
