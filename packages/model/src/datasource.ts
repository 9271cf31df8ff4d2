import Type, { type Static } from 'typebox'
import { DatasetObject } from './dataset-responses.ts'
import { openObject, AnyObject, nullable, optional, UserSummary } from './fields.ts'
import { chartDataFails } from './chart-data.ts'
import { ById, ListQuery } from './resource.ts'
import { defineRoute } from './route.ts'
import { jsonField } from './form.ts'

const ByKind = Type.Object({ type: Type.String(), id: Type.Integer() })
const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'legacy' } as const

const Loose = Type.Array(AnyObject, { maxItems: 10_000 })

/** The complete dataset as sent by legacy clients; unnamed fields are ignored. */
export const SavedDatasource = openObject({
  id: Type.Integer(),
  type: optional(Type.String()),
  columns: optional(Loose),
  metrics: optional(Loose),
  /** Ids, or user objects with an `id`. */
  owners: optional(
    Type.Array(Type.Unsafe<number | { id: number }>({ type: ['integer', 'object'] }), { maxItems: 10_000 }),
  ),
})

const DrillFields = Type.Pick(DatasetObject, [
  'id',
  'table_name',
  'columns',
  'metrics',
  'main_dttm_col',
  'verbose_map',
  'column_formats',
  'currency_formats',
  'time_grain_sqla',
  'owners',
])
/** Columns and metrics available for drilling: `GET /api/v1/dataset/{id}/drill_info/`. */
export const DrillInfo = openObject({
  ...DrillFields.properties,
  created_by: nullable(UserSummary),
  /** Ours: false for viewers of a dashboard without access to the dataset, who get no columns. */
  can_drill: Type.Boolean(),
})
export type DrillInfo = Static<typeof DrillInfo>

