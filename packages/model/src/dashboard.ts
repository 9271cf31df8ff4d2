import { recordSchema } from './record-schema.ts'
import Type from 'typebox'
import { DashboardChart, DashboardDataset, DashboardDetail, ListedDashboard } from './dashboard-responses.ts'
import {
  openObject,
  body,
  flag,
  id,
  ids,
  jsonText,
  managedFields,
  optional,
  nullish,
  MessageBody,
  AnyObject,
  revisionFields,
  text,
  unchangeable,
} from './fields.ts'
import type { DataMask } from './dashboard-stream.ts'
import { bulkDelete, ById, favoriteRoutes, readingRoutes, thumbnail, writingRoutes } from './resource.ts'
import { dashboardScreenshots } from './screenshot.ts'
import { defineRoute } from './route.ts'

/** Layouts may be large. */
const layoutLimit = 8 << 20

const shared = {
  theme_id: nullish(id()),
  /** Ids of users: replaces the owners that are users. */
  owners: optional(ids()),
  /** Ids of subjects: replaces all owners. */
  editors: optional(ids()),
  /** Ids of roles: replaces the viewers that are roles. */
  roles: optional(ids()),
  /** Ids of subjects: replaces all viewers. */
  viewers: optional(ids()),
  certified_by: nullish(text()),
  certification_details: nullish(text()),
  ...managedFields,
}

/** Body of `POST /api/v1/dashboard/`. */
export const DashboardPost = body({
  dashboard_title: nullish(text(0, 500)),
  slug: nullish(text(1, 255)),
  position_json: optional(jsonText()),
  css: optional(text()),
  json_metadata: optional(jsonText()),
  published: optional(flag()),
  uuid: nullish(text()),
  ...shared,
})
export type DashboardPost = Type.Static<typeof DashboardPost>

/** Body of `PUT /api/v1/dashboard/{id}`. */
export const DashboardPut = body({
  dashboard_title: nullish(text(0, 500)),
  slug: nullish(text(0, 255)),
  position_json: nullish(jsonText()),
  css: nullish(text()),
  json_metadata: nullish(jsonText()),
  published: nullish(flag()),
  /** Ids of custom tags; all of them. */
  tags: optional(ids()),
  uuid: nullish(unchangeable(text())),
  ...shared,
  ...revisionFields,
})
export type DashboardPut = Type.Static<typeof DashboardPut>

/** Body of `POST /api/v1/dashboard/{id}/copy/`. */
export const DashboardCopy = body({
  dashboard_title: nullish(text(0, 500)),
  css: optional(text()),
  json_metadata: jsonText(),
  duplicate_slices: optional(flag()),
})
export type DashboardCopy = Type.Static<typeof DashboardCopy>

const filterId = () => text(1, 200)

/** Body of `PUT /api/v1/dashboard/{id}/filters`. */
export const DashboardFiltersPut = body({
  deleted: optional(Type.Array(filterId(), { maxItems: 1000 })),
  modified: optional(
    Type.Array(Type.Object({ id: filterId() }, { additionalProperties: true }), {
      maxItems: 1000,
    }) as unknown as Type.TArray<typeof AnyObject>,
  ),
  reordered: optional(Type.Array(filterId(), { maxItems: 1000 })),
})
export type DashboardFiltersPut = Type.Static<typeof DashboardFiltersPut>

/** Body of `PUT /api/v1/dashboard/{id}/colors`. */
export const DashboardColorsPut = body({
  color_namespace: nullish(text()),
  color_scheme: nullish(text()),
  map_label_colors: optional(AnyObject),
  shared_label_colors: optional(Type.Unsafe<unknown>({})),
  label_colors: optional(AnyObject),
  color_scheme_domain: optional(Type.Array(Type.String(), { maxItems: 1000 })),
})
export type DashboardColorsPut = Type.Static<typeof DashboardColorsPut>

