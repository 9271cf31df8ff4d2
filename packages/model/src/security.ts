import Type, { type Static } from 'typebox'
import type { BootUser } from './boot.ts'
import { body, emailAddress, openObject, optional, text } from './fields.ts'
import { defineRoute } from './route.ts'

/** Body of a sign-in. `refresh` may also be text; other fields are ignored, because some clients send extra fields. */
export const Login = Type.Object({
  username: Type.String(),
  password: Type.String(),
  provider: Type.Optional(Type.Unsafe<'db' | 'ldap'>({ type: 'string' })),
  /** Code of the second factor, for accounts that have one. */
  code: Type.Optional(Type.String()),
  refresh: Type.Optional(Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')])),
})
export type Login = Static<typeof Login>

const Tokens = openObject({ access_token: Type.String(), refresh_token: Type.Optional(Type.String()) })

export const login = defineRoute({
  method: 'POST',
  path: '/api/v1/security/login',
  summary: 'Signs in with a username and password and returns tokens',
  body: Login,
  reply: Tokens,
  can: 'anyone',
  object: 'none',
  rate: 'sign-in',
  audit: 'sign-in',
  csrf: 'none',
  errors: 'plain',
  fails: ['not_signed_in', 'invalid_payload', 'too_many'],
  notJson: 'Request payload is not JSON',
})

export const refresh = defineRoute({
  method: 'POST',
  path: '/api/v1/security/refresh',
  summary: 'Returns a new access token for the refresh token sent as the bearer token',
  body: 'none',
  reply: openObject({ access_token: Type.String() }),
  can: 'anyone',
  object: 'none',
  rate: 'sign-in',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: ['not_signed_in', 'unprocessable'],
})

export const csrfToken = defineRoute({
  method: 'GET',
  path: '/api/v1/security/csrf_token/',
  summary: 'Returns the CSRF token that write requests with the session cookie require',
  body: 'none',
  reply: openObject({ result: Type.String() }),
  can: 'identified',
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
})

const CurrentUser = openObject({
  result: openObject({
    id: Type.Union([Type.Integer(), Type.Null()]),
    username: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    email: Type.String(),
    is_active: Type.Boolean(),
    is_anonymous: Type.Boolean(),
  }),
})

export const me = defineRoute({
  method: 'GET',
  path: '/api/v1/me/',
  summary: 'Returns the current user',
  body: 'none',
  reply: CurrentUser,
  can: 'identified',
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
})

/** A new password requires the current one. */
const MePut = body({
  first_name: optional(text(1, 64)),
  last_name: optional(text(1, 64)),
  email: optional(emailAddress()),
  password: optional(text(1, 1024)),
  current_password: optional(text(1, 1024)),
})

export const updateMe = defineRoute({
  method: 'PUT',
  path: '/api/v1/me/',
  summary: 'Changes the name, email address or password of the current user; a new password ends all other sessions',
  body: MePut,
  reply: CurrentUser,
  can: ['can_write', 'CurrentUserRestApi'],
  object: 'the caller',
  rate: 'write',
  audit: 'user.update',
  csrf: 'token',
  errors: 'plain',
  fails: ['invalid_payload', 'unprocessable', 'too_many'],
})

/** Password change of the signed-in user, who must enter the current password. */
const NewPassword = Type.Object({ current: Type.String(), password: Type.String() }, { additionalProperties: false })

export const changePassword = defineRoute({
  method: 'POST',
  path: '/api/v1/me/password',
  summary: 'Changes the password of the current user and ends all other sessions of the user',
  body: NewPassword,
  reply: openObject({ message: Type.String() }),
  can: 'signed-in',
  object: 'none',
  rate: 'sign-in',
  audit: 'password.change',
  refusesApiKeys: true,
  csrf: 'token',
  errors: 'plain',
  fails: ['invalid_payload', 'unprocessable', 'too_many'],
})

export const myRoles = defineRoute({
  method: 'GET',
  path: '/api/v1/me/roles/',
  summary: 'Returns the current user with roles and permissions',
  body: 'none',
  reply: openObject({ result: Type.Unsafe<BootUser>({ type: 'object' }) }),
  can: 'identified',
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
})
