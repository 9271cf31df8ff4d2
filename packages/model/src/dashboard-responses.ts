import Type, { type Static } from 'typebox'
import { TagSummary } from './tag-summary.ts'
import {
  openObject,
  AnyObject,
  auditFields,
  flag,
  id,
  nullable,
  SubjectSummary,
  UserSummary,
  row,
  text,
} from './fields.ts'
import { DatasetObject } from './dataset-responses.ts'

const shared = {
  ...auditFields,
  id: id(),
  uuid: text(),
  slug: nullable(text()),
  url: text(),
  dashboard_title: nullable(text()),
  published: flag(),
  css: nullable(text()),
  json_metadata: nullable(text()),
  position_json: nullable(text()),
  certified_by: nullable(text()),
  certification_details: nullable(text()),
  is_managed_externally: flag(),
  owners: Type.Array(UserSummary),
  editors: Type.Array(SubjectSummary),
  viewers: Type.Array(SubjectSummary),
  roles: Type.Array(row({ id: id(), name: text() })),
  tags: Type.Array(TagSummary),
  /** Parquetry extension: only the tags that users write. */
  custom_tags: Type.Array(TagSummary),
  thumbnail_url: text(),
}

/** A dashboard in `GET /api/v1/dashboard/`. */
export const ListedDashboard = row({
  ...shared,
  status: Type.Unsafe<'published' | 'draft'>({ type: 'string', enum: ['published', 'draft'] }),
})
export type ListedDashboard = Static<typeof ListedDashboard>

/** `GET /api/v1/dashboard/{id or slug}`: `charts` are the names of its charts. */
export const DashboardDetail = row({
  ...shared,
  charts: Type.Array(text()),
  theme: nullable(openObject({ id: id(), theme_name: text(), json_data: text() })),
})
export type DashboardDetail = Static<typeof DashboardDetail>

/** A chart in `GET /api/v1/dashboard/{id}/charts`. Its query fields are empty when the caller may not read its data. */
export const DashboardChart = openObject({
  id: id(),
  uuid: text(),
  slice_name: text(),
  slice_url: text(),
  cache_timeout: nullable(id()),
  changed_on: text(),
  description: nullable(text()),
  description_markeddown: text(),
  certified_by: nullable(text()),
  certification_details: nullable(text()),
  form_data: AnyObject,
})
export type DashboardChart = Static<typeof DashboardChart>

const { description: _, ...ofDataset } = DatasetObject.properties
/**
 * A dataset in `GET /api/v1/dashboard/{id}/datasets`: the dataset object without its description, with the columns and metrics
 * used by the charts and the names and types of all its columns.
 */
export const DashboardDataset = openObject({
  ...ofDataset,
  column_names: Type.Array(Type.String()),
  column_types: Type.Array(Type.Integer()),
})
export type DashboardDataset = Static<typeof DashboardDataset>
