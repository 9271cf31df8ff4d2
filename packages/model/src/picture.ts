import Type, { type Static } from 'typebox'
import type { LayoutNodes } from './dashboard-layout.ts'
import type { ImageType } from './dashboard-image.ts'
import { DataMask } from './dashboard-stream.ts'
import { defineRoute } from './route.ts'

const Format = Type.Union([Type.Literal('png'), Type.Literal('svg'), Type.Literal('pdf')])
export type PictureFormat = Static<typeof Format>
/** Of a dashboard also its numbers, a sheet for each chart. */
const DashboardFormat = Type.Union([...Format.anyOf, Type.Literal('xlsx')])

const Theme = Type.Union([Type.Literal('light'), Type.Literal('dark')])

const shared = {
  format: Format,
  theme: Type.Optional(Theme),
  /** IANA name; what the reader's clock shows. UTC when left out. */
  time_zone: Type.Optional(Type.String({ maxLength: 64 })),
}

/** `width` and `height` in CSS pixels. `state` is the chart's own part of the question, such as the page of a table. */
export const ChartPictureRequest = Type.Object(
  {
    ...shared,
    form_data: Type.Record(Type.String(), Type.Unknown()),
    /** Stands above the chart; empty for none. */
    title: Type.Optional(Type.String({ maxLength: 500 })),
    /** Whose colours its labels have. */
    dashboard_id: Type.Optional(Type.Integer()),
    width: Type.Optional(Type.Integer({ minimum: 100, maximum: 4000 })),
    height: Type.Optional(Type.Integer({ minimum: 100, maximum: 4000 })),
    state: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
)
export type ChartPictureRequest = Static<typeof ChartPictureRequest>

/** `tabs` are ids of those that are shown, with what stands around them; all of them one after another when left out. */
export const DashboardPictureRequest = Type.Object(
  {
    ...shared,
    format: DashboardFormat,
    data_mask: Type.Optional(DataMask),
    tabs: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  },
  { additionalProperties: false },
)
export type DashboardPictureRequest = Static<typeof DashboardPictureRequest>

const fails = ['not_found', 'invalid_payload', 'unsupported', 'result_too_large', 'query_timeout'] as const

export const chartPicture = defineRoute({
  method: 'POST',
  path: '/api/v1/chart/picture',
  summary: 'Renders a chart as PNG, SVG or PDF',
  body: ChartPictureRequest,
  reply: 'stream',
  can: ['can_read', 'Chart'],
  object: 'the dataset of the form, or the dashboard that shows its chart',
  rate: 'query',
  audit: 'chart.picture',
  csrf: 'same-origin',
  errors: 'typed',
  fails: [...fails, 'dataset_not_found', 'dataset_access', 'invalid_query', 'query_failed'],
})

export const dashboardPicture = defineRoute({
  method: 'POST',
  path: '/api/v1/dashboard/:id/picture',
  summary: 'Renders a dashboard as PDF, as one long PNG or SVG, or as XLSX with one sheet per chart',
  params: Type.Object({ id: Type.String() }),
  body: DashboardPictureRequest,
  reply: 'stream',
  can: ['can_read', 'Dashboard'],
  object: 'the dashboard; each chart’s dataset',
  rate: 'query',
  audit: 'dashboard.picture',
  csrf: 'same-origin',
  errors: 'typed',
  fails: [...fails, 'forbidden'],
})

/** A chart of a picture: its form with all filters laid over it. Its answer has the same `id` in the messages that go along. */
export interface PictureChart {
  id: number
  viz_type: string
  form: Record<string, unknown>
  title: string
  /** What its dataset says of names and formats, as the API's dataset object spells it. */
  dataset: Record<string, unknown>
}

/** What a runner draws a picture from, beside the answers; plain JSON. */
export interface Picture {
  format: Static<typeof DashboardFormat>
  theme: 'light' | 'dark'
  /** BCP 47 tag and the catalogue's texts in it, areas `picture` and `charts`. */
  locale: string
  messages: Record<string, string>
  timeZone: string
  title: string
  /** When it was made, in milliseconds. */
  at: number
  charts: PictureChart[]
  /** One chart alone in this size, in CSS pixels, or all of them as a dashboard's layout says. */
  page: { width: number; height: number } | PictureLayout
  /** Of the dashboard, its `json_metadata`: for colours. */
  metadata: Record<string, unknown>
  /** A folder of more fonts, for scripts that Inter lacks. */
  fonts: string | null
}

export interface PictureLayout {
  nodes: LayoutNodes
  /** Those that are shown; null for all. */
  tabs: string[] | null
  /** Filters in force, in words. */
  filters: { name: string; value: string }[]
  /** Images in its texts, by hash. Others are drawn as their words. */
  images: Record<string, PictureImage>
}

export interface PictureImage {
  media_type: ImageType
  base64: string
  /** In pixels; null of an SVG that does not say it. */
  width: number | null
  height: number | null
}
