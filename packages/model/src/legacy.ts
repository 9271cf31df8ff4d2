import Type from 'typebox'
import { openObject, AnyObject } from './fields.ts'
import { defineRoute } from './route.ts'

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'legacy' } as const

/** Calls from before `/api/v1` that scripts still use. New code does not need them. */
export const legacyRoutes = {
  formData: defineRoute({
    ...read,
    path: '/api/v1/form_data/',
    summary: 'Returns the form data of a saved chart; empty if the chart does not exist',
    query: Type.Object({ slice_id: Type.Optional(Type.Integer()) }),
    reply: openObject({}),
    can: ['can_query_form_data', 'Api'],
    object: 'the chart must be visible',
    errors: 'plain-legacy',
    fails: [],
  }),
  queries: defineRoute({
    ...read,
    path: '/superset/queries/:since',
    summary: 'Returns the caller’s queries that changed since a time in milliseconds, by client ID',
    params: Type.Object({ since: Type.Number() }),
    reply: openObject({}),
    can: ['can_queries', 'Superset'],
    object: 'the caller’s own queries only',
    fails: [],
  }),
  results: defineRoute({
    ...read,
    path: '/superset/results/:key/',
    summary: 'Returns the stored result of a query',
    params: Type.Object({ key: Type.String() }),
    reply: 'bytes',
    can: ['can_get_results', 'SQLLab'],
    object: 'the caller’s own queries, as long as the caller may read every table in them',
    audit: 'sqllab.results',
    errors: 'typed',
    fails: ['gone', 'query_access'],
  }),
  datasources: defineRoute({
    ...read,
    path: '/superset/datasources/',
    summary: 'Lists datasets with basic fields',
    reply: Type.Array(AnyObject),
    can: ['can_datasources', 'Superset'],
    object: 'visible datasets only',
    fails: [],
  }),
  dashboards: defineRoute({
    ...read,
    path: '/dashboardasync/api/read',
    summary: 'Lists dashboards with basic fields; `_flt_0_owners` filters by owner',
    query: Type.Object({ _flt_0_owners: Type.Optional(Type.Integer()) }),
    reply: openObject({ count: Type.Integer(), pks: Type.Array(Type.Integer()), result: Type.Array(AnyObject) }),
    can: ['can_read', 'Dashboard'],
    object: 'visible dashboards only',
    fails: [],
  }),
  stars: defineRoute({
    ...read,
    path: '/superset/favstar/:kind/:id/count/',
    summary: 'Returns 1 if a chart or dashboard is a favorite of the caller, else 0',
    params: Type.Object({ kind: Type.String(), id: Type.Integer() }),
    reply: openObject({ count: Type.Integer() }),
    can: ['can_favstar', 'Superset'],
    object: 'the caller’s own favorites',
    fails: ['not_found'],
  }),
}
