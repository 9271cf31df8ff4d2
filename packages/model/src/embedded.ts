import Type from 'typebox'
import { openObject, body, MessageBody } from './fields.ts'
import { defineRoute } from './route.ts'

const ByName = Type.Object({ id: Type.String() })
const Config = body({ allowed_domains: Type.Array(Type.String()) })
const Embedded = openObject({
  result: openObject({ uuid: Type.String(), dashboard_id: Type.String(), allowed_domains: Type.Array(Type.String()) }),
})

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'plain' } as const
const write = {
  params: ByName,
  rate: 'write',
  csrf: 'token',
  errors: 'plain',
  can: ['can_set_embedded', 'Dashboard'],
  object: 'the dashboard must be visible',
} as const
const set = {
  ...write,
  path: '/api/v1/dashboard/:id/embedded',
  summary: 'Enables embedding of a dashboard and sets the allowed domains',
  body: Config,
  reply: Embedded,
  audit: 'dashboard.embed',
  fails: ['invalid_payload', 'not_found'],
} as const

/** Dashboards embedded in other pages, behind the flag EMBEDDED_SUPERSET. */
export const embeddedRoutes = {
  create: defineRoute({ ...set, method: 'POST' }),
  update: defineRoute({ ...set, method: 'PUT' }),
  remove: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/dashboard/:id/embedded',
    summary: 'Disables embedding of a dashboard',
    body: 'none',
    reply: MessageBody,
    audit: 'dashboard.unembed',
    fails: ['not_found'],
  }),
  ofDashboard: defineRoute({
    ...read,
    path: '/api/v1/dashboard/:id/embedded',
    summary: 'Returns the embedding settings of a dashboard',
    params: ByName,
    reply: Embedded,
    can: ['can_get_embedded', 'Dashboard'],
    object: 'the dashboard must be visible',
    fails: ['not_found'],
  }),
  item: defineRoute({
    ...read,
    path: '/api/v1/embedded_dashboard/:uuid',
    summary: 'Returns the embedding settings of an embed ID',
    params: Type.Object({ uuid: Type.String() }),
    reply: Embedded,
    can: ['can_read', 'EmbeddedDashboard'],
    object: 'the dashboard must be visible',
    fails: ['not_found'],
  }),
}

/** Body of a guest token; other fields are ignored, as in Superset's API. */
export const GuestTokenBody = Type.Object({
  user: Type.Optional(
    Type.Object({
      username: Type.Optional(Type.String()),
      first_name: Type.Optional(Type.String()),
      last_name: Type.Optional(Type.String()),
    }),
  ),
  resources: Type.Array(Type.Object({ type: Type.String(), id: Type.String() })),
  rls: Type.Array(Type.Object({ dataset: Type.Optional(Type.Integer()), clause: Type.String() })),
})
export type GuestTokenBody = Type.Static<typeof GuestTokenBody>

export const guestToken = defineRoute({
  method: 'POST',
  path: '/api/v1/security/guest_token/',
  summary: 'Creates a short-lived guest token for viewing embedded dashboards',
  body: GuestTokenBody,
  reply: openObject({ token: Type.String() }),
  can: ['can_grant_guest_token', 'SecurityRestApi'],
  object: 'each resource must be an embedded dashboard',
  rate: 'write',
  audit: 'guest token',
  csrf: 'token',
  csrfFirst: true,
  errors: 'plain',
  fails: ['invalid_payload', 'bad_request'],
})
