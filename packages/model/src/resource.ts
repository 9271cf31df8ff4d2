import Type, { type Static, type TSchema } from 'typebox'
import { openObject, CreatedBody, MessageBody, AnyObject } from './fields.ts'
import { inflect } from './nouns.ts'
import { defineRoute, type RouteContract } from './route.ts'

/** `q` of a list. Unknown keys are ignored. */
export const ListQuery = Type.Object({
  columns: Type.Optional(Type.Array(Type.String())),
  filters: Type.Optional(
    Type.Array(
      Type.Object({
        col: Type.String(),
        opr: Type.String(),
        value: Type.Unsafe<number | string | boolean | (number | string)[]>({
          anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }, { type: 'array' }],
        }),
      }),
    ),
  ),
  keys: Type.Optional(
    Type.Array(
      Type.Unsafe<'list_columns' | 'order_columns' | 'label_columns' | 'description_columns' | 'list_title' | 'none'>({
        type: 'string',
        enum: ['list_columns', 'order_columns', 'label_columns', 'description_columns', 'list_title', 'none'],
      }),
    ),
  ),
  order_column: Type.Optional(Type.String()),
  order_direction: Type.Optional(Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'] })),
  page: Type.Optional(Type.Integer()),
  page_size: Type.Optional(Type.Integer()),
})
export type ListQuery = Static<typeof ListQuery>

/** `q` of a detail. */
export const ItemQuery = Type.Object({
  columns: Type.Optional(Type.Array(Type.String())),
  keys: Type.Optional(
    Type.Array(
      Type.Unsafe<'show_columns' | 'description_columns' | 'label_columns' | 'show_title' | 'none'>({
        type: 'string',
        enum: ['show_columns', 'description_columns', 'label_columns', 'show_title', 'none'],
      }),
    ),
  ),
})
export type ItemQuery = Static<typeof ItemQuery>

/** `q` of `_info`. */
export const InfoQuery = Type.Object({
  keys: Type.Optional(
    Type.Array(
      Type.Unsafe<'add_columns' | 'edit_columns' | 'filters' | 'permissions' | 'add_title' | 'edit_title' | 'none'>({
        type: 'string',
        enum: ['add_columns', 'edit_columns', 'filters', 'permissions', 'add_title', 'edit_title', 'none'],
      }),
    ),
  ),
})
export type InfoQuery = Static<typeof InfoQuery>

/** `q` of `related/` and `distinct/`. */
export const RelatedQuery = Type.Object({
  page_size: Type.Optional(Type.Integer()),
  page: Type.Optional(Type.Integer()),
  include_ids: Type.Optional(Type.Array(Type.Integer())),
  filter: Type.Optional(Type.String()),
})
export type RelatedQuery = Static<typeof RelatedQuery>

/** `q` of calls on several objects: bulk delete, favorite status. */
export const IdsQuery = Type.Array(Type.Integer())

export const ById = Type.Object({ id: Type.Integer() })

const listReply = <const Listed extends TSchema>(row: Listed) =>
  openObject({ count: Type.Integer(), ids: Type.Array(Type.Integer()), result: Type.Array(row) })
const itemReply = <const Detail extends TSchema>(detail: Detail) => openObject({ id: Type.Integer(), result: detail })
/** Reply of `_info`. */
export const ResourceInfo = openObject({ permissions: Type.Optional(Type.Array(Type.String())) })
/** Reply of `related/` and `distinct/`. */
export const RelatedObjects = openObject({
  count: Type.Integer(),
  result: Type.Array(
    openObject({
      value: Type.Unsafe<number | string>({ type: ['integer', 'string'] }),
      text: Type.String(),
      extra: Type.Optional(AnyObject),
    }),
  ),
})

/** Permission names of the calls of a resource that has other ones than `can_read` and `can_write`. */
export interface ResourcePermissions {
  list: string
  item: string
  info: string
  create: string
  update: string
  remove: string
}

interface Part<N extends string, V extends string, P extends string = N> {
  name: N
  view: V
  /** Path below `/api/v1/`, if it differs from the name. */
  path?: P
  permissions?: ResourcePermissions
  errors?: RouteContract['errors']
}

