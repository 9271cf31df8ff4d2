import Type, { type Static } from 'typebox'
import { MissingReference } from './dataset-editor.ts'
import { TagSummary } from './tag-summary.ts'
import { AnyObject, auditFields, flag, id, nullable, SubjectSummary, UserSummary, row, text } from './fields.ts'

const shared = {
  ...auditFields,
  id: id(),
  uuid: text(),
  slice_name: nullable(text()),
  viz_type: text(),
  description: nullable(text()),
  params: nullable(text()),
  cache_timeout: nullable(id()),
  certified_by: nullable(text()),
  certification_details: nullable(text()),
  is_managed_externally: flag(),
  datasource_id: id(),
  datasource_type: text(),
  datasource_name_text: nullable(text()),
  datasource_url: text(),
  form_data: AnyObject,
  owners: Type.Array(UserSummary),
  editors: Type.Array(SubjectSummary),
  viewers: Type.Array(SubjectSummary),
  tags: Type.Array(TagSummary),
  /** Parquetry extension: only the tags that users write. */
  custom_tags: Type.Array(TagSummary),
  thumbnail_url: text(),
  url: text(),
}

/** A chart in `GET /api/v1/chart/`. */
export const ListedChart = row({
  ...shared,
  dashboards: Type.Array(row({ id: id(), dashboard_title: nullable(text()) })),
  description_markeddown: text(),
  edit_url: text(),
  last_saved_at: nullable(text()),
  last_saved_by: nullable(UserSummary),
  /** Parquetry extension: names that the chart uses but its dataset no longer has. */
  lost_names: Type.Array(MissingReference),
  slice_url: text(),
  table: nullable(row({ table_name: text(), default_endpoint: nullable(text()) })),
})
export type ListedChart = Static<typeof ListedChart>

/** `GET /api/v1/chart/{id}`. */
export const ChartDetail = row({
  ...shared,
  dashboards: Type.Array(
    row({ id: id(), dashboard_title: nullable(text()), json_metadata: Type.Optional(nullable(text())) }),
  ),
  query_context: nullable(text()),
})
export type ChartDetail = Static<typeof ChartDetail>
