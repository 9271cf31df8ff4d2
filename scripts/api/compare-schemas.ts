import type { ApiDocument, JsonSchema } from './types.ts'

/** `input`: what callers may send must stay accepted. `output`: what callers read must stay there. */
export type Direction = 'input' | 'output'

interface Side {
  schema: JsonSchema
  document: ApiDocument
}

const anyTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** Follows a reference into the shared schemas. */
function resolve({ schema, document }: Side): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}
}

function typesOf({ type }: JsonSchema): readonly string[] {
  const types = type === undefined ? anyTypes : Array.isArray(type) ? (type as string[]) : [String(type)]
  return types.includes('number') && !types.includes('integer') ? [...types, 'integer'] : types
}

const propertiesOf = (schema: JsonSchema) => (schema['properties'] ?? {}) as Record<string, JsonSchema>
const requiredOf = (schema: JsonSchema) => (schema['required'] ?? []) as readonly string[]
const branchesOf = (schema: JsonSchema) => (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined

/** Limits of input that must not become stricter. */
const upperLimits = ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum', 'maxProperties']
const lowerLimits = ['minLength', 'minItems', 'minimum', 'exclusiveMinimum', 'minProperties']

function* compareLimits(before: JsonSchema, after: JsonSchema, path: string): Generator<string> {
  const isStricter = (name: string, compare: (a: number, b: number) => boolean) => {
    const [old, now] = [before[name], after[name]]
    return typeof now === 'number' && (typeof old !== 'number' || compare(now, old))
  }
  for (const name of upperLimits) if (isStricter(name, (now, old) => now < old)) yield `${path}: ${name} is stricter`
  for (const name of lowerLimits) if (isStricter(name, (now, old) => now > old)) yield `${path}: ${name} is stricter`
  if (after['pattern'] !== undefined && after['pattern'] !== before['pattern']) yield `${path}: another pattern`
}

const valuesOf = ({ enum: values, const: value }: JsonSchema): readonly unknown[] | undefined =>
  value === undefined ? (values as readonly unknown[] | undefined) : [value]

function* compareValues(before: JsonSchema, after: JsonSchema, path: string): Generator<string> {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  if (now === undefined) return
  if (old === undefined) yield `${path}: only some values are accepted now`
  else for (const value of old) if (!now.includes(value)) yield `${path}: the value ${JSON.stringify(value)} is gone`
}

/**
 * Lists what breaks callers when a schema changes.
 * @param seen  pairs of references that are being compared, so that recursive schemas end
 */
export function* compareSchemas(
  before: Side,
  after: Side,
  direction: Direction,
  path: string,
  seen: ReadonlySet<string> = new Set(),
): Generator<string> {
  const pair = `${String(before.schema['$ref'])} ${String(after.schema['$ref'])}`
  if (before.schema['$ref'] !== undefined && seen.has(pair)) return
  const inner = new Set([...seen, pair])
  const [old, now] = [resolve(before), resolve(after)]
  const side = (schema: JsonSchema, { document }: Side): Side => ({ schema, document })
  const compare = (left: JsonSchema, right: JsonSchema, part: string) =>
    compareSchemas(side(left, before), side(right, after), direction, part, inner)

  const [oldBranches, newBranches] = [branchesOf(old), branchesOf(now)]
  if (oldBranches ?? newBranches) {
    const [wide, narrow] =
      direction === 'input'
        ? [newBranches ?? [now], oldBranches ?? [old]]
        : [oldBranches ?? [old], newBranches ?? [now]]
    for (const one of narrow) {
      const fits = wide.some((other) => {
        const [left, right] = direction === 'input' ? [one, other] : [other, one]
        return compare(left, right, path).next().done === true
      })
      if (!fits)
        yield direction === 'input'
          ? `${path}: no longer accepts ${describe(one)}`
          : `${path}: may be ${describe(one)} now`
    }
    return
  }

  const [oldTypes, newTypes] = [typesOf(old), typesOf(now)]
  const [given, allowed] = direction === 'input' ? [oldTypes, newTypes] : [newTypes, oldTypes]
  const unknown = given.filter((type) => !allowed.includes(type))
  if (unknown.length > 0)
    yield `${path}: ${direction === 'input' ? 'no longer accepts' : 'may be'} ${unknown.join(' or ')}${direction === 'input' ? '' : ' now'}`
  if (direction === 'input') {
    yield* compareLimits(old, now, path)
    yield* compareValues(old, now, path)
  }
  yield* compareProperties(old, now, direction, path, compare)
  if (old['items'] !== undefined && now['items'] !== undefined)
    yield* compare(old['items'] as JsonSchema, now['items'] as JsonSchema, `${path}[]`)
  if (old['contentSchema'] !== undefined && now['contentSchema'] !== undefined)
    yield* compare(old['contentSchema'] as JsonSchema, now['contentSchema'] as JsonSchema, path)
}

const describe = (schema: JsonSchema): string =>
  typeof schema['$ref'] === 'string'
    ? (schema['$ref'].split('/').at(-1) ?? '')
    : JSON.stringify(schema['type'] ?? schema)

function* compareProperties(
  old: JsonSchema,
  now: JsonSchema,
  direction: Direction,
  path: string,
  compare: (left: JsonSchema, right: JsonSchema, part: string) => Generator<string>,
): Generator<string> {
  const [oldFields, newFields] = [propertiesOf(old), propertiesOf(now)]
  for (const [name, field] of Object.entries(oldFields)) {
    const next = newFields[name]
    if (next === undefined) yield `${path}.${name}: removed`
    else yield* compare(field, next, `${path}.${name}`)
  }
  const [must, may] = direction === 'input' ? [requiredOf(now), requiredOf(old)] : [requiredOf(old), requiredOf(now)]
  for (const name of must)
    if (!may.includes(name) && (direction === 'input' || newFields[name] !== undefined))
      yield `${path}.${name}: ${direction === 'input' ? 'is required now' : 'may be missing now'}`
  if (direction === 'input' && now['additionalProperties'] === false && old['additionalProperties'] !== false)
    yield `${path}: no longer accepts other fields`
}