const readWrite: ResourcePermissions = {
  list: 'can_read',
  item: 'can_read',
  info: 'can_read',
  create: 'can_write',
  update: 'can_write',
  remove: 'can_write',
}

/** Response types of a resource: an object of its list and its detail (see `row` in `fields.ts`). */
interface ResourceSchemas<Listed extends TSchema, Detail extends TSchema> {
  listed: Listed
  detail: Detail
}

const withoutUuid: ReadonlySet<string> = new Set(['log', 'query', 'permission', 'resource', 'permission_pair', 'tag'])

/** Read calls of every resource: list, detail, `_info`, `related/`, `distinct/`. */
export const readingRoutes = <
  const N extends string,
  const V extends string,
  const Listed extends TSchema,
  const Detail extends TSchema,
  const P extends string = N,
>({
  name,
  view,
  path = name as string as P,
  permissions = readWrite,
  listed,
  detail,
}: Part<N, V, P> & ResourceSchemas<Listed, Detail>) => {
  const common = {
    method: 'GET',
    body: 'none',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
  } as const
  return {
    list: defineRoute({
      ...common,
      can: [permissions.list, view],
      path: `/api/v1/${path}/`,
      summary: `Lists ${inflect(name).many} visible to the caller`,
      rison: ListQuery,
      reply: listReply(listed),
      object: 'visible objects only',
      fails: ['bad_request'],
    }),
    item: defineRoute({
      ...common,
      can: [permissions.item, view],
      path: `/api/v1/${path}/:id`,
      summary: `Returns ${inflect(name).one} by ${withoutUuid.has(name) ? 'ID' : 'ID or UUID'}`,
      params: Type.Object({ id: Type.String() }),
      rison: ItemQuery,
      reply: itemReply(detail),
      object: 'the object must be visible',
      fails: ['bad_request', 'not_found', 'method_not_allowed'],
    }),
    info: defineRoute({
      ...common,
      can: [permissions.info, view],
      path: `/api/v1/${path}/_info`,
      summary: `Returns the fields and filters of ${inflect(name).many} and the caller’s permissions`,
      rison: InfoQuery,
      reply: ResourceInfo,
      object: 'none',
      fails: ['bad_request'],
    }),
    related: defineRoute({
      ...common,
      can: [permissions.info, view],
      path: `/api/v1/${path}/related/:column`,
      summary: `Lists the objects that a column of ${inflect(name).many} can reference`,
      params: Type.Object({ column: Type.String() }),
      rison: RelatedQuery,
      reply: RelatedObjects,
      object: 'visible objects only',
      fails: ['bad_request', 'not_found', 'unprocessable'],
    }),
    distinct: defineRoute({
      ...common,
      can: [permissions.info, view],
      path: `/api/v1/${path}/distinct/:column`,
      summary: `Lists the distinct values of a column of ${inflect(name).many}`,
      params: Type.Object({ column: Type.String() }),
      rison: RelatedQuery,
      reply: RelatedObjects,
      object: 'values of visible objects only',
      fails: ['bad_request', 'not_found'],
    }),
  }
}

/** Write calls of every resource. */
export const writingRoutes = <
  const N extends string,
  const V extends string,
  Post extends TSchema,
  Put extends TSchema,
  const P extends string = N,
