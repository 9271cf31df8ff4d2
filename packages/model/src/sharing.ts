import Type, { type Static } from 'typebox'
import { body, MessageBody, nullable, openObject, optional, text } from './fields.ts'
import { defineRoute } from './route.ts'

/**
 * Why someone can open an object: as an administrator, as an owner (of the object, or of a dataset that it shows), because it is
 * shared with them, or because a permission lets them read its data.
 */
export const accessReasons = ['administrator', 'owner', 'shared', 'data'] as const
export type AccessReason = (typeof accessReasons)[number]

const AccessEntry = openObject({
  /** `type`: 1 user, 2 role (`subjectTypes`). */
  subject: openObject({ id: Type.Integer(), label: Type.String(), type: Type.Integer() }),
  reason: Type.Unsafe<AccessReason>({ type: 'string', enum: [...accessReasons] }),
  /** For `data`: the dataset, schema or database that the permission opens; null for all data. */
  opens: nullable(Type.String()),
  /** Active users. */
  people: Type.Integer(),
  /** The caller may end this access here. */
  is_removable: Type.Boolean(),
})
export type AccessEntry = Static<typeof AccessEntry>

const AccessList = openObject({
  result: openObject({
    /** False for drafts, which only owners and administrators can open. Datasets are always open. */
    is_published: Type.Boolean(),
    /** The dashboard is shared with roles, so that access to its data alone no longer opens it. */
    is_restricted: Type.Boolean(),
    entries: Type.Array(AccessEntry),
  }),
})
export type AccessList = Static<typeof AccessList>

const UserAccess = openObject({
  result: openObject({ can: Type.Boolean(), reasons: Type.Array(AccessEntry) }),
})
export type UserAccess = Static<typeof UserAccess>

const ShareBody = body({
  /** Id of a subject that is a user or a role. */
  subject: Type.Integer(),
})

/** Objects that can be shared. */
const accessRoutes = <const K extends 'dashboard' | 'dataset', const V extends string>(kind: K, view: V) => {
  const common = {
    can: ['can_write', view],
    object: 'the object, by ownership',
    errors: 'plain',
  } as const
  return {
    list: defineRoute({
      ...common,
      method: 'GET',
      path: `/api/v1/${kind}/:id/access`,
      summary: `Lists who can open a ${kind}, and why`,
      params: Type.Object({ id: Type.Integer() }),
      body: 'none',
      reply: AccessList,
      rate: 'read',
      audit: 'none',
      csrf: 'none',
      fails: ['not_found', 'missing_ownership'],
    }),
    user: defineRoute({
      ...common,
      method: 'GET',
      path: `/api/v1/${kind}/:id/access/user/:user`,
      summary: `Tells whether a user can open a ${kind}, and why`,
      params: Type.Object({ id: Type.Integer(), user: Type.Integer() }),
      body: 'none',
      reply: UserAccess,
      rate: 'read',
      audit: 'none',
      csrf: 'none',
      fails: ['not_found', 'missing_ownership'],
    }),
    share: defineRoute({
      ...common,
      method: 'POST',
      path: `/api/v1/${kind}/:id/access`,
      summary: `Gives a user or role access to a ${kind}`,
      params: Type.Object({ id: Type.Integer() }),
      body: ShareBody,
      reply: MessageBody,
      rate: 'write',
      audit: `${kind}.share`,
      csrf: 'token',
      fails: ['invalid_payload', 'not_found', 'missing_ownership', 'forbidden', 'unprocessable'],
    }),
    unshare: defineRoute({
      ...common,
      method: 'DELETE',
      path: `/api/v1/${kind}/:id/access/:subject`,
      summary: `Ends the access to a ${kind} that a user or role was given`,
      params: Type.Object({ id: Type.Integer(), subject: Type.Integer() }),
      body: 'none',
      reply: MessageBody,
      rate: 'write',
      audit: `${kind}.unshare`,
      csrf: 'token',
      fails: ['not_found', 'missing_ownership', 'forbidden', 'unprocessable'],
    }),
  }
}

/** `/api/v1/dashboard/{id}/access`: who can see a dashboard. */
export const dashboardAccessRoutes = accessRoutes('dashboard', 'Dashboard')
/** `/api/v1/dataset/{id}/access`: who can read the data of a dataset. */
export const datasetAccessRoutes = accessRoutes('dataset', 'Dataset')

export const requestableKinds = ['dashboard', 'chart', 'dataset'] as const
export type RequestableKind = (typeof requestableKinds)[number]
const requestableKind = () => Type.Unsafe<RequestableKind>({ type: 'string', enum: [...requestableKinds] })

const AccessRequest = openObject({
  id: Type.Integer(),
  kind: requestableKind(),
  object: openObject({ id: Type.Integer(), name: Type.String(), url: Type.String() }),
  user: openObject({ id: Type.Integer(), first_name: Type.String(), last_name: Type.String() }),
  message: Type.String(),
  created_on: Type.String(),
  /** What granting opens: charts, and the names of datasets, at most five. A draft opens once it is published. */
  opens: openObject({ charts: Type.Integer(), datasets: Type.Array(Type.String()), is_draft: Type.Boolean() }),
})
export type AccessRequest = Static<typeof AccessRequest>

const ById = Type.Object({ id: Type.Integer() })
const decision = {
  can: 'signed-in',
  rate: 'write',
  csrf: 'token',
  errors: 'plain',
  params: ById,
  body: 'none',
} as const

/** `/api/v1/access_request/`: requests of users for access, decided by owners and administrators. */
export const accessRequestRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/api/v1/access_request/',
    summary: 'Asks the owners of an object for access; the response does not tell whether it exists',
    body: body({ kind: requestableKind(), id: text(1, 255), message: optional(text(0, 1000)) }),
    reply: MessageBody,
    success: [201],
    can: 'signed-in',
    object: 'none: the response is the same for objects that do not exist',
    rate: 'write',
    audit: 'access_request.create',
    csrf: 'token',
    errors: 'plain',
    fails: ['invalid_payload', 'forbidden'],
  }),
  list: defineRoute({
    method: 'GET',
    path: '/api/v1/access_request/',
    summary: 'Lists the open access requests that the caller may decide',
    body: 'none',
    reply: openObject({ count: Type.Integer(), result: Type.Array(AccessRequest) }),
    can: 'signed-in',
    object: 'requests for objects that the caller owns',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: [],
  }),
  grant: defineRoute({
    ...decision,
    method: 'POST',
    path: '/api/v1/access_request/:id/grant',
    summary: 'Gives the user of a request access to its object',
    reply: MessageBody,
    object: 'the object of the request, by ownership',
    audit: 'access_request.grant',
    fails: ['not_found', 'unprocessable'],
  }),
  refuse: defineRoute({
    ...decision,
    method: 'POST',
    path: '/api/v1/access_request/:id/refuse',
    summary: 'Refuses a request for access',
    reply: MessageBody,
    object: 'the object of the request, by ownership',
    audit: 'access_request.refuse',
    fails: ['not_found'],
  }),
}
