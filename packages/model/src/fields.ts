import Type, { type Static, type TSchema } from 'typebox'
import { webAddressPattern } from './web-address.ts'

/**
 * Defines a strict resource body: no coercion, unknown fields are rejected. Nested documents (form data, `json_metadata`) are
 * sent as text and have their own parsers.
 */
export const body = <const P extends Type.TProperties>(fields: P) =>
  Type.Object(fields, { additionalProperties: false })

/** Optional field. In a PUT, an omitted field keeps the stored value, unlike null. */
export const optional = Type.Optional

/** Also accepts null. Uses one `type` with two names instead of a union, so that errors name the field's own type. */
export const nullable = <T extends TSchema>(schema: T) => {
  const { type } = schema as { type?: string }
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type ?? 'object', 'null'] })
}

/** Optional or null. */
export const nullish = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/** Text of `min` to `max` characters. */
export const text = (min = 0, max = 0) =>
  Type.String({ ...(min > 0 && { minLength: min }), ...(max > 0 && { maxLength: max }) })

/** JSON text, checked by `apps/server/src/http/writing.ts` and parsed by the use cases. */
export const jsonText = () => Type.String({ description: 'JSON string' })

/** An email address: something before and behind an `@`. */
export const emailAddress = () => Type.String({ minLength: 1, maxLength: 320, pattern: '^[^\\s@]+@[^\\s@]+$' })

/** Limited to the number of ids that one statement of a store accepts. */
export const ids = () => Type.Array(Type.Integer(), { maxItems: 10_000 })
export const flag = () => Type.Boolean()
export const id = () => Type.Integer()

/** Data source types of the API; only `table` and `query` are supported. */
export const datasourceTypes = ['sl_table', 'table', 'dataset', 'query', 'saved_query', 'view'] as const
export const datasourceType = () =>
  Type.Unsafe<(typeof datasourceTypes)[number]>({ type: 'string', enum: [...datasourceTypes] })

/** Field of PUT that cannot be changed: only the value that GET returns is accepted (`apps/server/src/http/read-back.ts`). */
export const unchangeable = <T extends TSchema>(schema: T): T => ({ ...schema, readOnly: true })

/** Fields that other tools send and that are stored unchanged: `is_managed_externally`, `external_url`. */
export const managedFields = {
  is_managed_externally: nullish(flag()),
  external_url: nullish(Type.String({ pattern: webAddressPattern })),
}

/**
 * Time of the last change known to the caller (`changed_on` of the detail). If another user has changed the object since then,
 * the status is 409. `If-Match` with the ETag of the detail has the same effect.
 */
export const revisionFields = { changed_on: optional(Type.String()) }

const anyRecord = () => Type.Record(Type.String(), Type.Unknown())

/** Open object of a response: the named fields are guaranteed, others may be present. */
export const openObject = <const P extends Type.TProperties>(fields: P) =>
  Type.Object(fields, { additionalProperties: true })

export const CreatedBody = Type.Object({ id: Type.Integer(), result: anyRecord() }, { additionalProperties: true })
export const MessageBody = Type.Object({ message: Type.String() }, { additionalProperties: true })
export const OkBody = Type.Object({ result: Type.String() }, { additionalProperties: true })
/** Response object with unspecified fields. */
export const AnyObject = anyRecord()

/**
 * An object of a list or detail with the requested columns as fields. The type contains all columns, and the client narrows it to
 * the requested ones; the schema describes each column if present.
 */
export const row = <const P extends Type.TProperties>(fields: P) =>
  Type.Unsafe<Static<Type.TObject<P>>>(Type.Partial(openObject(fields)))

/** A user in lists and details. Account name and email address are present if requested. */
export const UserSummary = row({
  id: Type.Integer(),
  first_name: Type.String(),
  last_name: Type.String(),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
})
export type UserSummary = Static<typeof UserSummary>

/** A user, role or group in lists and details; `id` is that of the subject (`subject.ts`), `type` its number. */
export const SubjectSummary = row({ id: Type.Integer(), label: Type.String(), type: Type.Integer() })
export type SubjectSummary = Static<typeof SubjectSummary>

/** Audit columns of user-created objects. `changed_on` is ISO text in UTC without a zone. */
export const auditFields = {
  changed_by: nullable(UserSummary),
  changed_by_name: Type.String(),
  changed_by_url: Type.String(),
  changed_on: Type.String(),
  changed_on_utc: Type.String(),
  changed_on_delta_humanized: Type.String(),
  created_by: nullable(UserSummary),
  created_on_delta_humanized: Type.String(),
}