>({
  name,
  view,
  path = name as string as P,
  permissions = readWrite,
  post,
  put,
  errors = 'plain',
  bodyLimit,
}: Part<N, V, P> & { post: Post; put: Put; bodyLimit?: number }) => {
  const common = {
    rate: 'write',
    csrf: 'token',
    errors,
    ...(bodyLimit !== undefined && { bodyLimit }),
  } as const
  return {
    create: defineRoute({
      ...common,
      can: [permissions.create, view],
      method: 'POST',
      path: `/api/v1/${path}/`,
      success: [201],
      summary: `Creates ${inflect(name).one}`,
      body: post,
      reply: CreatedBody,
      object: 'every object that the body references',
      audit: `${name}.create`,
      fails: ['invalid_payload', 'unprocessable'],
    }),
    update: defineRoute({
      ...common,
      can: [permissions.update, view],
      method: 'PUT',
      path: `/api/v1/${path}/:id`,
      summary: `Updates the given fields of ${inflect(name).one}`,
      params: ById,
      body: put,
      reply: openObject({ result: AnyObject }),
      object: 'the object, by ownership where its kind has owners; every object that the body references',
      audit: `${name}.update`,
      fails: ['invalid_payload', 'not_found', 'method_not_allowed', 'missing_ownership', 'unprocessable', 'conflict'],
    }),
    remove: defineRoute({
      ...common,
      can: [permissions.remove, view],
      method: 'DELETE',
      path: `/api/v1/${path}/:id`,
      summary: `Deletes ${inflect(name).one}`,
      params: ById,
      body: 'none',
      reply: MessageBody,
      object: 'the object, by ownership where its kind has owners',
      audit: `${name}.delete`,
      fails: ['not_found', 'missing_ownership', 'unprocessable'],
    }),
  }
}

/** Deletes several objects, all or none. The database resource does not have this call. */
export const bulkDelete = <const N extends string, const V extends string>({
  name,
  view,
  errors = 'plain',
}: Part<N, V>) =>
  defineRoute({
    method: 'DELETE',
    path: `/api/v1/${name}/`,
    summary: `Deletes several ${inflect(name).many}, all or none`,
    rison: IdsQuery,
    body: 'none',
    reply: MessageBody,
    can: ['can_write', view],
    object: 'each object, by ownership where its kind has owners',
    rate: 'write',
    audit: `${name}.bulk_delete`,
    csrf: 'token',
    errors,
    fails: ['bad_request', 'not_found', 'missing_ownership', 'unprocessable'],
  })

/** Favorite status of several objects, and adding or removing a favorite. */
export const favoriteRoutes = <const N extends string, const V extends string>({ name, view }: Part<N, V>) => ({
  favoriteStatus: defineRoute({
    method: 'GET',
    path: `/api/v1/${name}/favorite_status/`,
    summary: `Returns which of the given ${inflect(name).many} are favorites of the caller`,
    rison: IdsQuery,
    body: 'none',
    reply: openObject({ result: Type.Array(Type.Object({ id: Type.Integer(), value: Type.Boolean() })) }),
    can: ['can_read', view],
    object: 'visible objects only',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['bad_request', 'not_found'],
  }),
  addFavorite: favorite(name, view, 'POST'),
  removeFavorite: favorite(name, view, 'DELETE'),
})

const favorite = <const N extends string, const V extends string, const M extends 'POST' | 'DELETE'>(
  name: N,
  view: V,
  method: M,
) =>
  defineRoute({
    method,
    path: `/api/v1/${name}/:id/favorites/`,
    summary:
      method === 'POST'
        ? `Adds ${inflect(name).one} to the caller’s favorites`
        : `Removes ${inflect(name).one} from the caller’s favorites`,
    params: ById,
    body: 'none',
    reply: openObject({ result: Type.String() }),
    can: ['can_read', view],
    object: 'the object must be visible',
    rate: 'write',
    audit: `${name}.${method === 'POST' ? 'favorite' : 'unfavorite'}`,
    csrf: 'token',
    errors: 'plain',
    fails: ['not_found'],
  })

/** The image at an object's `thumbnail_url`. The digest changes with the object; with another digest the call redirects to it. */
export const thumbnail = <const N extends string, const V extends string>({ name, view }: Part<N, V>) =>
  defineRoute({
    method: 'GET',
    path: `/api/v1/${name}/:id/thumbnail/:digest/`,
    success: [200, 202, 302, 304],
    summary: `Returns an image of ${inflect(name).one} as PNG, or 202 while it is drawn; requires the feature flag THUMBNAILS`,
    params: Type.Object({ id: Type.String(), digest: Type.String() }),
    body: 'none',
    reply: 'stream',
    can: ['can_read', view],
    object: 'the object must be visible; the data of each chart',
    rate: 'query',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: [
      'not_found',
      'method_not_allowed',
      'dataset_access',
      'unsupported',
      'invalid_query',
      'query_failed',
      'result_too_large',
      'query_timeout',
    ],
  })
