import Type, { type Static } from 'typebox'
import { openObject, body, flag, id, nullish, nullable, text } from './fields.ts'
import { ById } from './resource.ts'
import { defineRoute } from './route.ts'

const names = () => Type.Array(text())
const counts = () => Type.Record(Type.String(), Type.Integer())

/** A chart that uses a dataset, with the columns and metrics that it references. */
export const DependentChart = openObject({
  id: id(),
  slice_name: text(),
  viz_type: text(),
  owners: names(),
  /** The caller may edit the chart. */
  may_edit: flag(),
  columns: names(),
  metrics: names(),
  /** Columns and metrics that are mentioned in the chart's SQL and are not updated by a rename. */
  mentioned: names(),
})
export type DependentChart = Static<typeof DependentChart>

/** A dashboard that shows such charts or has filters on the dataset. */
export const DependentDashboard = openObject({
  id: id(),
  title: nullable(text()),
  may_edit: flag(),
  charts: Type.Array(Type.Integer()),
  filters: Type.Array(openObject({ name: text(), columns: names(), metrics: names() })),
})
export type DependentDashboard = Static<typeof DependentDashboard>

export const DatasetUsage = openObject({
  charts: Type.Array(DependentChart),
  dashboards: Type.Array(DependentDashboard),
  /** Charts hidden from the caller: their number, and the number that references each column and metric. */
  hidden: openObject({ charts: Type.Integer(), columns: counts(), metrics: counts() }),
})
export type DatasetUsage = Static<typeof DatasetUsage>

/** Former name of a column or metric that the dataset no longer has. */
export const MissingReference = openObject({
  kind: Type.Union([Type.Literal('column'), Type.Literal('metric')]),
  name: text(),
  /** Current name; null when the column or metric was removed. */
  now: nullable(text()),
  /** Author of the change; null when unknown. */
  by: nullable(text()),
  at: text(),
})
export type MissingReference = Static<typeof MissingReference>

export const SourceColumn = openObject({
  name: text(),
  type: nullable(text()),
  type_generic: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  is_dttm: flag(),
  comment: nullable(text()),
})
export type SourceColumn = Static<typeof SourceColumn>

const Bar = openObject({ from: Type.Number(), to: Type.Number(), count: Type.Number() })

/** Statistics of a column. Times are milliseconds since 1970, as in chart data. */
export const ColumnProfile = openObject({
  column_name: text(),
  nulls: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  /** Number of distinct values. */
  distinct: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  /** `distinct` is an estimate, which is much faster for large tables. */
  distinct_is_near: flag(),
  min: Type.Unknown(),
  max: Type.Unknown(),
  /** Bins of equal width from the minimum to the maximum, with inclusive ends for integers; empty for text and booleans. */
  bars: Type.Array(Bar),
  /** Reason why there are no statistics. */
  error: nullable(text()),
})
export type ColumnProfile = Static<typeof ColumnProfile>

export const DatasetProfile = openObject({
  row_count: Type.Number(),
  /** When the rows were read. */
  read_at: text(),
  columns: Type.Array(ColumnProfile),
})
export type DatasetProfile = Static<typeof DatasetProfile>

/** Parquetry extension: calls of the dataset editor. */
export const datasetEditorRoutes = {
  usage: defineRoute({
    method: 'GET',
    path: '/api/v1/dataset/:id/usage',
    summary: 'Lists the charts, dashboards and filters that use the columns and metrics of a dataset',
    params: ById,
    body: 'none',
    reply: openObject({ result: DatasetUsage }),
    can: ['can_read', 'Dataset'],
    object: 'the dataset must be readable; only charts and dashboards visible to the caller are listed',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  }),
  missingReferences: defineRoute({
    method: 'GET',
    path: '/api/v1/dataset/:id/lost_names',
    summary: 'Lists renamed and removed columns and metrics that charts may still reference',
    params: ById,
    body: 'none',
    reply: openObject({ result: Type.Array(MissingReference) }),
    can: ['can_read', 'Dataset'],
    object: 'the dataset must be readable',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  }),
  profile: defineRoute({
    method: 'GET',
    path: '/api/v1/dataset/:id/profile',
    summary: 'Returns statistics for each column, computed from the rows that the caller may read',
    params: ById,
    query: Type.Object({ force: Type.Optional(Type.String()) }),
    body: 'none',
    reply: openObject({ result: DatasetProfile }),
    can: ['can_read', 'Dataset'],
    object: 'the dataset must be readable; row-level security rules apply',
    rate: 'query',
    audit: 'dataset.profile',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found', 'dataset_access', 'query_failed'],
  }),
  sourceColumns: defineRoute({
    method: 'POST',
    path: '/api/v1/dataset/source_columns',
    summary: 'Returns the current columns of a table or SQL query to create a dataset from',
    body: body({
      database_id: id(),
      catalog: nullish(text(0, 250)),
      schema: nullish(text(0, 250)),
      table_name: nullish(text(0, 250)),
      sql: nullish(text()),
    }),
    reply: openObject({ result: Type.Array(SourceColumn) }),
    can: ['can_write', 'Dataset'],
    object: 'the database must be visible; data access to the table, or to every table that the SQL reads',
    rate: 'query',
    audit: 'none',
    csrf: 'token',
    errors: 'plain',
    fails: ['invalid_payload', 'unprocessable'],
  }),
}
