import Type, { type Static, type TSchema } from 'typebox'

/**
 * Fields of the bodies of resources. They are strict: no coercion, unknown fields refused. Documents inside
 * (form data, `json_metadata`) travel as text and have readers of their own.
 */
export const body = <const P extends Type.TProperties>(fields: P) =>
  Type.Object(fields, { additionalProperties: false })

/** The field may be left out. Left out and null differ in a PUT: left out keeps what is stored. */
export const optional = Type.Optional

/** Also takes null. One `type` of two names rather than a union, so that an error names the field's own type. */
export const nullable = <T extends TSchema>(schema: T) => {
  const { type } = schema as { type?: string }
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type ?? 'object', 'null'] })
}

/** May be left out or be null. */
export const nullish = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/** Text of `min` to `max` characters. */
export const text = (min = 0, max = 0) =>
  Type.String({ ...(min > 0 && { minLength: min }), ...(max > 0 && { maxLength: max }) })

/** Text that must be JSON; the use cases look inside. Checked by `apps/server/src/http/writing.ts`. */
export const jsonText = () => Type.String({ description: 'JSON string' })

/** As many as one statement of a store takes. */
export const ids = () => Type.Array(Type.Integer(), { maxItems: 10_000 })
export const flag = () => Type.Boolean()
export const id = () => Type.Integer()

/** Kinds of things that a chart can read, as the API knows them; `table` and `query` are served. */
export const datasourceTypes = ['sl_table', 'table', 'dataset', 'query', 'saved_query', 'view'] as const
export const datasourceType = () =>
  Type.Unsafe<(typeof datasourceTypes)[number]>({ type: 'string', enum: [...datasourceTypes] })

/** A field that other tools send and that we keep as it is: `is_managed_externally`, `external_url`. */
export const managedFields = {
  is_managed_externally: nullish(flag()),
  external_url: nullish(text()),
}

/**
 * Time of the last change that the caller has seen (`changed_on` of the detail). When it is sent and somebody else has
 * changed the object since, the answer is 409. `If-Match` with the ETag of the detail does the same.
 */
export const revisionFields = { changed_on: optional(Type.String()) }

const anyRecord = () => Type.Record(Type.String(), Type.Unknown())

/** An open object of an answer: the named fields are promised, others may come. */
export const openObject = <const P extends Type.TProperties>(fields: P) =>
  Type.Object(fields, { additionalProperties: true })

export const CreatedBody = Type.Object({ id: Type.Integer(), result: anyRecord() }, { additionalProperties: true })
export const MessageBody = Type.Object({ message: Type.String() }, { additionalProperties: true })
export const OkBody = Type.Object({ result: Type.String() }, { additionalProperties: true })
/** An object of an answer whose fields nobody here names. */
export const AnyObject = anyRecord()

/**
 * One object of a list or a detail, whose fields are those of the columns asked for. The type has every column, and the client
 * leaves those that were asked for; the schema says what each of them is when it is there.
 */
export const row = <const P extends Type.TProperties>(fields: P) =>
  Type.Unsafe<Static<Type.TObject<P>>>(Type.Partial(openObject(fields)))

/** A person as lists and details name people. Name and address of the account are there where they are asked for. */
export const UserSummary = row({
  id: Type.Integer(),
  first_name: Type.String(),
  last_name: Type.String(),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
})
export type UserSummary = Static<typeof UserSummary>

/** Columns of everything that people make and change. Times of `changed_on` are ISO text in UTC without a zone. */
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
