import * as model from '@parquetry/model'

type JsonSchema = Record<string, unknown>

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parameters of an address are listed one by one. */
const inline: ReadonlySet<string> = new Set(['ById'])

/** Schemas that `packages/model` exports, by their JSON text. Of two equal ones, the first name is used. */
const exportedSchemas: ReadonlyMap<string, string> = new Map(
  Object.entries(model as Record<string, unknown>)
    .filter(([name, value]) => isObject(value) && '~kind' in value && !inline.has(name))
    .map(([name, schema]) => [JSON.stringify(schema), name] as const)
    .toReversed(),
)

/** Collects the shared schemas of a document: an exported schema is written once and referred to by its name. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}
  readonly responses: Record<string, JsonSchema> = {}

  /** Returns the schema with a reference in place of each exported schema in it. */
  refer(schema: unknown): unknown {
    return this.#replace(JSON.parse(JSON.stringify(schema)) as unknown)
  }

  /** Adds a schema or response under a name and returns a reference to it. */
  add(kind: 'schemas' | 'responses', name: string, part: JsonSchema): JsonSchema {
    this[kind][name] ??= part
    return { $ref: `#/components/${kind}/${name}` }
  }

  #replace(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#replace(each))
    if (!isObject(value)) return value
    const name = exportedSchemas.get(JSON.stringify(value))
    if (name === undefined) return this.#replaceParts(value)
    this.schemas[name] ??= this.#replaceParts(value)
    return { $ref: `#/components/schemas/${name}` }
  }

  #replaceParts = (value: JsonSchema): JsonSchema =>
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.#replace(part)]))
}
