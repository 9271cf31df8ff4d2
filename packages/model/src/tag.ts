import Type, { type Static } from 'typebox'
import {
  auditFields,
  body,
  id,
  MessageBody,
  nullable,
  nullish,
  openObject,
  optional,
  row,
  text,
  UserSummary,
} from './fields.ts'
import { favoriteRoutes, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

/** Kinds of objects that have tags, with their number and name in the calls of tags. */
export const taggedTypes = {
  saved_query: { number: 1, name: 'query' },
  chart: { number: 2, name: 'chart' },
  dashboard: { number: 3, name: 'dashboard' },
  dataset: { number: 4, name: 'dataset' },
} as const
export type TaggedKind = keyof typeof taggedTypes
export type TaggedTypeName = (typeof taggedTypes)[TaggedKind]['name']

/** Objects as `[type, id]`, such as `["chart", 1]`. */
const ObjectRefs = Type.Array(
  Type.Unsafe<[type: string | number, id: number]>({
    type: 'array',
    items: { type: ['string', 'integer'] },
    minItems: 2,
    maxItems: 2,
  }),
  { maxItems: 1000 },
)

const fields = {
  description: nullish(text(0, 10_000)),
  objects_to_tag: optional(ObjectRefs),
}
export const TagPost = body({ name: text(1, 250), ...fields })
export type TagPost = Static<typeof TagPost>
export const TagPut = body({ name: optional(text(1, 250)), ...fields })
export type TagPut = Static<typeof TagPut>

const columns = {
  id: id(),
  name: text(),
  type: Type.Integer(),
  description: nullable(text()),
  changed_by: auditFields.changed_by,
  changed_on: text(),
  changed_on_utc: text(),
  changed_on_delta_humanized: text(),
  created_by: auditFields.created_by,
  created_on: text(),
  created_on_delta_humanized: text(),
  /** Parquetry extension: how many objects have the tag, as far as the caller may see them. */
  object_count: Type.Integer(),
}

/** A tag in `GET /api/v1/tag/`. */
export const ListedTag = row(columns)
export type ListedTag = Static<typeof ListedTag>

/** An object in `GET /api/v1/tag/get_objects/`. */
export const TaggedObject = openObject({
  id: id(),
  type: Type.Unsafe<TaggedTypeName>({ type: 'string' }),
  name: text(),
  url: text(),
  changed_on: text(),
  created_by: nullable(UserSummary),
  creator: text(),
  tags: Type.Array(openObject({ id: id(), name: text(), type: text() })),
  owners: Type.Array(UserSummary),
})
export type TaggedObject = Static<typeof TaggedObject>

const part = { name: 'tag', view: 'Tag' } as const
const write = { can: ['can_write', 'Tag'], rate: 'write', csrf: 'token', errors: 'plain' } as const
const Text = optional(Type.String({ maxLength: 10_000 }))
const Result = openObject({ objects_tagged: ObjectRefs, objects_skipped: ObjectRefs })

/** `/api/v1/tag/`, with the flag TAGGING_SYSTEM. In paths, `type` is the number or the name of a type (`taggedTypes`). */
const { distinct: _, ...reading } = readingRoutes({ ...part, listed: ListedTag, detail: ListedTag })

export const tagRoutes = {
  ...reading,
  ...writingRoutes({ ...part, post: TagPost, put: TagPut }),
  ...favoriteRoutes(part),
  bulkDelete: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/tag/',
    summary: 'Deletes several tags by name, all or none',
    rison: Type.Array(Type.String(), { maxItems: 1000 }),
    body: 'none',
    reply: MessageBody,
    object: 'each tag: its creator or an administrator',
    audit: 'tag.bulk_delete',
    fails: ['bad_request', 'not_found', 'missing_ownership'],
  }),
  bulkCreate: defineRoute({
    ...write,
    can: ['can_bulk_create', 'Tag'],
    method: 'POST',
    path: '/api/v1/tag/bulk_create',
    summary: 'Creates several tags and adds them to objects; objects that the caller may not change are skipped',
    body: body({ tags: Type.Array(TagPost, { maxItems: 100 }) }),
    reply: openObject({ result: Result }),
    object: 'each object, by ownership',
    audit: 'tag.bulk_create',
    fails: ['invalid_payload', 'missing_ownership', 'unprocessable'],
  }),
  objects: defineRoute({
    method: 'GET',
    path: '/api/v1/tag/get_objects/',
    summary: 'Lists the objects that have one of the tags',
    query: Type.Object({ tags: Text, tagIds: Text, types: Text }),
    body: 'none',
    reply: openObject({ result: Type.Array(TaggedObject) }),
    can: ['can_read', 'Tag'],
    object: 'visible objects only',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['bad_request'],
  }),
  add: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/tag/:type/:id/',
    success: [201],
    summary: 'Adds tags to an object and creates tags that do not exist yet',
    params: Type.Object({ type: Type.String(), id: Type.Integer() }),
    body: Type.Object(
      {
        properties: openObject({ tags: Type.Array(Type.String({ minLength: 1, maxLength: 250 }), { maxItems: 100 }) }),
      },
      { additionalProperties: true },
    ),
    reply: openObject({}),
    object: 'the object, by ownership',
    audit: 'tag.add',
    fails: ['invalid_payload', 'not_found', 'missing_ownership', 'unprocessable'],
  }),
  removeFrom: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/tag/:type/:id/:tag/',
    summary: 'Removes a tag from an object',
    params: Type.Object({ type: Type.String(), id: Type.Integer(), tag: Type.String() }),
    body: 'none',
    reply: MessageBody,
    object: 'the object, by ownership',
    audit: 'tag.remove',
    fails: ['not_found', 'missing_ownership'],
  }),
}

/** The list of tags for older clients. */
export const legacyTagRoutes = {
  tags: defineRoute({
    method: 'GET',
    path: '/tagview/tags/',
    summary: 'Lists all tags',
    body: 'none',
    reply: Type.Array(openObject({ id: id(), type: text(), name: text(), changed_on: text() })),
    can: ['can_tags', 'TagView'],
    object: 'visible tags only',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'legacy',
    fails: [],
  }),
}
