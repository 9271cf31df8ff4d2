import Type from 'typebox'
import { DatasetDetail, dependents, ListedDataset } from './dataset-responses.ts'
import {
  openObject,
  body,
  flag,
  id,
  ids,
  managedFields,
  optional,
  nullish,
  MessageBody,
  AnyObject,
  revisionFields,
  text,
  unchangeable,
} from './fields.ts'
import { bulkDelete, ById, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'
import { jsonField } from './form.ts'

/** Body of `POST /api/v1/dataset/`. */
export const DatasetPost = body({
  database: id(),
  catalog: nullish(text(0, 250)),
  schema: nullish(text(0, 250)),
  table_name: text(1, 250),
  sql: nullish(text()),
  owners: optional(ids()),
  /** Ids of subjects: users, roles and groups. */
  editors: optional(ids()),
  normalize_columns: optional(flag()),
  always_filter_main_dttm: optional(flag()),
  template_params: nullish(text()),
  uuid: nullish(text()),
  /** Parquetry extension: if omitted, a new dataset offers no values of its columns, as in Superset. */
  filter_select_enabled: optional(flag()),
  ...managedFields,
})
export type DatasetPost = Type.Static<typeof DatasetPost>

/** A column in a PUT: updated if it has an `id`, otherwise added. */
export const DatasetColumnPut = body({
  id: optional(id()),
  column_name: text(1, 255),
  type: nullish(text()),
  advanced_data_type: nullish(text(1, 255)),
  verbose_name: nullish(text()),
  description: nullish(text()),
  expression: nullish(text()),
  extra: nullish(text()),
  filterable: optional(flag()),
  groupby: optional(flag()),
  is_active: nullish(flag()),
  is_dttm: nullish(flag()),
  python_date_format: nullish(text(1, 255)),
  /** The newer spelling of `python_date_format`. */
  datetime_format: nullish(text(1, 100)),
  uuid: nullish(unchangeable(text())),
})
export type DatasetColumnPut = Type.Static<typeof DatasetColumnPut>

/** A metric in a PUT: updated if it has an `id`, otherwise added. */
export const DatasetMetricPut = body({
  id: optional(id()),
  metric_name: text(1, 255),
  expression: text(),
  description: nullish(text()),
  extra: nullish(text()),
  metric_type: nullish(text(1, 32)),
  d3format: nullish(text(1, 128)),
  currency: nullish(body({ symbol: optional(text(1, 128)), symbolPosition: optional(text(1, 128)) })),
  verbose_name: nullish(text()),
  warning_text: nullish(text()),
  uuid: nullish(unchangeable(text())),
})
export type DatasetMetricPut = Type.Static<typeof DatasetMetricPut>

/** Folders of columns and metrics, read by `parseFolders` of apps/server/src/dataset/folders.ts. */
const Folders = () => Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 10_000 })

/** Body of `PUT /api/v1/dataset/{id}`. `columns` and `metrics`, if sent, replace the whole lists. */
export const DatasetPut = body({
  table_name: nullish(text(1, 250)),
  database_id: optional(id()),
  sql: nullish(text()),
  filter_select_enabled: nullish(flag()),
  fetch_values_predicate: nullish(text(0, 1000)),
  catalog: nullish(text(0, 250)),
  schema: nullish(text(0, 255)),
  description: nullish(text()),
  main_dttm_col: nullish(text()),
  normalize_columns: nullish(flag()),
  always_filter_main_dttm: optional(flag()),
  offset: nullish(id()),
  default_endpoint: nullish(text()),
  cache_timeout: nullish(id()),
  is_sqllab_view: nullish(flag()),
  template_params: nullish(text()),
  owners: optional(ids()),
  /** Ids of subjects: users, roles and groups. */
  editors: optional(ids()),
  columns: optional(Type.Array(DatasetColumnPut, { maxItems: 10_000 })),
  metrics: optional(Type.Array(DatasetMetricPut, { maxItems: 10_000 })),
  folders: nullish(Folders()),
  extra: nullish(text()),
  uuid: nullish(unchangeable(text())),
  /** Parquetry extension: renames of columns and metrics are applied to the charts and filters that the caller may edit. */
  carry_renames: optional(flag()),
  ...managedFields,
  ...revisionFields,
})
export type DatasetPut = Type.Static<typeof DatasetPut>

export const GetOrCreateDataset = body({
  table_name: text(1),
  database_id: id(),
  catalog: nullish(text(0, 250)),
  schema: nullish(text(0, 250)),
  template_params: nullish(text()),
  normalize_columns: optional(flag()),
  always_filter_main_dttm: optional(flag()),
})
export type GetOrCreateDataset = Type.Static<typeof GetOrCreateDataset>

const part = { name: 'dataset', view: 'Dataset' } as const
const write = { rate: 'write', csrf: 'token', errors: 'plain' } as const
/** Allows thousands of columns, as the older call that saves datasets. */
const bodyLimit = 8 << 20
const writing = writingRoutes({ ...part, post: DatasetPost, put: DatasetPut, bodyLimit })

