import Type, { type Static } from 'typebox'
import { openObject, body, optional, nullish, text } from './fields.ts'
import { defineRoute } from './route.ts'

/** Result of warming up the cache for a chart. */
export const WarmedChart = openObject({
  chart_id: Type.Integer(),
  viz_error: Type.Union([Type.String(), Type.Null()]),
  viz_status: Type.Union([Type.String(), Type.Null()]),
})
export type WarmedChart = Static<typeof WarmedChart>

const laidOver = {
  dashboard_id: nullish(Type.Integer()),
  /** JSON text of a list of `{ col, op, val }`. */
  extra_filters: nullish(Type.String({ maxLength: 100_000 })),
}
const shared = { method: 'PUT', rate: 'query', csrf: 'token', errors: 'plain' } as const
const reply = openObject({ result: Type.Array(WarmedChart) })

/** Calls that refresh cached results or invalidate them. */
export const warmUpRoutes = {
  chart: defineRoute({
    ...shared,
    path: '/api/v1/chart/warm_up_cache',
    summary: 'Refreshes the cached results of a chart',
    body: body({ chart_id: Type.Integer(), ...laidOver }),
    reply,
    can: ['can_warm_up_cache', 'Superset'],
    object: 'the chart must be visible and its data readable',
    audit: 'chart.warm_up',
    fails: ['invalid_payload', 'not_found', 'bad_request'],
  }),
  /** Before `/api/v1`: `slice_id`, or `table_name` and `db_name`; the list itself, without an object around it. */
  older: defineRoute({
    ...shared,
    method: 'GET',
    csrf: 'none',
    path: '/superset/warm_up_cache/',
    summary: 'Refreshes the cached results of a chart, or of all visible charts of a table',
    query: Type.Object({
      slice_id: Type.Optional(Type.Integer()),
      table_name: Type.Optional(Type.String()),
      db_name: Type.Optional(Type.String()),
      dashboard_id: Type.Optional(Type.Integer()),
      extra_filters: Type.Optional(Type.String({ maxLength: 100_000 })),
    }),
    body: 'none',
    reply: Type.Array(openObject({ slice_id: Type.Integer() })),
    can: ['can_warm_up_cache', 'Superset'],
    object: 'the chart must be visible, or the dataset readable',
    audit: 'chart.warm_up',
    errors: 'legacy',
    fails: ['not_found', 'bad_request'],
  }),
  dataset: defineRoute({
    ...shared,
    path: '/api/v1/dataset/warm_up_cache',
    summary: 'Refreshes the cached results of all visible charts of a table',
    body: body({ db_name: text(1), table_name: text(1), ...laidOver }),
    reply,
    can: ['can_warm_up_cache', 'Superset'],
    object: 'the dataset must be readable',
    audit: 'dataset.warm_up',
    fails: ['invalid_payload', 'not_found', 'bad_request'],
  }),
  invalidate: defineRoute({
    method: 'POST',
    path: '/api/v1/cachekey/invalidate',
    success: [201],
    summary: 'Deletes the cached results of datasets',
    body: body({
      /** For example `12__table`. */
      datasource_uids: optional(Type.Array(Type.String(), { maxItems: 10_000 })),
      datasources: optional(
        Type.Array(
          body({
            database_name: text(1),
            datasource_name: text(1),
            schema: nullish(Type.String()),
            catalog: nullish(Type.String()),
            datasource_type: optional(Type.String()),
          }),
          { maxItems: 10_000 },
        ),
      ),
    }),
    reply: Type.Object({}),
    can: ['can_invalidate', 'CacheRestApi'],
    object: 'none: the permission covers every dataset',
    rate: 'write',
    audit: 'cache.invalidate',
    csrf: 'token',
    errors: 'plain',
    fails: ['invalid_payload'],
  }),
}
