import Type, { type Static } from 'typebox'
import { auditFields, body, ids, nullable, openObject, optional, revisionFields, row, text } from './fields.ts'
import { ById, readingRoutes, RelatedQuery, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

const roleName = () => text(1, 64)

export const RolePost = body({
  name: roleName(),
  /** Id of a role whose permissions the new one starts with. */
  copy_of: optional(Type.Integer()),
})
export type RolePost = Static<typeof RolePost>

export const RolePut = body({ name: optional(roleName()), ...revisionFields })
export type RolePut = Static<typeof RolePut>

/**
 * Why the feature permissions of a role cannot be changed: `start`, they are written again whenever the server starts;
 * `public_role_like`, they are those of the role in this setting. Null: they can be changed.
 */
export const roleFixations = ['start', 'public_role_like'] as const
export type RoleFixation = (typeof roleFixations)[number]

const Role = row({
  id: Type.Integer(),
  uuid: Type.String(),
  name: Type.String(),
  is_built_in: Type.Boolean(),
  fixed_by: Type.Unsafe<RoleFixation | null>({ type: ['string', 'null'], enum: [...roleFixations, null] }),
  /** Number of users who hold the role themselves. */
  user_count: Type.Integer(),
  group_count: Type.Integer(),
  permission_count: Type.Integer(),
  ...auditFields,
})

/** `q` of `roles/search/`. Columns that are no filters are ignored. */
export const RoleSearchQuery = Type.Object({
  filters: Type.Optional(
    Type.Array(
      Type.Object({
        col: Type.String(),
        value: Type.Unsafe<number | string>({ anyOf: [{ type: 'number' }, { type: 'string' }] }),
      }),
    ),
  ),
  order_column: Type.Optional(Type.String()),
  order_direction: Type.Optional(Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'] })),
  page: Type.Optional(Type.Integer()),
  page_size: Type.Optional(Type.Integer()),
})
export type RoleSearchQuery = Static<typeof RoleSearchQuery>

const part = {
  name: 'role',
  path: 'security/roles',
  view: 'Role',
  permissions: {
    list: 'can_get_list',
    item: 'can_get',
    info: 'can_info',
    create: 'can_post',
    update: 'can_put',
    remove: 'can_delete',
  },
} as const

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'plain' } as const
const write = { params: ById, rate: 'write', csrf: 'token', errors: 'plain' } as const
const changeFailures = ['invalid_payload', 'forbidden', 'not_found', 'unprocessable', 'conflict'] as const

/** A user or group that holds a role. */
const RoleMember = openObject({
  type: Type.Unsafe<'user' | 'group'>({ type: 'string', enum: ['user', 'group'] }),
  id: Type.Integer(),
  label: Type.String(),
  secondary_label: Type.String(),
  /** State of a user; null for groups. */
  active: nullable(Type.Boolean()),
})

/** `/api/v1/security/roles/`: what the holders of a role may do, and who holds it. */
export const roleRoutes = (() => {
  const { list, item, info } = readingRoutes({ ...part, listed: Role, detail: Role })
  return {
    list,
    item,
    info,
    ...writingRoutes({ ...part, post: RolePost, put: RolePut, errors: 'plain-422' }),
    search: defineRoute({
      ...read,
      path: '/api/v1/security/roles/search/',
      summary: 'Lists roles with the ids of their users, groups and permissions',
      rison: RoleSearchQuery,
      reply: openObject({
        count: Type.Integer(),
        ids: Type.Array(Type.Integer()),
        result: Type.Array(
          openObject({
            id: Type.Integer(),
            name: Type.String(),
            user_ids: Type.Array(Type.Integer()),
            permission_ids: Type.Array(Type.Integer()),
            group_ids: Type.Array(Type.Integer()),
          }),
        ),
      }),
      can: ['can_list_roles', 'RoleRestAPI'],
      object: 'none',
      fails: ['bad_request'],
    }),
    permissions: defineRoute({
      ...read,
      path: '/api/v1/security/roles/:id/permissions/',
      summary: 'Lists the permissions of a role',
      params: ById,
      reply: openObject({
        result: Type.Array(
          openObject({ id: Type.Integer(), permission_name: Type.String(), view_menu_name: Type.String() }),
        ),
      }),
      can: ['can_list_role_permissions', 'Role'],
      object: 'none',
      fails: ['not_found'],
    }),
    setPermissions: defineRoute({
      ...write,
      method: 'POST',
      path: '/api/v1/security/roles/:id/permissions',
      summary: 'Replaces the permissions of a role; unknown ids are ignored',
      body: body({ permission_view_menu_ids: Type.Array(Type.Integer(), { maxItems: 100_000 }), ...revisionFields }),
      reply: openObject({ result: openObject({ permission_view_menu_ids: Type.Array(Type.Integer()) }) }),
      can: ['can_add_role_permissions', 'Role'],
      object: 'the role; the feature permissions of built-in roles are fixed',
      audit: 'role.permissions',
      bodyLimit: 2 << 20,
      fails: changeFailures,
    }),
    setUsers: defineRoute({
      ...write,
      method: 'PUT',
      path: '/api/v1/security/roles/:id/users',
      summary: 'Replaces the users who hold a role',
      body: body({ user_ids: ids(), ...revisionFields }),
      reply: openObject({ result: openObject({ user_ids: Type.Array(Type.Integer()) }) }),
      can: ['can_update_role_users', 'Role'],
      object: 'the role; every user in the body',
      audit: 'role.users',
      fails: changeFailures,
    }),
    setGroups: defineRoute({
      ...write,
      method: 'PUT',
      path: '/api/v1/security/roles/:id/groups',
      summary: 'Replaces the groups that hold a role',
      body: body({ group_ids: ids(), ...revisionFields }),
      reply: openObject({ result: openObject({ group_ids: Type.Array(Type.Integer()) }) }),
      can: ['can_update_role_groups', 'Role'],
      object: 'the role; every group in the body',
      audit: 'role.groups',
      fails: changeFailures,
    }),
    members: defineRoute({
      ...read,
      path: '/api/v1/security/roles/:id/members/',
      summary: 'Lists the users and groups that hold a role',
      params: ById,
      rison: RelatedQuery,
      reply: openObject({ count: Type.Integer(), result: Type.Array(RoleMember) }),
      can: ['can_get', 'Role'],
      object: 'none',
      fails: ['bad_request', 'not_found'],
    }),
    changeMembers: defineRoute({
      ...write,
      method: 'POST',
      path: '/api/v1/security/roles/:id/members/',
      summary: 'Gives a role to users and groups and takes it from others',
      body: body({
        add_users: optional(ids()),
        remove_users: optional(ids()),
        add_groups: optional(ids()),
        remove_groups: optional(ids()),
      }),
      reply: openObject({ message: Type.String() }),
      can: ['can_update_role_users', 'Role'],
      object: 'the role; every user and group in the body',
      audit: 'role.members',
      fails: changeFailures,
    }),
  }
})()

const page = {
  ...read,
  reply: 'page',
  object: 'none',
  fails: ['not_found'],
} as const

/** Pages that older clients read instead of the API. */
export const rolePages = {
  list: defineRoute({
    ...page,
    path: '/roles/list/',
    summary: 'Lists roles as an HTML table',
    query: Type.Object({
      psize_RoleModelView: Type.Optional(Type.Integer()),
      page_RoleModelView: Type.Optional(Type.Integer()),
      /** Exact name. */
      _flt_3_name: Type.Optional(Type.String()),
    }),
    can: ['can_list', 'RoleModelView'],
  }),
  edit: defineRoute({
    ...page,
    path: '/roles/edit/:id',
    summary: 'Shows the permissions and users of a role as an HTML form',
    params: ById,
    can: ['can_edit', 'RoleModelView'],
  }),
}
