import Type, { type TObject, type TSchema } from 'typebox'

/** Field of a form whose text is JSON. Handlers parse it; the schema is for the API documentation. */
export const jsonField = (schema: TSchema) =>
  Type.String({ contentMediaType: 'application/json', contentSchema: schema })

/** A form whose fields are optional JSON texts. */
export const jsonForm = ({ properties }: TObject) =>
  Type.Object(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(jsonField(schema))])),
  )

/** A file in a multipart form. */
export const fileField = () => Type.String({ format: 'binary' })

/** Fields of the form that imports an archive. Secrets are JSON objects by path of their file. */
export const importForm = Type.Object({
  formData: Type.Optional(fileField()),
  /** The same file in calls of `/api/v1/assets/import/`. */
  bundle: Type.Optional(fileField()),
  /** `true`: nothing is written; the answer tells what an import would do. */
  preview: Type.Optional(Type.String()),
  /** JSON list of the paths that may be created or replaced. */
  only: Type.Optional(Type.String()),
  /** JSON list of the paths that may be created but not replaced, because they were new in a preview. */
  only_new: Type.Optional(Type.String()),
  overwrite: Type.Optional(Type.String()),
  /** `true`, only in calls of `/api/v1/assets/import/`: the bundle may refer to objects that exist here. */
  sparse: Type.Optional(Type.String()),
  passwords: Type.Optional(Type.String()),
  ssh_tunnel_passwords: Type.Optional(Type.String()),
  ssh_tunnel_private_keys: Type.Optional(Type.String()),
  ssh_tunnel_private_key_passwords: Type.Optional(Type.String()),
})