/** `/api/v1/dataset/`. */
export const datasetRoutes = {
  ...readingRoutes({ ...part, listed: ListedDataset, detail: DatasetDetail }),
  ...writing,
  update: defineRoute({
    ...writing.update,
    query: Type.Object({ override_columns: Type.Optional(Type.String()) }),
    reply: openObject({
      id: Type.Integer(),
      result: AnyObject,
      /** With `carry_renames`: the charts and dashboards that were updated. */
      carried: optional(openObject({ charts: ids(), dashboards: ids() })),
    }),
  }),
  bulkDelete: bulkDelete(part),
  refresh: defineRoute({
    ...write,
    method: 'PUT',
    path: '/api/v1/dataset/:id/refresh',
    summary: 'Refreshes the columns of a dataset from its source',
    params: ById,
    body: 'none',
    reply: MessageBody,
    can: ['can_write', 'Dataset'],
    object: 'the dataset, by ownership',
    audit: 'dataset.refresh',
    fails: ['not_found', 'missing_ownership', 'unprocessable'],
  }),
  duplicate: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/dataset/duplicate',
    success: [201],
    summary: 'Duplicates a virtual dataset under a new name',
    body: body({ base_model_id: id(), table_name: text(1, 250) }),
    reply: openObject({ id: Type.Integer(), result: AnyObject }),
    can: ['can_duplicate', 'Dataset'],
    object: 'the dataset must be readable',
    audit: 'dataset.duplicate',
    fails: ['invalid_payload', 'not_found', 'unprocessable'],
  }),
  getOrCreate: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/dataset/get_or_create/',
    summary: 'Returns the dataset of a table and creates it if it does not exist',
    body: GetOrCreateDataset,
    reply: openObject({ result: openObject({ table_id: Type.Integer() }) }),
    can: ['can_get_or_create_dataset', 'Dataset'],
    object: 'the database; an existing dataset must be readable',
    audit: 'dataset.get_or_create',
    fails: ['invalid_payload', 'unprocessable'],
  }),
  relatedObjects: defineRoute({
    method: 'GET',
    path: '/api/v1/dataset/:id/related_objects',
    summary: 'Lists the charts and dashboards that use a dataset',
    params: ById,
    body: 'none',
    reply: openObject(dependents),
    can: ['can_read', 'Dataset'],
    object: 'the dataset must be readable',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  }),
  removeColumn: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/dataset/:id/column/:column_id',
    summary: 'Deletes a column of a dataset',
    params: Type.Object({ id: Type.Integer(), column_id: Type.Integer() }),
    body: 'none',
    reply: MessageBody,
    can: ['can_write', 'Dataset'],
    object: 'the dataset, by ownership',
    audit: 'dataset.column_delete',
    fails: ['not_found', 'missing_ownership'],
  }),
  removeMetric: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/dataset/:id/metric/:metric_id',
    summary: 'Deletes a metric of a dataset',
    params: Type.Object({ id: Type.Integer(), metric_id: Type.Integer() }),
    body: 'none',
    reply: MessageBody,
    can: ['can_write', 'Dataset'],
    object: 'the dataset, by ownership',
    audit: 'dataset.metric_delete',
    fails: ['not_found', 'missing_ownership'],
  }),
}

/** A SQL Lab result to be charted; may contain additional fields. */
export const VizData = openObject({
  dbId: Type.Integer(),
  datasourceName: Type.String({ minLength: 1, maxLength: 250 }),
  sql: Type.String({ minLength: 1 }),
  schema: nullish(Type.String()),
  templateParams: nullish(Type.String()),
  columns: optional(
    Type.Array(
      openObject({
        column_name: optional(Type.String()),
        name: optional(Type.String()),
        is_dttm: nullish(Type.Boolean()),
      }),
    ),
  ),
})

/** `POST /superset/sqllab_viz/`: form field `data` with the JSON text of `VizData`. Newer clients create a dataset instead. */
export const sqllabViz = defineRoute({
  method: 'POST',
  path: '/superset/sqllab_viz/',
  summary: 'Creates a virtual dataset from a query in SQL Lab',
  body: 'form',
  form: Type.Object({ data: jsonField(VizData) }),
  reply: openObject({ table_id: Type.Integer(), data: AnyObject }),
  can: ['can_sqllab_viz', 'Superset'],
  object: 'the database must be visible; data access to every table that the SQL reads',
  rate: 'write',
  audit: 'dataset.create',
  csrf: 'token',
  errors: 'typed',
  bodyLimit: 4 << 20,
  fails: ['bad_request', 'database_not_found', 'name_taken', 'query_access'],
})

/** `POST /superset/get_or_create_table/`: like `get_or_create`, with JSON text in the form field `data`. */
export const TableVizData = openObject({
  dbId: Type.Integer(),
  datasourceName: Type.String({ minLength: 1, maxLength: 250 }),
  schema: nullish(Type.String()),
  templateParams: nullish(Type.String()),
})
export const sqllabTableViz = defineRoute({
  method: 'POST',
  path: '/superset/get_or_create_table/',
  summary: 'Returns the dataset of a table and creates it if it does not exist',
  body: 'form',
  form: Type.Object({ data: jsonField(TableVizData) }),
  reply: openObject({ table_id: Type.Integer() }),
  can: ['can_get_or_create_dataset', 'Dataset'],
  object: 'the database; an existing dataset must be readable',
  rate: 'write',
  audit: 'dataset.get_or_create',
  csrf: 'token',
  errors: 'typed',
  fails: ['bad_request', 'database_not_found', 'name_taken'],
})