/** Dashboard state that is stored behind a permalink. */
export const DashboardPermalink = body({
  dataMask: nullish(Type.Unsafe<DataMask>(Type.Record(Type.String(), Type.Unknown()))),
  activeTabs: nullish(Type.Array(Type.String())),
  urlParams: nullish(Type.Unsafe<[name: string, value: string][]>(Type.Array(Type.Array(Type.Unknown())))),
  anchor: nullish(text()),
  chartStates: nullish(Type.Record(Type.String(), Type.Unknown())),
  /** Slots of labels in their color schemes (`LabelSlots` of the charts), so that a reader sees the colors of the sender. */
  labelSlots: nullish(recordSchema(recordSchema(Type.Integer({ minimum: 0, maximum: 1000 })))),
})
export type DashboardPermalink = Type.Static<typeof DashboardPermalink>

const part = { name: 'dashboard', view: 'Dashboard' } as const
/** A dashboard is identified by its id, uuid or slug. */
const ByName = Type.Object({ id: Type.String() })
const TabId = Type.Object({ tab_id: Type.Optional(Type.String()) })
const StateValue = body({ value: jsonText() })
const Key = openObject({ key: Type.String() })

const read = {
  method: 'GET',
  body: 'none',
  can: ['can_read', 'Dashboard'],
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  object: 'the dashboard must be visible',
} as const
const write = { rate: 'write', csrf: 'token', errors: 'plain' } as const
const writing = writingRoutes({ ...part, post: DashboardPost, put: DashboardPut, bodyLimit: layoutLimit })
const stateView = 'DashboardFilterStateRestApi'

