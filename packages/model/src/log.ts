import Type, { type Static } from 'typebox'
import { openObject, AnyObject } from './fields.ts'
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

const recent = {
  method: 'GET',
  body: 'none',
  rison: RecentQuery,
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
    path: '/api/v1/log/recent_activity/',
    summary: 'Lists the recent activity of the caller',
  }),
  recentActivityOf: defineRoute({
    ...recent,
    path: '/api/v1/log/recent_activity/:id/',
    summary: 'Lists the recent activity of a user',
    params: Type.Object({ id: Type.Integer() }),
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
