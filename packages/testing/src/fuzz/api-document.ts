/** The parts of a JSON schema that random values need. */
export interface FuzzSchema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, FuzzSchema>
  required?: string[]
  items?: FuzzSchema
  anyOf?: FuzzSchema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  format?: string
  description?: string
  /** Schema of the value in a text that contains JSON. */
  contentSchema?: FuzzSchema
}

export interface FuzzParameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  schema?: FuzzSchema
  content?: { 'application/json': { schema: FuzzSchema } }
}

export interface FuzzOperation {
  parameters: FuzzParameter[]
  requestBody?: { content: Record<string, { schema: FuzzSchema }> }
  responses: Record<string, unknown>
}

/** OpenAPI document as the server returns it at `/api/v1/_openapi`. */
export interface ApiDocument {
  paths: Record<string, Record<string, FuzzOperation>>
  components: { schemas: Record<string, FuzzSchema>; responses: Record<string, unknown> }
}

export interface NamedOperation {
  method: string
  /** Path with `{name}` parameters. */
  path: string
  operation: FuzzOperation
}

/** Calls that end the session of the caller, so that all later calls would fail. */
const endsSession = /^(?:GET \/logout|DELETE \/api\/v1\/me\/sessions|POST \/api\/v1\/security\/logout)/

/** Returns the calls of a document, without those that end the session of the caller. */
export const listOperations = ({ paths }: ApiDocument): NamedOperation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
    .filter(({ method, path }) => !endsSession.test(`${method} ${path}`))
