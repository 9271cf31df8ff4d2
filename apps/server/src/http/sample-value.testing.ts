/** A JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** The parts of a JSON schema that samples need. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: JsonValue[]
  const?: JsonValue
  minLength?: number
  minimum?: number
}

/** A value that matches the schema, with all of its fields. */
export function createSample(schema: Schema): JsonValue {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0] ?? null
  if (schema.anyOf) return createSample(schema.anyOf[0] ?? {})
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, createSample(one)]))
    case 'array':
      return [createSample(schema.items ?? {})]
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    default:
      return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
  }
}
