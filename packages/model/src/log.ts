import Type, { type Static } from 'typebox'
import { AnyObject, body, id, nullish, openObject, optional, text } from './fields.ts'
import { readingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

const RecentQuery = Type.Object({
  page: Type.Optional(Type.Number()),
  page_size: Type.Optional(Type.Number()),
  actions: Type.Optional(Type.Array(Type.String())),
  distinct: Type.Optional(Type.Boolean()),
})

/** A recently viewed object; `time` is in milliseconds since 1970. */
const RecentItem = openObject({
  action: Type.String(),
  item_type: Type.Unsafe<'dashboard' | 'chart'>({ type: 'string', enum: ['dashboard', 'chart'] }),
  item_title: Type.String(),
  item_url: Type.String(),
  time: Type.Number(),
  time_delta_humanized: Type.String(),
})
export type RecentItem = Static<typeof RecentItem>

/** An entry that a client adds; the user and the time are those of the call. */
export const LogPost = body({
  action: text(1, 200),
  json: nullish(text(0, 65_536)),
  dashboard_id: nullish(id()),
  slice_id: nullish(id()),
  duration_ms: nullish(Type.Integer({ minimum: 0 })),
  referrer: nullish(text(0, 1024)),
})
export type LogPost = Static<typeof LogPost>

const recent = {
  method: 'GET',
  body: 'none',
  reply: openObject({
    result: Type.Array(RecentItem),
  }),
  can: ['can_recent_activity', 'Log'],
  object: 'the caller’s own activity; administrators see the activity of any user',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: ['bad_request', 'forbidden'],
} as const

const { list, item } = readingRoutes({ name: 'log', view: 'Log', listed: AnyObject, detail: AnyObject })

/** `/api/v1/log/`: the action log. */
export const logRoutes = {
  list,
  item,
  recentActivity: defineRoute({
    ...recent,
    rison: RecentQuery,
    path: '/api/v1/log/recent_activity/',
    summary: 'Lists the recent activity of the caller',
  }),
  recentActivityOf: defineRoute({
    ...recent,
    rison: RecentQuery,
    path: '/api/v1/log/recent_activity/:id/',
    summary: 'Lists the recent activity of a user',
    params: Type.Object({ id: Type.Integer() }),
  }),
  /** Before `/api/v1`: the list itself, without an object around it. */
  olderRecentActivity: defineRoute({
    ...recent,
    path: '/superset/recent_activity/:id/',
    summary: 'Lists the recent activity of a user for clients older than `/api/v1`',
    params: Type.Object({ id: Type.Integer() }),
    query: Type.Object({ limit: optional(Type.Integer()), actions: optional(Type.String()) }),
    reply: Type.Array(RecentItem),
    can: ['can_recent_activity', 'Superset'],
    errors: 'legacy',
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/v1/log/',
    summary: 'Adds an entry of the caller to the action log',
    body: LogPost,
    reply: openObject({ id: Type.Integer(), result: AnyObject }),
    success: [201],
    can: ['can_write', 'Log'],
    object: 'none: the entry names the caller as its user',
    rate: 'write',
    audit: 'log.create',
    csrf: 'token',
    errors: 'plain-422',
    fails: ['invalid_payload'],
  }),
  /** Events of the client; the form field `events` contains a JSON list. */
  events: defineRoute({
    method: 'POST',
    path: '/superset/log/',
    summary: 'Records the events that the client collected',
    query: Type.Object(
      {
        explode: Type.Optional(Type.String()),
        dashboard_id: Type.Optional(Type.String()),
        slice_id: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
    body: 'form',
    form: Type.Object({ events: Type.Optional(Type.String()) }, { additionalProperties: Type.String() }),
    reply: 'bytes',
    can: ['can_log', 'Superset'],
    object: 'none',
    rate: 'write',
    audit: 'none',
    csrf: 'same-origin',
    errors: 'legacy',
    fails: ['bad_request'],
  }),
}
