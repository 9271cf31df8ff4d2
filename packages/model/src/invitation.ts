import Type, { type Static } from 'typebox'
import { body, flag, id, MessageBody, nullable, nullish, openObject, optional, text } from './fields.ts'
import { ById } from './resource.ts'
import { defineRoute } from './route.ts'

const Named = openObject({ id: Type.Integer(), name: Type.String() })
const Author = nullable(openObject({ id: Type.Integer(), first_name: Type.String(), last_name: Type.String() }))

/** A link with which a person creates their account. Times are ISO text in UTC without a zone. */
export const Invitation = openObject({
  uuid: Type.String(),
  username: nullable(Type.String()),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  roles: Type.Array(Named),
  groups: Type.Array(Named),
  created_on: Type.String(),
  created_by: Author,
  expires_on: Type.String(),
})
export type Invitation = Static<typeof Invitation>

/** A link that only one response contains, and whether it was also sent by e-mail; null without a mail server or address. */
const newLink = { link: Type.String(), email_sent: nullable(flag()), email_error: nullable(Type.String()) }

/** Longest time for which invitations and reset links are valid. */
export const maxLinkHours = 30 * 24

const hours = () => Type.Integer({ minimum: 1, maximum: maxLinkHours })
const idList = () => Type.Array(id(), { maxItems: 1000 })

const InvitationPost = body({
  username: nullish(text(0, 250)),
  first_name: optional(text(0, 64)),
  last_name: optional(text(0, 64)),
  email: optional(text(0, 320)),
  roles: optional(idList()),
  groups: optional(idList()),
  expires_in_hours: optional(hours()),
})
export type InvitationPost = Static<typeof InvitationPost>

const AcceptedInvitation = body({
  token: text(1, 200),
  username: text(1, 250),
  first_name: text(0, 64),
  last_name: text(0, 64),
  email: text(0, 320),
  password: text(0, 2000),
})
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

/** A link with which a user sets a new password. */
export const ResetLink = openObject({
  uuid: Type.String(),
  created_on: Type.String(),
  created_by: Author,
  expires_on: Type.String(),
})
export type ResetLink = Static<typeof ResetLink>

const write = { rate: 'write', csrf: 'token', errors: 'plain', can: ['can_post', 'User'], object: 'none' } as const
const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'plain' } as const
const path = '/api/v1/security/invitations/'

/** Invitations of new users by link. */
export const invitationRoutes = {
  list: defineRoute({
    ...read,
    path,
    summary: 'Lists the invitations that are neither accepted nor expired, the newest first',
    reply: openObject({ result: Type.Array(Invitation) }),
    can: ['can_post', 'User'],
    object: 'none',
    fails: [],
  }),
  create: defineRoute({
    ...write,
    method: 'POST',
    path,
    summary: 'Creates an invitation; only this response contains its link',
    body: InvitationPost,
    success: [201],
    reply: openObject({ result: openObject({ ...Invitation.properties, ...newLink }) }),
    audit: 'invitation.create',
    fails: ['invalid_payload', 'unprocessable', 'forbidden'],
  }),
  revoke: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/security/invitations/:uuid',
    summary: 'Revokes an invitation',
    params: Type.Object({ uuid: Type.String() }),
    body: 'none',
    reply: MessageBody,
    audit: 'invitation.revoke',
    fails: ['not_found'],
  }),
  accept: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/security/invitations/accept',
    summary: 'Creates the account of an invited user and signs in with a session cookie',
    body: AcceptedInvitation,
    reply: openObject({ signed_in: flag() }),
    can: 'anyone',
    rate: 'sign-in',
    audit: 'invitation.accept',
    fails: ['invalid_payload', 'unprocessable', 'not_found'],
  }),
}

/** Links with which users set a new password. */
export const resetLinkRoutes = {
  list: defineRoute({
    ...read,
    path: '/api/v1/security/users/:id/reset_links/',
    summary: 'Lists the links with which a user can set a new password',
    params: ById,
    reply: openObject({ result: Type.Array(ResetLink) }),
    can: ['can_get', 'User'],
    object: 'none: the permission covers all users',
    fails: ['not_found'],
  }),
  create: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/security/users/:id/reset_links/',
    summary: 'Creates a link with which a user sets a new password; earlier ones become invalid',
    params: ById,
    body: body({ expires_in_hours: optional(hours()) }),
    success: [201],
    reply: openObject({ result: openObject({ ...ResetLink.properties, ...newLink }) }),
    can: ['can_put', 'User'],
    audit: 'reset_link.create',
    refusesApiKeys: true,
    fails: ['invalid_payload', 'not_found', 'forbidden', 'unprocessable'],
  }),
  revoke: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/security/users/:id/reset_links/:uuid',
    summary: 'Revokes a link with which a user can set a new password',
    params: Type.Object({ id: Type.Integer(), uuid: Type.String() }),
    body: 'none',
    reply: MessageBody,
    can: ['can_put', 'User'],
    audit: 'reset_link.revoke',
    fails: ['not_found', 'forbidden'],
  }),
}

/** With a mail server and PARQUETRY_BASE_URL: sends a link for a new password to the account with this address, if there is one. */
export const forgotPassword = defineRoute({
  ...write,
  method: 'POST',
  path: '/api/v1/security/forgot_password',
  summary: 'Sends a link for a new password to an email address; the response is the same for every address',
  body: body({ email: text(1, 320) }),
  reply: MessageBody,
  can: 'anyone',
  rate: 'sign-in',
  audit: 'reset_link.request',
  fails: ['invalid_payload', 'not_found', 'too_many'],
})
