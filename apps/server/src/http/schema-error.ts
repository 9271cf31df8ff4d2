import type { TSchema } from 'typebox'

/**
 * The API reports errors in `q` with the text of its own validator, including the schema, as recorded in responses. Therefore
 * values are written in the syntax of that validator's language: `'a'`, `True`, sorted keys, lines of at most 72 characters.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Node = { [key: string]: Json }
interface SchemaError {
  text: string
  keyword: string
  /** Path in the schema; `path` is the path in the value. */
  schemaPath: (string | number)[]
  path: (string | number)[]
  schema: Node
  instance: Json
}

const lineWidth = 72

function literal(value: Json): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') {
    const escaped = value.replace(/[\\\n\r\t]/g, (char) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r' })[char] ?? '\\t')
    return value.includes("'") && !value.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`
  }
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return `{${sortedEntries(value)
    .map(([key, field]) => `${literal(key)}: ${literal(field)}`)
    .join(', ')}}`
}

const sortedEntries = (value: { [key: string]: Json }): [string, Json][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

/** `literal`, broken into lines if it is too long; `after` is the number of characters that follow on the last line. */
function pretty(value: Json, indent = 0, after = 0): string {
  const singleLine = literal(value)
  if (singleLine.length <= lineWidth - indent - after || typeof value !== 'object' || value === null) return singleLine
  const line = `,\n${' '.repeat(indent + 1)}`
  const last = (index: number, count: number) => (index === count - 1 ? after + 1 : 1)
  if (Array.isArray(value))
    return `[${value.map((item, index) => pretty(item, indent + 1, last(index, value.length))).join(line)}]`
  const fields = sortedEntries(value).map(([key, field], index, all) => {
    const name = `${literal(key)}: `
    return name + pretty(field, indent + 1 + name.length, last(index, all.length))
  })
  return `{${fields.join(line)}}`
}

const isType = (value: Json, type: string): boolean => {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isSafeInteger(value)
    default:
      return typeof value === type
  }
}

type SchemaLocation = Pick<SchemaError, 'schemaPath' | 'path'>

function* findSchemaErrors(schema: Node, value: Json, { schemaPath, path }: SchemaLocation): Generator<SchemaError> {
  const createError = (keyword: string, text: string): SchemaError => ({
    text,
    keyword,
    schemaPath,
    path,
    schema,
    instance: value,
  })
  const type = schema['type'] as string | string[] | undefined
  if (type !== undefined && ![type].flat().some((candidate) => isType(value, candidate)))
    yield createError('type', `${literal(value)} is not of type ${[type].flat().map(literal).join(', ')}`)
  const choices = schema['enum'] as Json[] | undefined
  if (choices && !choices.includes(value))
    yield createError('enum', `${literal(value)} is not one of ${literal(choices)}`)
  const anyOf = schema['anyOf'] as Node[] | undefined
  if (anyOf?.every((option) => !findSchemaErrors(option, value, { schemaPath: [], path: [] }).next().done))
    yield createError('anyOf', `${literal(value)} is not valid under any of the given schemas`)
  if (Array.isArray(value)) {
    const [minItems, items] = [schema['minItems'] as number | undefined, schema['items'] as Node | undefined]
    if (minItems !== undefined && value.length < minItems)
      yield createError('minItems', `${literal(value)} is too short`)
    for (const [at, item] of items ? value.entries() : [])
      yield* findSchemaErrors(items as Node, item, { schemaPath: [...schemaPath, 'items'], path: [...path, at] })
  } else if (isType(value, 'object')) {
    const fields = value as { [key: string]: Json }
    for (const [name, rule] of Object.entries((schema['properties'] ?? {}) as Record<string, Node>))
      if (Object.hasOwn(fields, name))
        yield* findSchemaErrors(rule, fields[name] as Json, {
          schemaPath: [...schemaPath, 'properties', name],
          path: [...path, name],
        })
    for (const name of (schema['required'] ?? []) as string[])
      if (!Object.hasOwn(fields, name)) yield createError('required', `${literal(name)} is a required property`)
  }
}

const addIndexes = (word: string, path: (string | number)[]): string =>
  word + path.map((part) => `[${literal(part)}]`).join('')
const indentLines = (text: string): string => text.replace(/^/gm, '    ')

/** Describes the first of the errors with the shortest path. */
export function describeSchemaError(schema: TSchema, value: unknown): string {
  const plainSchema = JSON.parse(JSON.stringify(schema)) as Node
  const instance = JSON.parse(JSON.stringify(value)) as Json
  let shallowest: SchemaError | undefined
  for (const error of findSchemaErrors(plainSchema, instance, { schemaPath: [], path: [] }))
    if (!shallowest || error.path.length < shallowest.path.length) shallowest = error
  if (!shallowest) return literal(instance)
  const { text, keyword, schemaPath, path } = shallowest
  return [
    text,
    '',
    `Failed validating ${literal(keyword)} in ${addIndexes('schema', schemaPath)}:`,
    indentLines(pretty(shallowest.schema)),
    '',
    `On ${addIndexes('instance', path)}:`,
    indentLines(pretty(shallowest.instance)),
  ].join('\n')
}
