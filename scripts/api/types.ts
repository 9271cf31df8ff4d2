/** The parts of an OpenAPI document that the comparison reads. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Response> }
}

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  schema?: JsonSchema
  content?: Contents
}

export type Contents = Readonly<Record<string, { schema: JsonSchema }>>

export interface Response {
  $ref?: string
  content?: Contents
}

export interface Operation {
  operationId: string
  parameters: readonly Parameter[]
  requestBody?: { required?: boolean; content: Contents }
  responses: Readonly<Record<string, Response>>
  security: readonly object[]
}
