import Type from 'typebox'
import { versionedKinds, type Difference, type VersionedKind } from './differences.ts'
import {
  AnyObject,
  openObject,
  body,
  nullish,
  optional,
  MessageBody,
  nullable,
  UserSummary,
  revisionFields,
  text,
} from './fields.ts'
import { defineRoute } from './route.ts'

/** A version of an object with its author, time and changes. */
export const Version = openObject({
  /** Counts from 1 for each object. */
  n: Type.Integer(),
  /** ISO text in UTC without a zone. */
  at: Type.String(),
  author: nullable(UserSummary),
  /** Differences from the previous version; empty for the first. */
  differences: Type.Unsafe<Difference[]>(Type.Array(AnyObject)),
  /** The version uses a dataset that the caller may not read, so only its author and time are returned. */
  is_withheld: Type.Boolean(),
})
export type Version = Type.Static<typeof Version>

const views = { dashboard: 'Dashboard', chart: 'Chart', dataset: 'Dataset' } as const

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'plain' } as const
const object = 'the object, by ownership, as in an update'
const VersionParams = Type.Object({ id: Type.String(), n: Type.Integer() })
const ObjectParams = Type.Object({ id: Type.String() })

const defineVersionRoutes = <const K extends VersionedKind, const V extends string>(kind: K, view: V) =>
  ({
    list: defineRoute({
      ...read,
      path: `/api/v1/${kind}/:id/versions/`,
      summary: `Lists the versions of a ${kind} by ID or UUID, newest first`,
      params: ObjectParams,
      query: Type.Object({ page: optional(Type.Integer()) }),
      reply: openObject({ count: Type.Integer(), result: Type.Array(Version) }),
      can: ['can_write', view],
      object,
      fails: ['not_found', 'method_not_allowed', 'missing_ownership'],
    }),
    item: defineRoute({
      ...read,
      path: `/api/v1/${kind}/:id/versions/:n`,
      summary: `Returns a version of a ${kind} with its content`,
      params: VersionParams,
      reply: openObject({ n: Type.Integer(), at: Type.String(), author: nullable(UserSummary), result: AnyObject }),
      can: ['can_write', view],
      object,
      fails: ['not_found', 'method_not_allowed', 'missing_ownership'],
    }),
    restore: defineRoute({
      method: 'POST',
      path: `/api/v1/${kind}/:id/versions/:n/restore`,
      summary: `Restores an earlier version of a ${kind} as its newest version`,
      params: VersionParams,
      body: body({ ...revisionFields }),
      reply: openObject({ id: Type.Integer() }),
      can: ['can_write', view],
      object: `${object}; objects that the version references are checked as in an update`,
      rate: 'write',
      audit: `${kind}.restore`,
      csrf: 'token',
      errors: 'plain',
      fails: ['not_found', 'method_not_allowed', 'missing_ownership', 'unprocessable', 'conflict'],
    }),
    restoreDeleted: defineRoute({
      method: 'POST',
      path: `/api/v1/${kind}/:uuid/restore`,
      summary: `Restores a deleted ${kind} from the trash under its own name`,
      params: Type.Object({ uuid: Type.String() }),
      body: 'none',
      reply: openObject({ message: Type.String(), id: Type.Integer() }),
      can: ['can_write', view],
      object: 'the object, by ownership at the time of its deletion',
      rate: 'write',
      audit: 'trash.restore',
      csrf: 'token',
      errors: 'plain',
      fails: ['not_found', 'unprocessable'],
    }),
  }) as const

/** `/api/v1/{kind}/{id}/versions/`: Parquetry extension, for users who may edit the object. */
export const versionRoutesByKind = {
  dashboard: defineVersionRoutes('dashboard', views.dashboard),
  chart: defineVersionRoutes('chart', views.chart),
  dataset: defineVersionRoutes('dataset', views.dataset),
}
export const dashboardVersionRoutes = versionRoutesByKind.dashboard
export const chartVersionRoutes = versionRoutesByKind.chart
export const datasetVersionRoutes = versionRoutesByKind.dataset

const Kind = Type.Unsafe<VersionedKind>({ type: 'string', enum: [...versionedKinds] })

/** A deleted object that can be restored. */
export const TrashedObject = openObject({
  /** Original id, which the restored object will have again. */
  id: Type.Integer(),
  kind: Kind,
  uuid: Type.String(),
  name: Type.String(),
  deleted_on: Type.String(),
  deleted_by: nullable(UserSummary),
  /** Time of permanent deletion. */
  purged_on: Type.String(),
})
export type TrashedObject = Type.Static<typeof TrashedObject>

/** Days that a deleted object stays in the trash. */
export const trashDays = 30

const trashed = 'the object, by ownership at the time of its deletion; the permission to write objects of its kind'
const TrashParams = Type.Object({ kind: Kind, id: Type.Integer() })
const writeTrash = { can: 'signed-in', rate: 'write', csrf: 'token', errors: 'plain', params: TrashParams } as const

/** `/api/v1/trash/`: deleted objects that can be restored. Owners see their own, administrators see all. */
export const trashRoutes = {
  list: defineRoute({
    ...read,
    path: '/api/v1/trash/',
    summary: 'Lists deleted dashboards, charts and datasets that can be restored, most recently deleted first',
    query: Type.Object({
      page: optional(Type.Integer()),
      kind: optional(Kind),
      id: optional(Type.Integer()),
      search: optional(text(0, 250)),
    }),
    reply: openObject({ count: Type.Integer(), result: Type.Array(TrashedObject) }),
    can: 'signed-in',
    object: 'lists objects that the caller owned, of kinds that the caller may write; administrators see all',
    fails: [],
  }),
  restore: defineRoute({
    ...writeTrash,
    method: 'POST',
    path: '/api/v1/trash/:kind/:id/restore',
    summary: 'Restores a deleted object; accepts a new `slug` or `table_name` if its own is taken',
    body: body({ slug: nullish(text(0, 255)), table_name: optional(text(1, 250)) }),
    reply: openObject({ id: Type.Integer(), kind: Kind, url: Type.String() }),
    object: trashed,
    audit: 'trash.restore',
    fails: ['not_found', 'unprocessable'],
  }),
  purge: defineRoute({
    ...writeTrash,
    method: 'DELETE',
    path: '/api/v1/trash/:kind/:id',
    summary: 'Permanently deletes an object in the trash and its versions',
    body: 'none',
    reply: MessageBody,
    object: trashed,
    audit: 'trash.purge',
    fails: ['not_found'],
  }),
}
