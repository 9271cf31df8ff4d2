import Type, { type Static } from 'typebox'
import { body, MessageBody, nullish, openObject, text } from './fields.ts'
import { defineRoute } from './route.ts'

const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

const keyFields = {
  uuid: Type.String(),
  name: Type.String(),
  key_prefix: Type.String(),
  scopes: nullableText,
  created_on: Type.String(),
  expires_on: nullableText,
}

/** An API key without the key itself. Times are ISO text in UTC without a zone. */
export const ApiKeyDescription = openObject({
  ...keyFields,
  active: Type.Boolean(),
  revoked_on: nullableText,
  last_used_on: nullableText,
})
export type ApiKeyDescription = Static<typeof ApiKeyDescription>

const ApiKeyPost = body({
  name: text(1, 250),
  /** Comma-separated, such as `superset:chart:read,superset:dashboard:read`. */
  scopes: nullish(text(0, 2000)),
  expires_on: nullish(text(0, 40)),
})
export type ApiKeyPost = Static<typeof ApiKeyPost>

const ByUuid = Type.Object({ uuid: Type.String() })
const path = '/api/v1/security/api_keys/'
const write = { rate: 'write', csrf: 'token', errors: 'plain' } as const
const read = { errors: 'plain', method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none' } as const

/** Personal keys for programs, sent as `Authorization: Bearer sst_…`. */
export const apiKeyRoutes = {
  list: defineRoute({
    ...read,
    path,
    summary: 'Lists the API keys of the caller',
    reply: openObject({ result: Type.Array(ApiKeyDescription) }),
    can: ['can_list', 'ApiKey'],
    object: 'own keys only',
    fails: [],
  }),
  item: defineRoute({
    ...read,
    path: '/api/v1/security/api_keys/:uuid',
    summary: 'Returns an API key of the caller by UUID',
    params: ByUuid,
    reply: openObject({ result: ApiKeyDescription }),
    can: ['can_get', 'ApiKey'],
    object: 'own keys only',
    fails: ['not_found'],
  }),
  create: defineRoute({
    ...write,
    method: 'POST',
    path,
    summary: 'Creates an API key; only this response contains the key itself',
    body: ApiKeyPost,
    success: [201],
    reply: openObject({ result: openObject({ ...keyFields, key: Type.String() }) }),
    can: ['can_create', 'ApiKey'],
    object: 'none',
    audit: 'api_key.create',
    refusesApiKeys: true,
    fails: ['invalid_payload', 'unprocessable'],
  }),
  revoke: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/security/api_keys/:uuid',
    summary: 'Revokes an API key of the caller',
    params: ByUuid,
    body: 'none',
    reply: MessageBody,
    can: ['can_revoke', 'ApiKey'],
    object: 'own keys only',
    audit: 'api_key.revoke',
    fails: ['not_found'],
  }),
  userKeys: defineRoute({
    ...read,
    path: '/api/v1/security/users/:id/api_keys/',
    summary: 'Lists the API keys of a user',
    params: Type.Object({ id: Type.Integer() }),
    reply: openObject({ result: Type.Array(ApiKeyDescription) }),
    can: ['can_get', 'User'],
    object: 'none: the permission covers all users',
    fails: ['not_found'],
  }),
  revokeUserKey: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/security/users/:id/api_keys/:uuid',
    summary: 'Revokes an API key of a user',
    params: Type.Object({ id: Type.Integer(), uuid: Type.String() }),
    body: 'none',
    reply: MessageBody,
    can: ['can_put', 'User'],
    object: 'none: the permission covers all users',
    audit: 'api_key.revoke',
    fails: ['not_found', 'forbidden'],
  }),
}
