import Type, { type Static, type TSchema } from 'typebox'
import {
  AnyObject,
  body,
  emailAddress,
  flag,
  ids,
  nullable,
  openObject,
  optional,
  revisionFields,
  row,
  text,
} from './fields.ts'
import { ById, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

/** Values by attribute name, such as the regions of a user, for templates of row-level security rules. */
export const Attributes = Type.Record(Type.String(), Type.Array(text(1, 1000), { maxItems: 1000 }))
export type Attributes = Static<typeof Attributes>

const username = () => text(1, 250)
const name = () => text(0, 64)

export const UserPost = body({
  username: username(),
  first_name: name(),
  last_name: name(),
  email: emailAddress(),
  password: text(1, 1024),
  active: optional(flag()),
  /** Ids of roles. */
  roles: optional(ids()),
  /** Ids of groups. */
  groups: optional(ids()),
  attributes: optional(Attributes),
})
export type UserPost = Static<typeof UserPost>

export const UserPut = body({
  username: optional(username()),
  first_name: optional(name()),
  last_name: optional(name()),
  email: optional(emailAddress()),
  /** Empty leaves it unchanged. */
  password: optional(text(0, 1024)),
  active: optional(flag()),
  roles: optional(ids()),
  groups: optional(ids()),
  attributes: optional(Attributes),
  ...revisionFields,
})
export type UserPut = Static<typeof UserPut>

export const Named = row({ id: Type.Integer(), name: Type.String() })
const WithId = row({ id: Type.Integer() })

/** Columns that lists and details of users and groups have in common. */
export const accountColumns = {
  id: Type.Integer(),
  uuid: Type.String(),
  roles: Type.Array(Named),
  attributes: Attributes,
  created_on: Type.String(),
  changed_on: Type.String(),
  changed_on_delta_humanized: Type.String(),
  created_by: nullable(WithId),
  changed_by: nullable(WithId),
} satisfies Record<string, TSchema>

const User = row({
  ...accountColumns,
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  active: Type.Boolean(),
  groups: Type.Array(Named),
  last_login: nullable(Type.String()),
  login_count: Type.Integer(),
  fail_login_count: Type.Integer(),
  has_password: Type.Boolean(),
})

/** Kinds of content that belong to a user. */
export const ownedKinds = [
  'dashboard',
  'chart',
  'dataset',
  'saved_query',
  'database',
  'row_rule',
  'table',
  'report',
] as const
export type OwnedKind = (typeof ownedKinds)[number]

const OwnedContent = openObject({
  result: Type.Array(
    openObject({
      kind: Type.Unsafe<OwnedKind>({ type: 'string', enum: [...ownedKinds] }),
      count: Type.Integer(),
      /** The first ones by name. */
      items: Type.Array(openObject({ id: Type.Integer(), name: Type.String() })),
    }),
  ),
})

const part = {
  name: 'user',
  view: 'User',
  path: 'security/users',
  permissions: {
    list: 'can_get_list',
    item: 'can_get',
    info: 'can_info',
    create: 'can_post',
    update: 'can_put',
    remove: 'can_delete',
  },
} as const

/** `/api/v1/security/users/`: accounts, with their roles and groups. */
export const userRoutes = (() => {
  const { list, item, info } = readingRoutes({ ...part, listed: User, detail: User })
  const writing = writingRoutes({ ...part, post: UserPost, put: UserPut })
  return {
    list,
    item,
    info,
    ...writing,
    owned: defineRoute({
      method: 'GET',
      path: '/api/v1/security/users/:id/owned',
      summary: 'Lists what a user owns',
      params: ById,
      body: 'none',
      reply: OwnedContent,
      can: ['can_get', 'User'],
      object: 'the object must be visible',
      rate: 'read',
      audit: 'none',
      csrf: 'none',
      errors: 'plain',
      fails: ['not_found'],
    }),
    transfer: defineRoute({
      method: 'POST',
      path: '/api/v1/security/users/:id/transfer',
      summary: 'Makes another user the owner of everything that a user owns',
      params: ById,
      /** Id of the new owner. */
      body: body({ to: Type.Integer() }),
      reply: openObject({ result: AnyObject }),
      can: ['can_put', 'User'],
      object: 'the object must be visible',
      rate: 'write',
      audit: 'user.transfer',
      csrf: 'token',
      errors: 'plain',
      fails: ['invalid_payload', 'forbidden', 'not_found', 'unprocessable'],
    }),
  }
})()

/** `GET /api/v1/user/{id}/avatar.png`: no user has an image, so the interface shows initials. */
export const avatar = defineRoute({
  method: 'GET',
  path: '/api/v1/user/:id/avatar.png',
  summary: 'Returns the image of a user; empty, because users have none',
  params: ById,
  body: 'none',
  reply: 'bytes',
  success: [204],
  can: 'signed-in',
  object: 'the user must exist',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: ['not_found'],
})

/** `/users/list/`: the list as a page of an earlier release, which its command line tools read. */
export const legacyUserList = defineRoute({
  method: 'GET',
  path: '/users/list/',
  summary: 'Returns the list of users as a page for older clients',
  query: Type.Object({
    psize_UserDBModelView: Type.Optional(Type.String()),
    page_UserDBModelView: Type.Optional(Type.String()),
  }),
  body: 'none',
  reply: 'page',
  can: ['can_list', 'UserDBModelView'],
  object: 'visible objects only',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: ['not_found'],
})
