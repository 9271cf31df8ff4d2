import Type, { type Static } from 'typebox'
import { body, ids, nullable, nullish, optional, revisionFields, row, text } from './fields.ts'
import { readingRoutes, writingRoutes } from './resource.ts'
import { accountColumns, Attributes } from './user.ts'

const fields = {
  label: nullish(text(0, 150)),
  description: nullish(text(0, 512)),
  /** Ids of roles that all members get. */
  roles: optional(ids()),
  /** Ids of the members. */
  users: optional(ids()),
  attributes: optional(Attributes),
}

export const UserGroupPost = body({ name: text(1, 100), ...fields })
export type UserGroupPost = Static<typeof UserGroupPost>

export const UserGroupPut = body({ name: optional(text(1, 100)), ...fields, ...revisionFields })
export type UserGroupPut = Static<typeof UserGroupPut>

const Group = row({
  ...accountColumns,
  name: Type.String(),
  label: nullable(Type.String()),
  description: nullable(Type.String()),
  users: Type.Array(
    row({ id: Type.Integer(), username: Type.String(), first_name: Type.String(), last_name: Type.String() }),
  ),
  user_count: Type.Integer(),
  /** Names of the row-level security rules that name the group. */
  rules: Type.Array(row({ id: Type.Integer(), name: Type.String() })),
})

const part = {
  name: 'user_group',
  view: 'Group',
  path: 'security/groups',
  permissions: {
    list: 'can_get_list',
    item: 'can_get',
    info: 'can_info',
    create: 'can_post',
    update: 'can_put',
    remove: 'can_delete',
  },
} as const

/** `/api/v1/security/groups/`: users who share roles, attributes and row-level security rules. */
export const userGroupRoutes = (() => {
  const { list, item, info } = readingRoutes({ ...part, listed: Group, detail: Group })
  return { list, item, info, ...writingRoutes({ ...part, post: UserGroupPost, put: UserGroupPut }) }
})()
