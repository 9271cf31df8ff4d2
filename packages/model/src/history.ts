import Type from 'typebox'
import { keptKinds, type Difference, type KeptKind } from './differences.ts'
import { AnyObject, answer, body, maybe, may, Message, nullable, Person, seen, text } from './fields.ts'
import { ById } from './resource.ts'
import { defineRoute } from './route.ts'

/** One version of an object: who made it, when, and what it changed. */
export const Version = answer({
  /** Counts from 1 for each object. */
  n: Type.Integer(),
  /** ISO text in UTC without a zone. */
  at: Type.String(),
  author: nullable(Person),
  /** From the version before; empty for the first. */
  differences: Type.Unsafe<Difference[]>(Type.Array(AnyObject)),
  /** It reads a dataset that the caller may not: who and when is all that he is told. */
  is_withheld: Type.Boolean(),
})
export type Version = Type.Static<typeof Version>

const views = { dashboard: 'Dashboard', chart: 'Chart', dataset: 'Dataset' } as const

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'plain' } as const
const object = 'the object, by ownership, as in an update'
const OfVersion = Type.Object({ id: Type.Integer(), n: Type.Integer() })

const versionRoutes = <const K extends KeptKind, const V extends string>(kind: K, view: V) =>
  ({
    list: defineRoute({
      ...read,
      path: `/api/v1/${kind}/:id/versions/`,
      summary: `Lists the versions of a ${kind}, newest first`,
      params: ById,
      query: Type.Object({ page: may(Type.Integer()) }),
      reply: answer({ count: Type.Integer(), result: Type.Array(Version) }),
      can: ['can_write', view],
      object,
      fails: ['not_found', 'missing_ownership'],
    }),
    item: defineRoute({
      ...read,
      path: `/api/v1/${kind}/:id/versions/:n`,
      summary: `Returns a version of a ${kind} with its content`,
      params: OfVersion,
      reply: answer({ n: Type.Integer(), at: Type.String(), author: nullable(Person), result: AnyObject }),
      can: ['can_write', view],
      object,
      fails: ['not_found', 'missing_ownership'],
    }),
    restore: defineRoute({
      method: 'POST',
      path: `/api/v1/${kind}/:id/versions/:n/restore`,
      summary: `Restores an earlier version of a ${kind} as its newest version`,
      params: OfVersion,
      body: body({ ...seen }),
      reply: answer({ id: Type.Integer() }),
      can: ['can_write', view],
      object: `${object}; objects that the version references are checked as in an update`,
      rate: 'write',
      audit: `${kind}.restore`,
      csrf: 'token',
      errors: 'plain',
      fails: ['not_found', 'missing_ownership', 'unprocessable', 'conflict'],
    }),
  }) as const

/** `/api/v1/{kind}/{id}/versions/`: calls of ours, for who may change the object. */
export const versionRoutesOf = {
  dashboard: versionRoutes('dashboard', views.dashboard),
  chart: versionRoutes('chart', views.chart),
  dataset: versionRoutes('dataset', views.dataset),
}
export const dashboardVersionRoutes = versionRoutesOf.dashboard
export const chartVersionRoutes = versionRoutesOf.chart
export const datasetVersionRoutes = versionRoutesOf.dataset

const Kind = Type.Unsafe<KeptKind>({ type: 'string', enum: [...keptKinds] })

/** A deleted object that can still be had back. */
export const TrashedObject = answer({
  /** The id that it had and will have again. */
  id: Type.Integer(),
  kind: Kind,
  uuid: Type.String(),
  name: Type.String(),
  deleted_on: Type.String(),
  deleted_by: nullable(Person),
  /** From then on it is gone for good. */
  purged_on: Type.String(),
})
export type TrashedObject = Type.Static<typeof TrashedObject>

/** Days for which a deleted object waits in the trash. */
export const trashDays = 30

const trashed = 'the object, by ownership at the time of its deletion; the permission to write objects of its kind'
const OfTrash = Type.Object({ kind: Kind, id: Type.Integer() })
const writeTrash = { can: 'signed-in', rate: 'write', csrf: 'token', errors: 'plain', params: OfTrash } as const

/** `/api/v1/trash/`: what was deleted and can be had back. Owners see their own, administrators all. */
export const trashRoutes = {
  list: defineRoute({
    ...read,
    path: '/api/v1/trash/',
    summary: 'Lists deleted dashboards, charts and datasets that can be restored, most recently deleted first',
    query: Type.Object({
      page: may(Type.Integer()),
      kind: may(Kind),
      search: may(text(0, 250)),
    }),
    reply: answer({ count: Type.Integer(), result: Type.Array(TrashedObject) }),
    can: 'signed-in',
    object: 'lists objects that the caller owned, of kinds that the caller may write; administrators see all',
    fails: [],
  }),
  restore: defineRoute({
    ...writeTrash,
    method: 'POST',
    path: '/api/v1/trash/:kind/:id/restore',
    summary: 'Restores a deleted object; accepts a new `slug` or `table_name` if its own is taken',
    body: body({ slug: maybe(text(0, 255)), table_name: may(text(1, 250)) }),
    reply: answer({ id: Type.Integer(), kind: Kind, url: Type.String() }),
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
    reply: Message,
    object: trashed,
    audit: 'trash.purge',
    fails: ['not_found'],
  }),
}
