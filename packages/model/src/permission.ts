import Type, { type Static } from 'typebox'
import { body, optional, row, text } from './fields.ts'
import { readingRoutes, writingRoutes } from './resource.ts'

/** Permissions granted on single databases, schemas and datasets; all others are feature permissions. */
export const objectPermissions = ['datasource_access', 'database_access', 'schema_access', 'catalog_access'] as const

export const isObjectPermission = (name: string): boolean => (objectPermissions as readonly string[]).includes(name)

const permissions = {
  list: 'can_get_list',
  item: 'can_get',
  info: 'can_info',
  create: 'can_post',
  update: 'can_put',
  remove: 'can_delete',
} as const

const Named = row({ id: Type.Integer(), name: Type.String() })
const PermissionPairRow = row({
  id: Type.Integer(),
  permission: row({ name: Type.String() }),
  view_menu: row({ name: Type.String() }),
})

const names = { name: 'permission', path: 'security/permissions', view: 'Permission', permissions } as const
const resources = { name: 'resource', path: 'security/resources', view: 'ViewMenu', permissions } as const
const pairs = {
  name: 'permission_pair',
  path: 'security/permissions-resources',
  view: 'PermissionViewMenu',
  permissions,
} as const

const resourceName = () => text(1, 250)
export const ResourceNamePost = body({ name: resourceName() })
export const ResourceNamePut = body({ name: optional(resourceName()) })
export type ResourceNamePut = Static<typeof ResourceNamePut>

export const PermissionPairPost = body({ permission_id: Type.Integer(), view_menu_id: Type.Integer() })
export const PermissionPairPut = body({
  permission_id: optional(Type.Integer()),
  view_menu_id: optional(Type.Integer()),
})
export type PermissionPairPut = Static<typeof PermissionPairPut>

/** `/api/v1/security/permissions/`: names of permissions such as `can_read`. */
export const permissionNameRoutes = (() => {
  const { list, item, info } = readingRoutes({ ...names, listed: Named, detail: Named })
  return { list, item, info }
})()

/** `/api/v1/security/resources/`: views that permissions are granted on, such as `Chart`. */
export const permissionViewRoutes = (() => {
  const { list, item, info } = readingRoutes({ ...resources, listed: Named, detail: Named })
  return {
    list,
    item,
    info,
    ...writingRoutes({ ...resources, post: ResourceNamePost, put: ResourceNamePut, errors: 'plain-422' }),
  }
})()

/** `/api/v1/security/permissions-resources/`: pairs of both, which roles hold. */
export const permissionPairRoutes = (() => {
  const { list, item, info } = readingRoutes({ ...pairs, listed: PermissionPairRow, detail: PermissionPairRow })
  return {
    list,
    item,
    info,
    ...writingRoutes({ ...pairs, post: PermissionPairPost, put: PermissionPairPut, errors: 'plain-422' }),
  }
})()
