import Type from 'typebox'
import { openObject, AnyObject, nullish, optional } from './fields.ts'
import { defineRoute } from './route.ts'

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'legacy' } as const
const ofUser = { params: Type.Object({ user_id: Type.Integer() }) }

/** A chart or dashboard of a user; `dttm` is in milliseconds since 1970. Creators are in lists of favorites. */
const item = {
  id: Type.Integer(),
  title: Type.String(),
  url: Type.String(),
  dttm: Type.Number(),
  creator: optional(Type.String()),
  creator_url: optional(Type.String()),
}
const Charts = Type.Array(openObject({ ...item, viz_type: nullish(Type.String()) }))
/** `dashboard` is a link as HTML. */
const Dashboards = Type.Array(openObject({ ...item, dashboard: Type.String() }))

const charts = { ...read, reply: Charts, can: ['can_read', 'Chart'], fails: ['not_found'] } as const
const dashboards = { ...read, reply: Dashboards, can: ['can_read', 'Dashboard'], fails: ['not_found'] } as const
const created = { object: 'visible objects only' } as const
const favorites = {
  object: 'the caller’s own favorites; administrators see those of any user; visible objects only',
  fails: ['not_found', 'forbidden'],
} as const

/**
 * Lists of a user's charts and dashboards from before `/api/v1`. They ask for the permissions of the lists that replaced them
 * (decision 0229).
 */
export const legacyListRoutes = {
  createdDashboards: defineRoute({
    ...dashboards,
    ...created,
    ...ofUser,
    path: '/superset/created_dashboards/:user_id/',
    summary: 'Lists dashboards that a user created or changed last',
  }),
  createdCharts: defineRoute({
    ...charts,
    ...created,
    path: '/superset/created_slices',
    summary: 'Lists charts that the caller created or changed last',
  }),
  createdChartsOf: defineRoute({
    ...charts,
    ...created,
    ...ofUser,
    path: '/superset/created_slices/:user_id/',
    summary: 'Lists charts that a user created or changed last',
  }),
  userCharts: defineRoute({
    ...charts,
    ...favorites,
    path: '/superset/user_slices',
    summary: 'Lists charts that the caller owns or marked as favorites, with their form data',
  }),
  userChartsOf: defineRoute({
    ...charts,
    ...favorites,
    ...ofUser,
    path: '/superset/user_slices/:user_id/',
    summary: 'Lists charts that a user owns or marked as favorites, with their form data',
  }),
  favoriteCharts: defineRoute({
    ...charts,
    ...favorites,
    path: '/superset/fave_slices',
    summary: 'Lists the favorite charts of the caller',
  }),
  favoriteChartsOf: defineRoute({
    ...charts,
    ...favorites,
    ...ofUser,
    path: '/superset/fave_slices/:user_id/',
    summary: 'Lists the favorite charts of a user',
  }),
  favoriteDashboards: defineRoute({
    ...dashboards,
    ...favorites,
    ...ofUser,
    path: '/superset/fave_dashboards/:user_id/',
    summary: 'Lists the favorite dashboards of a user',
  }),
  favoriteDashboardsByName: defineRoute({
    ...dashboards,
    ...favorites,
    path: '/superset/fave_dashboards_by_username/:username/',
    params: Type.Object({ username: Type.String() }),
    summary: 'Lists the favorite dashboards of a user by name',
  }),
  savedQueries: defineRoute({
    ...read,
    path: '/savedqueryviewapi/api/read',
    summary: 'Lists saved queries for clients older than `/api/v1`',
    reply: openObject({ count: Type.Integer(), pks: Type.Array(Type.Integer()), result: Type.Array(AnyObject) }),
    can: ['can_read', 'SavedQuery'],
    object: 'the caller’s own saved queries only',
    fails: [],
  }),
}
