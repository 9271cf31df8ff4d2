import type { Random } from '@parquetry/model/testing/random'
import type { FuzzSchema } from './api-document.ts'

const hostileValues: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e30,
  -2.9e238,
  2 ** 53 + 2,
  '',
  ' ',
  '1',
  '\u0000',
  'a\u0000b',
  "'; drop table x; --",
  '../../etc/passwd',
  'x'.repeat(3000),
  '{{ 1 / 0 }}',
  '2020-13-45',
  '%',
  '\\',
  '\u{1F4A5}\u202E',
  '\uD800',
  '<script>alert(1)</script>',
  [],
  [[]],
  [null],
  ['\uD800'],
  {},
  { a: { b: [] } },
  { toString: 1 },
  { length: 1e9 },
]
const texts = ['a', 'abc', '1', 'select 1', '2020-01-01', 'table', 'a b', '1 = 1', 'http://127.0.0.1:9/', '#ff0000']
const passwords = ['{}', '{"databases/d.yaml":"a"}']

/** Values by field that let more calls pass their first checks. */
const usualValues: Readonly<Record<string, readonly unknown[]>> = {
  column: ['owners', 'database', 'created_by', 'a'],
  columns: [['a'], []],
  datasource_type: ['table'],
  email: ['a@example.com'],
  kind: ['dashboard', 'chart'],
  metrics: [['count'], []],
  order_direction: ['asc', 'desc'],
  overwrite: ['true', 'false'],
  passwords,
  schema: ['main', null],
  sql: ['select 1 as a', 'select a from v'],
  sqlalchemy_uri: ['duckdb://'],
  ssh_tunnel_passwords: passwords,
  ssh_tunnel_private_keys: passwords,
  ssh_tunnel_private_key_passwords: passwords,
  table: ['v'],
  table_name: ['v'],
  type: ['table', 'dashboard', 'chart', 'port'],
  viz_type: ['table', 'big_number'],
}
const oddFields = ['unknown', '__proto__', 'constructor', '\u0000', '']
const maxDepth = 6

/** Creates a value nested in lists and objects. */
function createNested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { a: value } : [value]
  return value
}

/**
 * Creates values that mostly match a schema. Some do not: other types, huge numbers, odd characters, unknown and missing fields,
 * deep nesting.
 */
export class RandomValues {
  readonly #random: Random
  readonly #schemas: Readonly<Record<string, FuzzSchema>>
  /** Share of the values that are hostile. It is small for half of the calls, so that they mostly succeed. */
  readonly #hostility: number

  /** @param schemas  shared schemas of the document, by name */
  constructor(random: Random, schemas: Readonly<Record<string, FuzzSchema>>) {
    this.#random = random
    this.#schemas = schemas
    this.#hostility = random.pick([0.01, 0.08])
  }

  resolve({ $ref, ...schema }: FuzzSchema): FuzzSchema {
    return $ref === undefined ? schema : (this.#schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  }

  /** Returns the next value. @param name  of the field or parameter */
  next(reference: FuzzSchema | undefined, name = '', depth = 0): unknown {
    const random = this.#random
    const luck = random() / this.#hostility
    if (luck < 0.9) return random.pick(hostileValues)
    if (luck < 1) return createNested(random.pick([10, 100, 600]))
    if (Object.hasOwn(usualValues, name) && random() < 0.7) return random.pick(usualValues[name] ?? [])
    const schema = this.resolve(reference ?? {})
    if (schema.anyOf) return this.next(random.pick(schema.anyOf), name, depth + 1)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    if (schema.contentSchema) return JSON.stringify(this.next(schema.contentSchema, name, depth + 1))
    return this.#nextOf(
      random.pick([schema.type ?? random.pick(['string', 'object', 'integer'])].flat()),
      schema,
      depth,
    )
  }

  #nextOf(type: string, schema: FuzzSchema, depth: number): unknown {
    const random = this.#random
    switch (type) {
      case 'integer':
        return random.pick([1, 1, 1, 2, 3, schema.minimum ?? 4, schema.maximum ?? 987_654])
      case 'number':
        return random.pick([1, 0.5, -3])
      case 'boolean':
        return random() < 0.5
      case 'null':
        return null
      case 'string':
        if (schema.description === 'JSON string') return JSON.stringify(this.next({ type: 'object' }, '', depth + 1))
        return random.pick([...texts, `name ${random.int(1_000_000)}`])
      case 'array':
        if (depth > maxDepth) return []
        return Array.from({ length: random.pick([0, 1, 1, 2]) }, () => this.next(schema.items, '', depth + 1))
      default:
        return depth > maxDepth ? {} : this.#nextObject(schema, depth)
    }
  }

  #nextObject({ properties = {}, required = [] }: FuzzSchema, depth: number): Record<string, unknown> {
    const random = this.#random
    const fields = Object.entries(properties).filter(([name]) => random() < (required.includes(name) ? 0.97 : 0.4))
    const object = Object.fromEntries(fields.map(([name, field]) => [name, this.next(field, name, depth + 1)]))
    if (random() < this.#hostility)
      Object.defineProperty(object, random.pick(oddFields), { value: random.pick(hostileValues), enumerable: true })
    return object
  }
}

/** Formats a value for an address or a form field. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
