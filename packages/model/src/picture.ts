import Type, { type Static } from 'typebox'
import type { LayoutNodes } from './dashboard-layout.ts'
import type { ImageType } from './dashboard-image.ts'
import { DataMask } from './dashboard-stream.ts'
import { defineRoute } from './route.ts'

const Format = Type.Union([Type.Literal('png'), Type.Literal('svg'), Type.Literal('pdf')])
export type PictureFormat = Static<typeof Format>
/** A workbook has the numbers of a chart, or of a dashboard with one sheet per chart. */
const FileFormat = Type.Union([...Format.anyOf, Type.Literal('xlsx')])

/** Output of a runner: `csv` is one file, or a ZIP of several; `text` is `TextTables` as JSON. */
export type PictureOutput = Static<typeof FileFormat> | 'csv' | 'text'

/** The tables of a message: HTML without scripts, styles of the page or links, and the same as plain text. */
export interface TextTables {
  html: string
  text: string
}

const Theme = Type.Union([Type.Literal('light'), Type.Literal('dark')])

const shared = {
  theme: Type.Optional(Theme),
  /** IANA name of the reader's time zone; defaults to UTC. */
  time_zone: Type.Optional(Type.String({ maxLength: 64 })),
}

/** `width` and `height` are in CSS pixels. `state` is the chart's own part of the query, such as the page of a table. */
export const ChartPictureRequest = Type.Object(
  {
    ...shared,
    format: FileFormat,
    form_data: Type.Record(Type.String(), Type.Unknown()),
    /** Title above the chart; empty for none. */
    title: Type.Optional(Type.String({ maxLength: 500 })),
    /** Dashboard whose label colors are used. */
    dashboard_id: Type.Optional(Type.Integer()),
    width: Type.Optional(Type.Integer({ minimum: 100, maximum: 4000 })),
    height: Type.Optional(Type.Integer({ minimum: 100, maximum: 4000 })),
    state: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
)
export type ChartPictureRequest = Static<typeof ChartPictureRequest>

/**
 * `tabs` contains the ids of the tabs to show, along with the content around them. If omitted, all tabs are shown one after
 * another.
 */
export const DashboardPictureRequest = Type.Object(
  {
    ...shared,
    format: FileFormat,
    data_mask: Type.Optional(DataMask),
    tabs: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
    /** Orientation of the pages of a PDF; landscape by default. */
    orientation: Type.Optional(Type.Union([Type.Literal('portrait'), Type.Literal('landscape')])),
  },
  { additionalProperties: false },
)
export type DashboardPictureRequest = Static<typeof DashboardPictureRequest>

const fails = ['not_found', 'invalid_payload', 'unsupported', 'result_too_large', 'query_timeout'] as const

export const chartPicture = defineRoute({
  method: 'POST',
  path: '/api/v1/chart/picture',
  success: [200, 204],
  summary: 'Renders a chart as PNG, SVG or PDF, or as XLSX with its numbers and a native chart',
  body: ChartPictureRequest,
  reply: 'stream',
  can: ['can_read', 'Chart'],
  object: 'the dataset of the form, or the dashboard that shows its chart',
  rate: 'query',
  audit: 'chart.picture',
  csrf: 'same-origin',
  errors: 'typed',
  fails: [...fails, 'forbidden', 'dataset_not_found', 'dataset_access', 'invalid_query', 'query_failed'],
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

/** A chart of an image: its form with all filters applied. Its result has the same `id` in the messages sent along. */
export interface PictureChart {
  id: number
  viz_type: string
  form: Record<string, unknown>
  title: string
  /** Name of the plugin that draws it in browsers. */
  plugin?: string
  /** Names and formats from its dataset, spelled as in the API's dataset object. */
  dataset: Record<string, unknown>
}

/** Input for drawing an image in a runner, in addition to the results; plain JSON. */
export interface Picture {
  format: PictureOutput
  theme: 'light' | 'dark'
  /** CSS variables that themes of the system and of the dashboard set in this mode. */
  themeVariables: Readonly<Record<string, string>>
  /** BCP 47 tag of `messages`, which contains the catalog areas `picture` and `charts`. */
  locale: string
  messages: Record<string, string>
  timeZone: string
  title: string
  /** Creation time in milliseconds. */
  at: number
  charts: PictureChart[]
  /** Size of a single chart in CSS pixels, or the layout of a dashboard. */
  page: { width: number; height: number } | PictureLayout
  /** `json_metadata` of the dashboard, for colors. */
  metadata: Record<string, unknown>
  /** Labels beyond the colors of a scheme get analogous colors (flag `USE_ANALAGOUS_COLORS`). */
  isAnalogous: boolean
  /** Folder with additional fonts, for scripts that Inter lacks. */
  fonts: string | null
}

export interface PictureLayout {
  nodes: LayoutNodes
  /** Ids of the tabs to show; null for all. */
  tabs: string[] | null
  /** Width of its content in an image without pages, in CSS pixels. */
  width?: number
  orientation?: 'portrait' | 'landscape'
  /** Active filters as text. */
  filters: { name: string; value: string }[]
  /** Images in its texts, by hash. Missing ones are replaced by their alternative text. */
  images: Record<string, PictureImage>
}

export interface PictureImage {
  media_type: ImageType
  base64: string
  /** In pixels; null for an SVG without a width. */
  width: number | null
  height: number | null
}
