import Type, { type Static } from 'typebox'
import { body, flag, MessageBody, nullable, openObject, text } from './fields.ts'
import { ById } from './resource.ts'
import { defineRoute } from './route.ts'

/** Number of digits in a code of an authenticator app. */
export const codeDigits = 6

/** The second factor of a user. Times are ISO text in UTC without a zone. */
export const SecondFactor = openObject({
  active: flag(),
  confirmed_on: nullable(Type.String()),
  /** Recovery codes that were not used. */
  recovery_codes_left: Type.Integer(),
  /** A role of the user requires one. */
  required: flag(),
})
export type SecondFactor = Static<typeof SecondFactor>

/** What an authenticator app needs: the secret as text, and as the address in a QR code. */
const AuthenticatorSecret = openObject({ secret: Type.String(), uri: Type.String() })
export type AuthenticatorSecret = Static<typeof AuthenticatorSecret>

const RecoveryCodes = Type.Array(Type.String())

/** Boot data `common.second_factor` of the sign-in page after a correct password. */
export type SecondStep = { step: 'code' } | ({ step: 'set-up' } & AuthenticatorSecret)

const Code = body({ code: text(1, 64) })
const CurrentPassword = body({ current_password: text(1, 1024) })

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'plain' } as const
const own = {
  csrf: 'token',
  errors: 'plain',
  can: 'signed-in',
  object: 'the caller',
  rate: 'sign-in',
  refusesApiKeys: true,
} as const
const path = '/api/v1/me/second_factor/'

/** Second factor: codes of an authenticator app (TOTP) and recovery codes. */
export const secondFactorRoutes = {
  item: defineRoute({
    ...read,
    path,
    summary: 'Returns whether the caller has a second factor',
    reply: openObject({ result: SecondFactor }),
    can: 'signed-in',
    object: 'the caller',
    fails: [],
  }),
  begin: defineRoute({
    ...own,
    method: 'POST',
    path,
    summary: 'Creates a secret for an authenticator app; it is used once a code confirms it',
    body: CurrentPassword,
    reply: openObject({ result: AuthenticatorSecret }),
    audit: 'second_factor.begin',
    fails: ['invalid_payload', 'unprocessable', 'too_many'],
  }),
  confirm: defineRoute({
    ...own,
    method: 'PUT',
    path,
    summary: 'Activates the second factor with a first code; only this response contains the recovery codes',
    body: Code,
    reply: openObject({ result: openObject({ recovery_codes: RecoveryCodes }) }),
    audit: 'second_factor.activate',
    fails: ['invalid_payload', 'unprocessable', 'too_many'],
  }),
  renewCodes: defineRoute({
    ...own,
    method: 'POST',
    path: '/api/v1/me/second_factor/recovery_codes',
    summary: 'Replaces the recovery codes',
    body: CurrentPassword,
    reply: openObject({ result: openObject({ recovery_codes: RecoveryCodes }) }),
    audit: 'second_factor.recovery_codes',
    fails: ['invalid_payload', 'unprocessable', 'too_many'],
  }),
  disable: defineRoute({
    ...own,
    method: 'POST',
    path: '/api/v1/me/second_factor/disable',
    summary: 'Removes the second factor, unless a role requires one',
    body: CurrentPassword,
    reply: MessageBody,
    audit: 'second_factor.disable',
    fails: ['invalid_payload', 'unprocessable', 'too_many'],
  }),
  userItem: defineRoute({
    ...read,
    path: '/api/v1/security/users/:id/second_factor/',
    summary: 'Returns whether a user has a second factor',
    params: ById,
    reply: openObject({ result: SecondFactor }),
    can: ['can_get', 'User'],
    object: 'none: the permission covers all users',
    fails: ['not_found'],
  }),
  userReset: defineRoute({
    method: 'DELETE',
    path: '/api/v1/security/users/:id/second_factor/',
    summary: 'Removes the second factor of a user who lost it',
    params: ById,
    body: 'none',
    reply: MessageBody,
    can: ['can_put', 'User'],
    object: 'none: the permission covers all users',
    rate: 'write',
    audit: 'second_factor.reset',
    csrf: 'token',
    errors: 'plain',
    refusesApiKeys: true,
    fails: ['not_found', 'forbidden'],
  }),
  roleItem: defineRoute({
    ...read,
    path: '/api/v1/security/roles/:id/second_factor/',
    summary: 'Returns whether users with a role must sign in with a second factor',
    params: ById,
    reply: openObject({ result: openObject({ required: flag() }) }),
    can: ['can_get', 'Role'],
    object: 'none: the permission covers all roles',
    fails: ['not_found'],
  }),
  roleUpdate: defineRoute({
    method: 'PUT',
    path: '/api/v1/security/roles/:id/second_factor/',
    summary: 'Sets whether users with a role must sign in with a second factor; for administrators',
    params: ById,
    body: body({ required: flag() }),
    reply: openObject({ result: openObject({ required: flag() }) }),
    can: ['can_put', 'Role'],
    object: 'none: the permission covers all roles',
    rate: 'write',
    audit: 'role.second_factor',
    csrf: 'token',
    errors: 'plain',
    refusesApiKeys: true,
    fails: ['invalid_payload', 'not_found', 'forbidden'],
  }),
  secondStep: defineRoute({
    method: 'POST',
    path: '/api/v1/security/second_step',
    summary: 'Completes a sign-in in a browser with a code, after the password was correct',
    body: Code,
    reply: openObject({ signed_in: flag(), recovery_codes: Type.Optional(RecoveryCodes) }),
    can: 'anyone',
    object: 'the sign-in of the cookie',
    rate: 'sign-in',
    audit: 'sign-in',
    csrf: 'token',
    errors: 'plain',
    fails: ['invalid_payload', 'not_signed_in', 'unprocessable', 'too_many'],
  }),
}
