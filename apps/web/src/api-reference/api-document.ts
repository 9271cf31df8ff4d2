export type JsonSchema = Readonly<Record<string, unknown>>
export type Contents = Readonly<Record<string, { schema: JsonSchema }>>

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema?: JsonSchema
  content?: Contents
}

interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  parameters: readonly Parameter[]
  requestBody?: { required?: boolean; content: Contents }
  responses: Readonly<Record<string, ApiResponse>>
}

export interface ApiResponse {
  $ref?: string
  description?: string
  content?: Contents
}

/** The OpenAPI document of this server. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  components: {
    schemas: Readonly<Record<string, JsonSchema>>
    responses: Readonly<Record<string, ApiResponse>>
  }
}

export interface Operation extends DocumentedOperation {
  method: string
  path: string
  group: string
}

const methodOrder = ['GET', 'POST', 'PUT', 'DELETE']

/** All calls, by group and address. */
export const listOperations = ({ paths }: ApiDocument): Operation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        path,
        method: method.toUpperCase(),
        group: operation.tags[0] ?? 'other',
      })),
    )
    .toSorted(
      (a, b) =>
        a.group.localeCompare(b.group) ||
        a.path.localeCompare(b.path) ||
        methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method),
    )

/** The calls that contain every word of a text in their address, method, summary or id. */
export function searchOperations(operations: readonly Operation[], text: string): readonly Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return operations
  return operations.filter(({ method, path, summary, operationId }) => {
    const found = `${method} ${path} ${summary} ${operationId}`.toLowerCase()
    return words.every((word) => found.includes(word))
  })
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

/** The name of a shared schema, or null for one that is written in place. */
export const schemaName = (schema: JsonSchema): string | null =>
  typeof schema['$ref'] === 'string' ? nameOf(schema['$ref']) : null

export const resolveSchema = (document: ApiDocument, schema: JsonSchema): JsonSchema => {
  const name = schemaName(schema)
  return name === null ? schema : (document.components.schemas[name] ?? {})
}

export const resolveResponse = (document: ApiDocument, response: ApiResponse): ApiResponse =>
  response.$ref === undefined ? response : (document.components.responses[nameOf(response.$ref)] ?? {})