/** Legacy calls on a dataset; samples are with the chart data. */
export const datasourceRoutes = {
  list: defineRoute({
    ...read,
    path: '/api/v1/datasource/',
    summary: 'Lists datasets and, where there are any, other data sources in one list',
    rison: ListQuery,
    reply: openObject({ count: Type.Integer(), ids: Type.Array(Type.Integer()), result: Type.Array(AnyObject) }),
    can: ['can_read', 'Dataset'],
    object: 'visible objects only',
    errors: 'plain',
    fails: ['bad_request'],
  }),
  detectTimeFormats: defineRoute({
    method: 'POST',
    path: '/api/v1/dataset/:id/detect_datetime_formats',
    summary: 'Finds the formats of time columns that are stored as text, and saves those that it finds',
    params: ById,
    body: 'none',
    reply: openObject({
      message: Type.String(),
      /** By column; null for values that have no format in common. */
      formats: Type.Record(Type.String(), nullable(Type.String())),
    }),
    can: ['can_write', 'Dataset'],
    object: 'the dataset, by ownership; its data must be readable',
    rate: 'query',
    audit: 'dataset.detect_formats',
    csrf: 'token',
    errors: 'plain',
    fails: [...chartDataFails, 'not_found', 'missing_ownership'],
  }),
  get: defineRoute({
    ...read,
    path: '/datasource/get/:type/:id/',
    summary: 'Returns a dataset',
    params: ByKind,
    reply: openObject({ id: Type.Integer() }),
    can: ['can_get', 'Datasource'],
    object: 'the dataset must be readable',
    fails: ['not_found'],
  }),
  save: defineRoute({
    method: 'POST',
    path: '/datasource/save/',
    summary: 'Updates a dataset from the complete object in the form field `data` (JSON)',
    body: 'form',
    form: Type.Object({ data: jsonField(SavedDatasource) }),
    reply: DatasetObject,
    can: ['can_save', 'Datasource'],
    object: 'the dataset, by ownership',
    rate: 'write',
    audit: 'dataset.save',
    csrf: 'token',
    errors: 'legacy',
    bodyLimit: 8 << 20,
    fails: ['bad_request', 'not_found', 'missing_ownership', 'conflict', 'unprocessable'],
  }),
  fetchMetadata: defineRoute({
    ...read,
    path: '/superset/fetch_datasource_metadata',
    summary: 'Returns a dataset by its `datasourceKey`',
    query: Type.Object({ datasourceKey: Type.String() }, { additionalProperties: true }),
    reply: openObject({ id: Type.Integer() }),
    can: ['can_fetch_datasource_metadata', 'Superset'],
    object: 'the dataset must be readable',
    fails: ['not_found', 'bad_request'],
  }),
  drillInfo: defineRoute({
    ...read,
    path: '/api/v1/dataset/:id/drill_info/',
    summary: 'Returns the columns that charts of a dataset can be drilled by, also for viewers of a dashboard',
    params: Type.Object({ id: Type.Integer() }),
    rison: Type.Object({ dashboard_id: Type.Optional(Type.Integer()) }, { additionalProperties: true }),
    reply: openObject({ result: DrillInfo }),
    can: ['can_read', 'Dataset'],
    object: 'the data of the dataset must be readable, by permission or through a chart on the dashboard',
    errors: 'plain',
    fails: ['not_found'],
  }),
  columnValues: defineRoute({
    ...read,
    path: '/api/v1/datasource/:type/:id/column/:column/values/',
    summary: 'Lists the values of a column to choose a filter value from',
    params: Type.Object({ type: Type.String(), id: Type.Integer(), column: Type.String() }),
    reply: openObject({ result: Type.Array(Type.Unknown()) }),
    can: ['can_get_column_values', 'Datasource'],
    object: 'the dataset must be readable; row-level security rules apply',
    rate: 'query',
    audit: 'datasource.column_values',
    errors: 'plain',
    fails: ['bad_request', 'dataset_not_found', 'dataset_access'],
  }),
  validateExpression: defineRoute({
    method: 'POST',
    path: '/api/v1/datasource/:type/:id/validate_expression/',
    summary: 'Validates an expression against the database of a dataset without reading rows',
    params: ByKind,
    body: Type.Object(
      {
        expression: Type.String({ minLength: 1, maxLength: 100_000 }),
        expression_type: Type.Union([
          Type.Literal('column'),
          Type.Literal('metric'),
          Type.Literal('where'),
          Type.Literal('having'),
        ]),
        clause: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
      },
      { additionalProperties: true },
    ),
    reply: openObject({
      result: Type.Array(
        openObject({
          line_number: Type.Union([Type.Integer(), Type.Null()]),
          start_column: Type.Union([Type.Integer(), Type.Null()]),
          end_column: Type.Union([Type.Integer(), Type.Null()]),
          message: Type.String(),
        }),
      ),
    }),
    can: ['can_validate_expression', 'Datasource'],
    object: 'the dataset must be readable; the limits on SQL expressions apply',
    rate: 'query',
    audit: 'none',
    csrf: 'token',
    errors: 'plain',
    fails: ['bad_request', 'dataset_not_found'],
  }),
  samples: defineRoute({
    method: 'POST',
    path: '/datasource/samples',
    summary: 'Returns a page of rows of a dataset without aggregation, optionally filtered',
    query: Type.Object(
      {
        datasource_type: Type.Optional(Type.String()),
        datasource_id: Type.Optional(Type.String()),
        force: Type.Optional(Type.String()),
        page: Type.Optional(Type.Integer()),
        per_page: Type.Optional(Type.Integer()),
      },
      { additionalProperties: true },
    ),
    body: Type.Object({}, { additionalProperties: true }),
    reply: 'bytes',
    can: ['can_samples', 'Datasource'],
    object: 'the dataset must be readable; row-level security rules apply',
    rate: 'query',
    audit: 'datasource.samples',
    csrf: 'token',
    errors: 'legacy',
    fails: ['bad_request', 'dataset_not_found', 'dataset_access'],
  }),
  externalMetadata: defineRoute({
    ...read,
    path: '/datasource/external_metadata/:type/:id/',
    summary: 'Returns the current columns of a dataset from its source',
    params: ByKind,
    reply: Type.Array(openObject({ name: Type.String() })),
    can: ['can_external_metadata', 'Datasource'],
    object: 'the dataset must be readable',
    fails: ['not_found', 'bad_request'],
  }),
  externalMetadataByName: defineRoute({
    ...read,
    path: '/datasource/external_metadata_by_name/',
    summary: 'Returns the current columns of a table from its source',
    rison: Type.Object({
      datasource_type: Type.String(),
      database_name: Type.String(),
      schema_name: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
      table_name: Type.String(),
    }),
    reply: Type.Array(openObject({ name: Type.String() })),
    can: ['can_external_metadata_by_name', 'Datasource'],
    object: 'the table, by database, schema or dataset access',
    fails: ['not_found', 'bad_request'],
  }),
}
