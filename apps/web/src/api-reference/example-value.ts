import { resolveSchema, type ApiDocument, type JsonSchema } from './api-document.ts'

const maxDepth = 4

/** A value that a schema accepts, with its required fields only, so that an update changes nothing by itself. */
export function createExample(document: ApiDocument, schema: JsonSchema, depth = 0): unknown {
  const resolved = resolveSchema(document, schema)
  const [branch] = (resolved['anyOf'] ?? resolved['oneOf'] ?? []) as readonly JsonSchema[]
  if (branch) return createExample(document, branch, depth)
  if (resolved['const'] !== undefined) return resolved['const']
  const [value] = (resolved['enum'] ?? []) as readonly unknown[]
  if (value !== undefined) return value
  const type = [resolved['type'] ?? 'object'].flat()[0]
  switch (type) {
    case 'string':
      return 'a'.repeat(Number(resolved['minLength'] ?? 0))
    case 'integer':
    case 'number':
      return Number(resolved['minimum'] ?? 0)
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return Number(resolved['minItems'] ?? 0) > 0 && depth < maxDepth
        ? [createExample(document, (resolved['items'] ?? {}) as JsonSchema, depth + 1)]
        : []
    default:
      return createObject(document, resolved, depth)
  }
}

function createObject(document: ApiDocument, schema: JsonSchema, depth: number): Record<string, unknown> {
  if (depth >= maxDepth) return {}
  const fields = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = (schema['required'] ?? []) as readonly string[]
  const shown = Object.entries(fields).filter(([name]) => required.includes(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, createExample(document, field, depth + 1)]))
}
