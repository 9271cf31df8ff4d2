import type Type from 'typebox'
import { ChartDetail, ListedChart } from './chart-answers.ts'
import { body, datasourceType, ids, id, jsonText, managed, may, maybe, flag, nullable, seen, text } from './fields.ts'
import { bulkDelete, favoriteRoutes, readingRoutes, thumbnail, writingRoutes } from './resource.ts'

const shared = {
  description: maybe(text()),
  owners: may(ids()),
  query_context_generation: maybe(flag()),
  cache_timeout: maybe(id()),
  dashboards: may(ids()),
  certified_by: maybe(text()),
  certification_details: maybe(text()),
  ...managed,
}

/** Body of `POST /api/v1/chart/`. */
export const ChartPost = body({
  slice_name: text(1, 250),
  viz_type: may(text(0, 250)),
  params: maybe(jsonText()),
  query_context: maybe(jsonText()),
  datasource_id: id(),
  datasource_type: datasourceType(),
  datasource_name: maybe(text()),
  uuid: maybe(text()),
  ...shared,
})
export type ChartPost = Type.Static<typeof ChartPost>

/** Body of `PUT /api/v1/chart/{id}`: only what is sent changes. */
export const ChartPut = body({
  slice_name: maybe(text(0, 250)),
  viz_type: maybe(text(0, 250)),
  params: maybe(text()),
  query_context: maybe(text()),
  datasource_id: maybe(id()),
  datasource_type: may(nullable(datasourceType())),
  tags: may(ids()),
  uuid: maybe(text()),
  ...shared,
  ...seen,
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
}
