import Type, { type Static } from 'typebox'
import type { DataMask } from './dashboard-stream.ts'
import { openObject, AnyObject, body, id, jsonText, optional, nullish, nullable, text } from './fields.ts'
import { ById, ListQuery } from './resource.ts'
import { defineRoute } from './route.ts'

const ownerTypes = ['User', 'Dashboard'] as const
const ownerType = (...types: (typeof ownerTypes)[number][]) =>
  Type.Unsafe<(typeof ownerTypes)[number]>({ type: 'string', enum: types })
/** JSON text of `FilterSetParams`, parsed by the use case. */
const params = jsonText()

/** Content of a filter set: the filters it was created from and their state. */
export interface FilterSetParams {
  nativeFilters: Record<string, unknown>
  dataMask?: DataMask
}

/** Body of `POST /api/v1/dashboard/{id}/filtersets`. */
export const FilterSetPost = body({
  name: text(1, 500),
  description: nullish(text(0, 10_000)),
  json_metadata: params,
  owner_type: ownerType(...ownerTypes),
  owner_id: optional(id()),
})
export type FilterSetPost = Static<typeof FilterSetPost>

/** Body of `PUT /api/v1/dashboard/{id}/filtersets/{fsId}`: a user's set can become the dashboard's, but not the reverse. */
export const FilterSetPut = body({
  name: optional(text(1, 500)),
  description: nullish(text(0, 10_000)),
  json_metadata: optional(params),
  owner_type: optional(ownerType('Dashboard')),
})
export type FilterSetPut = Static<typeof FilterSetPut>

/** A filter set in responses (NATF-032). */
export const FilterSet = openObject({
  id: Type.Integer(),
  name: Type.String(),
  description: nullable(Type.String()),
  owner_type: ownerType(...ownerTypes),
  owner_id: Type.Integer(),
  dashboard_id: Type.Integer(),
  params: Type.Unsafe<FilterSetParams>(AnyObject),
  created_on: Type.String(),
  changed_on: Type.String(),
  created_by_fk: nullable(Type.Integer()),
  changed_by_fk: nullable(Type.Integer()),
})
export type FilterSet = Static<typeof FilterSet>

const view = 'FilterSets'
const write = { rate: 'write', csrf: 'token', errors: 'plain' } as const
const BySet = Type.Object({ id: Type.Integer(), set: Type.Integer() })
const fails = ['invalid_payload', 'bad_request', 'forbidden', 'not_found'] as const

/** `/api/v1/dashboard/{id}/filtersets`, with the flag DASHBOARD_NATIVE_FILTERS_SET. */
export const filterSetRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/v1/dashboard/:id/filtersets',
    summary: 'Lists the filter sets of a dashboard: the caller’s own and those of the dashboard',
    params: ById,
    rison: ListQuery,
    body: 'none',
    reply: openObject({ count: Type.Integer(), ids: Type.Array(Type.Integer()), result: Type.Array(FilterSet) }),
    can: ['can_list', view],
    object: 'the dashboard must be visible; filter sets of other users are left out',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  }),
  create: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/dashboard/:id/filtersets',
    success: [201],
    summary: 'Creates a filter set',
    params: ById,
    body: FilterSetPost,
    reply: FilterSet,
    can: ['can_add', view],
    object: 'the dashboard must be visible; filter sets of the dashboard require its ownership',
    audit: 'filter_set.create',
    fails,
  }),
  update: defineRoute({
    ...write,
    method: 'PUT',
    path: '/api/v1/dashboard/:id/filtersets/:set',
    summary: 'Updates the given fields of a filter set',
    params: BySet,
    body: FilterSetPut,
    reply: FilterSet,
    can: ['can_edit', view],
    object: 'the dashboard must be visible; the filter set or the dashboard, by ownership',
    audit: 'filter_set.update',
    fails,
  }),
  remove: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/dashboard/:id/filtersets/:set',
    summary: 'Deletes a filter set; succeeds if it no longer exists',
    params: BySet,
    body: 'none',
    reply: openObject({ id: Type.Integer() }),
    can: ['can_delete', view],
    object: 'the dashboard must be visible; the filter set or the dashboard, by ownership',
    audit: 'filter_set.delete',
    fails: ['forbidden', 'not_found'],
  }),
}
