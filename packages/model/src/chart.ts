import type Type from 'typebox'
import { ChartDetail, ListedChart } from './chart-responses.ts'
import {
  body,
  datasourceType,
  ids,
  id,
  jsonText,
  managedFields,
  optional,
  nullish,
  flag,
  nullable,
  revisionFields,
  text,
  unchangeable,
} from './fields.ts'
import { bulkDelete, favoriteRoutes, readingRoutes, thumbnail, writingRoutes } from './resource.ts'
import { chartScreenshots } from './screenshot.ts'

const shared = {
  description: nullish(text()),
  /** Ids of users: replaces the owners that are users. */
  owners: optional(ids()),
  /** Ids of subjects: replaces all owners. */
  editors: optional(ids()),
  viewers: optional(ids()),
  query_context_generation: nullish(flag()),
  cache_timeout: nullish(id()),
  dashboards: optional(ids()),
  certified_by: nullish(text()),
  certification_details: nullish(text()),
  ...managedFields,
}

/** Body of `POST /api/v1/chart/`. */
export const ChartPost = body({
  slice_name: text(1, 250),
  viz_type: optional(text(0, 250)),
  params: nullish(jsonText()),
  query_context: nullish(jsonText()),
  datasource_id: id(),
  datasource_type: datasourceType(),
  datasource_name: nullish(text()),
  uuid: nullish(text()),
  ...shared,
})
export type ChartPost = Type.Static<typeof ChartPost>

/** Body of `PUT /api/v1/chart/{id}`: only the fields sent are changed. */
export const ChartPut = body({
  slice_name: nullish(text(0, 250)),
  viz_type: nullish(text(0, 250)),
  params: nullish(text()),
  query_context: nullish(text()),
  datasource_id: nullish(id()),
  datasource_type: optional(nullable(datasourceType())),
  /** Ids of custom tags; all of them. */
  tags: optional(ids()),
  uuid: nullish(unchangeable(text())),
  ...shared,
  ...revisionFields,
})
export type ChartPut = Type.Static<typeof ChartPut>

const part = { name: 'chart', view: 'Chart' } as const

/** `/api/v1/chart/` without the data calls, which are in `chart-data.ts`. */
export const chartRoutes = {
  ...readingRoutes({ ...part, listed: ListedChart, detail: ChartDetail }),
  ...writingRoutes({ ...part, post: ChartPost, put: ChartPut }),
  bulkDelete: bulkDelete(part),
  ...favoriteRoutes(part),
  thumbnail: thumbnail(part),
  ...chartScreenshots,
}
