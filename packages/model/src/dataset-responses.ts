import Type, { type Static } from 'typebox'
import {
  openObject,
  AnyObject,
  auditFields,
  datasourceType,
  flag,
  id,
  optional,
  nullable,
  SubjectSummary,
  UserSummary,
  row,
  text,
} from './fields.ts'
import { TagSummary } from './tag-summary.ts'

const Kind = Type.Unsafe<'physical' | 'virtual'>({ type: 'string', enum: ['physical', 'virtual'] })
/** `GenericType`; null when the source does not provide it. */
const GenericKind = Type.Unsafe<number | null>({ type: ['integer', 'null'] })

const shared = {
  ...auditFields,
  /** Parquetry extension. */
  tags: Type.Array(TagSummary),
  custom_tags: Type.Array(TagSummary),
  id: id(),
  uuid: text(),
  table_name: text(),
  catalog: nullable(text()),
  schema: nullable(text()),
  sql: nullable(text()),
  kind: Kind,
  description: nullable(text()),
  default_endpoint: nullable(text()),
  datasource_type: text(),
  extra: nullable(text()),
  owners: Type.Array(UserSummary),
  editors: Type.Array(SubjectSummary),
}

/** A dataset in `GET /api/v1/dataset/`. */
export const ListedDataset = row({
  ...shared,
  database: row({ id: id(), database_name: text(), uuid: optional(text()) }),
  explore_url: text(),
  /** The file of its table is missing, empty or quarantined because it is damaged. */
  is_damaged: flag(),
})
export type ListedDataset = Static<typeof ListedDataset>

/** A column of `GET /api/v1/dataset/{id}`. */
export const DatasetDetailColumn = row({
  id: id(),
  uuid: text(),
  column_name: text(),
  verbose_name: nullable(text()),
  description: nullable(text()),
  expression: nullable(text()),
  type: nullable(text()),
  type_generic: GenericKind,
  advanced_data_type: nullable(text()),
  python_date_format: nullable(text()),
  extra: nullable(text()),
  filterable: flag(),
  groupby: flag(),
  is_active: flag(),
  is_dttm: flag(),
})

/**
 * A folder of columns and metrics, with its children by uuid and in order. A leaf may include its type and name, but only the
 * uuid counts.
 */
export interface DatasetFolder {
  uuid: string
  type?: 'folder' | 'column' | 'metric'
  name?: string
  description?: string | null
  children?: DatasetFolder[]
}
const Folders = () => Type.Unsafe<DatasetFolder[]>({ type: 'array' })

/** `GET /api/v1/dataset/{id}`. */
export const DatasetDetail = row({
  ...shared,
  database: row({ id: id(), database_name: text(), backend: text(), uuid: optional(text()) }),
  columns: Type.Array(DatasetDetailColumn),
  metrics: Type.Array(
    row({
      id: id(),
      metric_name: text(),
      metric_type: nullable(text()),
      expression: text(),
      verbose_name: nullable(text()),
      description: nullable(text()),
      d3format: nullable(text()),
      currency: nullable(AnyObject),
      warning_text: nullable(text()),
      extra: nullable(text()),
      uuid: text(),
    }),
  ),
  folders: Folders(),
  external_url: nullable(text()),
  main_dttm_col: nullable(text()),
  offset: Type.Integer(),
  cache_timeout: nullable(id()),
  fetch_values_predicate: nullable(text()),
  template_params: nullable(text()),
  select_star: nullable(text()),
  filter_select_enabled: flag(),
  is_sqllab_view: flag(),
  is_managed_externally: flag(),
  normalize_columns: flag(),
  always_filter_main_dttm: flag(),
  created_on: text(),
  created_on_humanized: text(),
  changed_on_humanized: text(),
  datasource_name: text(),
  name: text(),
  uid: text(),
  url: text(),
})
export type DatasetDetail = Static<typeof DatasetDetail>

const certification = {
  is_certified: flag(),
  certified_by: nullable(text()),
  certification_details: nullable(text()),
  warning_markdown: nullable(text()),
}

/**
 * The dataset object used by Explore and dashboards. `type` is `query` for a SQL Lab result, which is not stored. Missing or
 * unreadable datasets have fewer fields (`missingDataset` in apps/server/src/explore).
 */
export const DatasetObject = openObject({
  id: id(),
  uid: text(),
  type: datasourceType(),
  name: text(),
  datasource_name: text(),
  table_name: text(),
  catalog: nullable(text()),
  schema: nullable(text()),
  sql: nullable(text()),
  description: nullable(text()),
  database: openObject({ id: id(), name: text(), backend: text() }),
  columns: Type.Array(
    openObject({
      id: id(),
      uuid: optional(text()),
      column_name: text(),
      verbose_name: nullable(text()),
      description: nullable(text()),
      expression: nullable(text()),
      filterable: flag(),
      groupby: flag(),
      is_dttm: flag(),
      type: nullable(text()),
      type_generic: GenericKind,
      ...certification,
    }),
  ),
  metrics: Type.Array(
    openObject({
      id: id(),
      uuid: optional(text()),
      metric_name: text(),
      verbose_name: nullable(text()),
      description: nullable(text()),
      expression: text(),
      d3format: nullable(text()),
      currency: nullable(AnyObject),
      ...certification,
    }),
  ),
  main_dttm_col: nullable(text()),
  verbose_map: Type.Record(Type.String(), Type.String()),
  column_formats: Type.Record(Type.String(), Type.String()),
  currency_formats: Type.Record(Type.String(), AnyObject),
  /** Filters of charts offer the values of its columns. */
  filter_select: optional(flag()),
  folders: optional(Folders()),
  time_grain_sqla: Type.Array(
    Type.Unsafe<[duration: string | null, label: string]>({ type: 'array', minItems: 2, maxItems: 2 }),
  ),
  owners: Type.Array(openObject({ id: id(), first_name: text(), last_name: text() })),
  /** Parquetry extension of Explore: the subjects that own the dataset. */
  editors: optional(Type.Array(SubjectSummary)),
  select_star: nullable(text()),
})
export type DatasetObject = Static<typeof DatasetObject>

/**
 * Charts and dashboards that depend on a dataset or database. `count` includes all, `result` only those visible to the caller.
 */
export const dependents = {
  charts: openObject({
    count: Type.Integer(),
    result: Type.Array(openObject({ id: id(), slice_name: text(), viz_type: text() })),
  }),
  dashboards: openObject({
    count: Type.Integer(),
    result: Type.Array(
      openObject({ id: id(), title: nullable(text()), slug: nullable(text()), json_metadata: nullable(text()) }),
    ),
  }),
}
