import Type from 'typebox'
import { answer } from './fields.ts'
import { defineRoute } from './route.ts'

const ByKind = Type.Object({ type: Type.String(), id: Type.Integer() })
const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'legacy' } as const

/** The older calls on a dataset (api.md 4.2); the samples are with the chart data. */
export const datasourceRoutes = {
  get: defineRoute({
    ...read,
    path: '/datasource/get/:type/:id/',
    summary: 'The dataset object',
    params: ByKind,
    reply: answer({ id: Type.Integer() }),
    can: ['can_get', 'Datasource'],
    object: 'the dataset must be readable',
    fails: ['not_found'],
  }),
  fetchMetadata: defineRoute({
    ...read,
    path: '/superset/fetch_datasource_metadata',
    summary: 'The dataset object, by its key',
    query: Type.Object({ datasourceKey: Type.String() }, { additionalProperties: true }),
    reply: answer({ id: Type.Integer() }),
    can: ['can_fetch_datasource_metadata', 'Superset'],
    object: 'the dataset must be readable',
    fails: ['not_found', 'bad_request'],
  }),
  externalMetadata: defineRoute({
    ...read,
    path: '/datasource/external_metadata/:type/:id/',
    summary: 'Columns as the source has them now',
    params: ByKind,
    reply: Type.Array(answer({ name: Type.String() })),
    can: ['can_external_metadata', 'Datasource'],
    object: 'the dataset must be readable',
    fails: ['not_found', 'bad_request'],
  }),
  externalMetadataByName: defineRoute({
    ...read,
    path: '/datasource/external_metadata_by_name/',
    summary: 'Columns of a table as the source has them now',
    rison: Type.Object({
      datasource_type: Type.String(),
      database_name: Type.String(),
      schema_name: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
      table_name: Type.String(),
    }),
    reply: Type.Array(answer({ name: Type.String() })),
    can: ['can_external_metadata_by_name', 'Datasource'],
    object: 'the table, by database, schema or dataset access',
    fails: ['not_found', 'bad_request'],
  }),
}
