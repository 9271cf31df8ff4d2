import Type from 'typebox'
import { nullable, openObject } from './fields.ts'
import { defineRoute } from './route.ts'

const part = {
  method: 'GET',
  body: 'none',
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
} as const

/** `/api/v1/advanced_data_type/`: converts text in filters, such as port names, to numbers. */
export const advancedDataTypeRoutes = {
  types: defineRoute({
    ...part,
    path: '/api/v1/advanced_data_type/types',
    summary: 'Lists the names of the advanced data types',
    reply: openObject({ result: Type.Array(Type.String()) }),
    can: ['can_read', 'AdvancedDataType'],
    fails: [],
  }),
  convert: defineRoute({
    ...part,
    path: '/api/v1/advanced_data_type/convert',
    summary: 'Converts values of an advanced data type',
    rison: Type.Object({
      type: Type.Unsafe<string>({ default: 'port' }),
      values: Type.Unsafe<unknown[]>({ type: 'array', items: { default: 'http' }, minItems: 1 }),
    }),
    reply: openObject({
      result: openObject({
        values: Type.Array(Type.Unknown()),
        error_message: Type.String(),
        display_value: Type.String(),
        valid_filter_operators: Type.Array(Type.String()),
      }),
    }),
    can: ['can_read', 'AdvancedDataType'],
    fails: ['bad_request'],
  }),
}

export const availableDomains = defineRoute({
  ...part,
  path: '/api/v1/available_domains/',
  summary: 'Lists the further domains of this server for parallel requests; null if there are none',
  reply: openObject({ result: openObject({ domains: nullable(Type.Array(Type.String())) }) }),
  can: ['can_read', 'AvailableDomains'],
  fails: [],
})
