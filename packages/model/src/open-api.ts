import Type from 'typebox'
import { defineRoute } from './route.ts'

export const openApiRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/_openapi',
  summary: 'Returns this OpenAPI document',
  body: 'none',
  reply: Type.Object({}, { additionalProperties: true }),
  can: ['can_get', 'OpenApi'],
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
})
