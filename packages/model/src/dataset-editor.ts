import Type, { type Static } from 'typebox'
import { openObject, body, flag, id, nullish, nullable, text } from './fields.ts'
import { ById } from './resource.ts'
import { defineRoute } from './route.ts'

const names = () => Type.Array(text())
const counts = () => Type.Record(Type.String(), Type.Integer())

/** A chart that reads a dataset, and what of it the chart names. */
export const DependentChart = openObject({
  id: id(),
  slice_name: text(),
  viz_type: text(),
  owners: names(),
  /** The caller may change it. */
  may_edit: flag(),
  columns: names(),
  metrics: names(),
  /** Columns and metrics that SQL in the chart mentions: no rename reaches them. */
  mentioned: names(),
})
export type DependentChart = Static<typeof DependentChart>

/** A dashboard that shows such charts, or whose filters read the dataset. */
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
  /** Of charts that the caller may not see: how many there are, and how many name each column and metric. */
  hidden: openObject({ charts: Type.Integer(), columns: counts(), metrics: counts() }),
})
export type DatasetUsage = Static<typeof DatasetUsage>

/** A name that a column or metric of a dataset had, and that the dataset has no more. */
export const MissingReference = openObject({
  kind: Type.Union([Type.Literal('column'), Type.Literal('metric')]),
  name: text(),
  /** What it is called today; null when it was removed. */
  now: nullable(text()),
  /** Who changed it; null when that is not known any more. */
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

/** What the rows of a column are like. Times are milliseconds since 1970, as in chart data. */
export const ColumnProfile = openObject({
  column_name: text(),
  nulls: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  /** Different values. */
  distinct: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  /** They are estimated: the engine counts many rows so much faster. */
  distinct_is_near: flag(),
  min: Type.Unknown(),
  max: Type.Unknown(),
  /** Equal parts from the least to the greatest value, ends included where numbers are whole; none for texts and truths. */
  bars: Type.Array(Bar),
  /** Why there is nothing of it. */
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

/** Ours: what the editor of datasets asks beside the API. */
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
  lostNames: defineRoute({
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