/** `/api/v1/dashboard/` without the data stream. */
export const dashboardRoutes = {
  ...readingRoutes({ ...part, listed: ListedDashboard, detail: DashboardDetail }),
  item: defineRoute({
    ...read,
    path: '/api/v1/dashboard/:id',
    summary: 'Returns a dashboard by ID, UUID or slug',
    params: ByName,
    reply: openObject({ result: DashboardDetail }),
    fails: ['not_found'],
  }),
  ...writing,
  update: defineRoute({
    ...writing.update,
    /** `last_modified_time` is in seconds since 1970. */
    reply: openObject({ id: Type.Integer(), result: AnyObject, last_modified_time: Type.Number() }),
  }),
  bulkDelete: bulkDelete(part),
  ...favoriteRoutes(part),
  thumbnail: thumbnail(part),
  ...dashboardScreenshots,
  charts: defineRoute({
    ...read,
    path: '/api/v1/dashboard/:id/charts',
    summary: 'Lists the charts of a dashboard with their form data',
    params: ByName,
    reply: openObject({ result: Type.Array(DashboardChart) }),
    fails: ['not_found'],
  }),
  datasets: defineRoute({
    ...read,
    path: '/api/v1/dashboard/:id/datasets',
    summary: 'Lists the datasets of a dashboard, limited to the columns and metrics that its charts use',
    params: ByName,
    reply: openObject({ result: Type.Array(DashboardDataset) }),
    fails: ['not_found'],
  }),
  tabs: defineRoute({
    ...read,
    path: '/api/v1/dashboard/:id/tabs',
    summary: 'Returns the tabs of a dashboard and the filters in scope of each tab',
    params: ByName,
    reply: openObject({
      result: openObject({
        all_tabs: Type.Record(Type.String(), Type.String()),
        tab_tree: Type.Array(AnyObject),
        native_filters: Type.Record(Type.String(), Type.Array(AnyObject)),
      }),
    }),
    fails: ['not_found'],
  }),
  filters: defineRoute({
    ...write,
    method: 'PUT',
    path: '/api/v1/dashboard/:id/filters',
    summary: 'Updates, deletes and reorders native filters of a dashboard',
    params: ById,
    body: DashboardFiltersPut,
    reply: openObject({ result: Type.Array(AnyObject) }),
    can: ['can_write', 'Dashboard'],
    object: 'the dashboard, by ownership',
    audit: 'dashboard.filters',
    fails: ['invalid_payload', 'not_found', 'missing_ownership'],
  }),
  colors: defineRoute({
    ...write,
    method: 'PUT',
    path: '/api/v1/dashboard/:id/colors',
    summary: 'Updates the colors of a dashboard',
    params: ById,
    query: Type.Object({ mark_updated: Type.Optional(Type.String()) }, { additionalProperties: true }),
    body: DashboardColorsPut,
    reply: openObject({}),
    can: ['can_write', 'Dashboard'],
    object: 'the dashboard, by ownership',
    audit: 'dashboard.colors',
    fails: ['invalid_payload', 'not_found', 'missing_ownership'],
  }),
  copy: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/dashboard/:id/copy/',
    summary: 'Copies a dashboard, optionally with its charts',
    params: ById,
    body: DashboardCopy,
    reply: openObject({ result: openObject({ id: Type.Integer(), last_modified_time: Type.Number() }) }),
    can: ['can_write', 'Dashboard'],
    object: 'the dashboard must be visible; only visible charts are copied',
    audit: 'dashboard.copy',
    bodyLimit: layoutLimit,
    fails: ['invalid_payload', 'not_found', 'too_large'],
  }),
  createPermalink: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/dashboard/:id/permalink',
    success: [201],
    summary: 'Creates a permalink to a state of a dashboard',
    params: ByName,
    /** Validated against `DashboardPermalink` by the use case, because this call has its own error text. */
    body: Type.Unsafe<DashboardPermalink>(Type.Object({}, { additionalProperties: true })),
    reply: openObject({ key: Type.String(), url: Type.String() }),
    can: ['can_write', 'DashboardPermalinkRestApi'],
    object: 'the dashboard must be visible',
    audit: 'dashboard.permalink',
    fails: ['invalid_payload', 'not_found'],
  }),
  permalink: defineRoute({
    ...read,
    path: '/api/v1/dashboard/permalink/:key',
    summary: 'Returns the dashboard state of a permalink',
    params: Type.Object({ key: Type.String() }),
    reply: openObject({ dashboardId: Type.String(), state: DashboardPermalink }),
    can: ['can_read', 'DashboardPermalinkRestApi'],
    fails: ['not_found'],
  }),
  createFilterState: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/dashboard/:id/filter_state',
    success: [201],
    summary: 'Stores a filter bar state under a key',
    params: ByName,
    query: TabId,
    body: StateValue,
    reply: Key,
    can: ['can_write', stateView],
    object: 'the dashboard must be visible',
    audit: 'none',
    fails: ['invalid_payload', 'not_found'],
  }),
  updateFilterState: defineRoute({
    ...write,
    method: 'PUT',
    path: '/api/v1/dashboard/:id/filter_state/:key',
    summary: 'Updates a stored filter bar state',
    params: Type.Object({ id: Type.String(), key: Type.String() }),
    query: TabId,
    body: StateValue,
    reply: Key,
    can: ['can_write', stateView],
    object: 'the dashboard must be visible; the entry is the caller’s own',
    audit: 'none',
    fails: ['invalid_payload', 'forbidden', 'not_found'],
  }),
  filterState: defineRoute({
    ...read,
    path: '/api/v1/dashboard/:id/filter_state/:key',
    summary: 'Returns a stored filter bar state',
    params: Type.Object({ id: Type.String(), key: Type.String() }),
    reply: openObject({ value: Type.String() }),
    can: ['can_read', stateView],
    fails: ['not_found'],
  }),
  removeFilterState: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/dashboard/:id/filter_state/:key',
    summary: 'Deletes a stored filter bar state',
    params: Type.Object({ id: Type.String(), key: Type.String() }),
    body: 'none',
    reply: MessageBody,
    can: ['can_write', stateView],
    object: 'the dashboard must be visible; the entry is the caller’s own',
    audit: 'none',
    fails: ['forbidden', 'not_found'],
  }),
}
