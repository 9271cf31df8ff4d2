import Type from 'typebox'
import { chartDataFails } from './chart-data.ts'
import { AnyObject, nullish, openObject } from './fields.ts'
import { jsonField } from './form.ts'
import { QueryContext } from './query-context.ts'
import { defineRoute } from './route.ts'

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'legacy' } as const
const tables = {
  ...read,
  reply: openObject({ tableLength: Type.Integer(), options: Type.Array(AnyObject) }),
  can: ['can_read', 'Database'],
  object: 'the database must be visible; only tables that the caller may read',
  fails: ['not_found'],
} as const

/** Calls for data and catalogs from before `/api/v1`, with the permissions of today's calls (decision 0229). */
export const legacyDataRoutes = {
  chartData: defineRoute({
    ...read,
    path: '/superset/slice_json/:slice_id',
    summary: 'Returns the data of a saved chart of a legacy type in the shape that the chart expects',
    params: Type.Object({ slice_id: Type.Integer() }),
    query: Type.Object({ force: Type.Optional(Type.String()) }),
    reply: AnyObject,
    can: ['can_explore_json', 'Superset'],
    object: 'the chart must be visible and its dataset readable',
    rate: 'query',
    audit: 'slice_json',
    fails: ['not_found', 'dataset_not_found', 'dataset_access', 'bad_request', 'query_timeout'],
  }),
  annotationData: defineRoute({
    ...read,
    path: '/superset/annotation_json/:layer_id',
    summary: 'Returns the annotations of a layer as chart data',
    params: Type.Object({ layer_id: Type.Integer() }),
    reply: openObject({
      data: openObject({ columns: Type.Array(Type.String()), records: Type.Array(AnyObject) }),
      status: Type.String(),
      rowcount: Type.Integer(),
    }),
    can: ['can_read', 'Annotation'],
    object: 'none: the permission covers every layer',
    fails: ['not_found'],
  }),
  tables: defineRoute({
    ...tables,
    path: '/superset/tables/:db_id/:schema/',
    params: Type.Object({ db_id: Type.Integer(), schema: Type.String() }),
    summary: 'Lists the tables of a schema for clients older than `/api/v1`',
  }),
  refreshedTables: defineRoute({
    ...tables,
    path: '/superset/tables/:db_id/:schema/:force_refresh/',
    params: Type.Object({ db_id: Type.Integer(), schema: Type.String(), force_refresh: Type.String() }),
    summary: 'Lists the tables of a schema, with `true` as the database has them now',
  }),
  uploadSchemas: defineRoute({
    ...read,
    path: '/superset/schemas_access_for_file_upload',
    query: Type.Object({ db_id: Type.Integer() }),
    summary: 'Lists the schemas that the caller may upload files to',
    reply: Type.Array(Type.String()),
    can: ['can_read', 'Database'],
    object: 'the database must be visible',
    fails: ['not_found'],
  }),
  filterValues: defineRoute({
    ...read,
    path: '/superset/filter/:datasource_type/:datasource_id/:column/',
    summary: 'Lists the values of a column to choose a filter value from',
    params: Type.Object({ datasource_type: Type.String(), datasource_id: Type.Integer(), column: Type.String() }),
    reply: Type.Array(Type.Unknown()),
    can: ['can_get_column_values', 'Datasource'],
    object: 'the dataset must be readable; row-level security rules apply',
    rate: 'query',
    audit: 'datasource.column_values',
    fails: ['bad_request', 'dataset_not_found', 'dataset_access'],
  }),
  searchQueries: defineRoute({
    ...read,
    path: '/superset/search_queries',
    summary: 'Searches the query history of the caller, newest first',
    query: Type.Object({
      user_id: Type.Optional(Type.Integer()),
      database_id: Type.Optional(Type.Integer()),
      search_text: Type.Optional(Type.String()),
      status: Type.Optional(Type.String()),
      from: Type.Optional(Type.Number()),
      to: Type.Optional(Type.Number()),
    }),
    reply: Type.Array(AnyObject),
    can: ['can_read', 'Query'],
    object: 'the caller’s own queries only',
    fails: [],
  }),
  query: defineRoute({
    ...read,
    method: 'POST',
    path: '/api/v1/query/',
    summary: 'Runs the queries of a query context, for older clients; answers a list of results',
    body: 'form',
    form: Type.Object({ query_context: jsonField(QueryContext) }),
    reply: 'bytes',
    can: ['can_query', 'Api'],
    object: 'the dataset of the query context, or the dashboard that shows the chart of its form data',
    rate: 'query',
    audit: 'ChartDataRestApi.data',
    csrf: 'same-origin',
    errors: 'plain',
    fails: chartDataFails,
  }),
  languagePack: defineRoute({
    ...read,
    path: '/superset/language_pack/:lang/',
    summary: 'Returns the texts of a language in the format of Jed; without translations, they are empty',
    params: Type.Object({ lang: Type.String({ pattern: '^[a-z]{2,3}(_[A-Z]{2})?$' }) }),
    reply: openObject({ domain: Type.String(), locale_data: AnyObject }),
    can: 'anyone',
    object: 'none',
    fails: [],
  }),
  availableDomains: defineRoute({
    ...read,
    path: '/superset/available_domains/',
    summary: 'Lists the further domains that dashboards may load charts from; null if there are none',
    reply: nullish(Type.Array(Type.String())),
    can: ['can_read', 'AvailableDomains'],
    object: 'none',
    fails: [],
  }),
}
