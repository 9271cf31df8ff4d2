import { splitMessages } from '@parquetry/frame/wire'
import {
  layoutGrid,
  toFileName,
  type DashboardStreamHead,
  type DataMask,
  type LayoutNode,
  type PictureLayout,
  type PictureOutput,
  type ReportFile,
  type ReportFormat,
  type TextTables,
} from '@parquetry/model'
import { requesterKey } from '../access/principal.ts'
import type { ChartRow } from '../chart/chart-resource.ts'
import { buildFormData } from '../chart/form-data.ts'
import type { StoredDashboard } from '../chart/stored-dashboard.ts'
import { buildChartPicture, type DrawingInput, type PictureContext } from './chart-picture.ts'
import { buildDashboardPicture } from './dashboard-picture.ts'
import { describeFormFilters } from './form-filters.ts'
import { mediaTypes } from './media-types.ts'

/** The content of a report, drawn with the rights of the principal of the context. */
export interface ContentRequest {
  target:
    | { chart: ChartRow }
    | { dashboard: StoredDashboard; dataMask?: DataMask | undefined; tabs?: string[] | undefined }
  format: Exclude<ReportFormat, 'NONE'>
  /** Width of images, in CSS pixels. */
  width?: number | undefined
  orientation?: 'portrait' | 'landscape' | undefined
  /** IANA name. */
  timeZone: string
}

/** Files and, for `TEXT`, a table as sanitized HTML and as plain text. */
export interface ReportContent {
  files: ReportFile[]
  table: TextTables | null
  /** Charts that failed, with the reason that the file also shows. */
  failures: { chart: string; reason: string }[]
}

const outputs: Readonly<Record<ContentRequest['format'], PictureOutput>> = {
  PNG: 'png',
  PDF: 'pdf',
  XLSX: 'xlsx',
  CSV: 'csv',
  TEXT: 'text',
}

/**
 * Draws what a report sends, in light colors. Access to the chart or dashboard itself is checked by the caller; rows are those that the principal
 * may read. A chart that fails shows the reason in its place, and the rest is drawn.
 * @throws AppError `dataset_access` and the like for a chart whose dataset the principal may not read, `unsupported`, `result_too_large`,
 * `query_timeout`
 */
export async function buildReportContent(request: ContentRequest, context: PictureContext): Promise<ReportContent> {
  const { deps, principal, signal } = context
  const { picture, messages } = await prepare(request, { ...context, showsErrors: true })
  const bytes = await deps.runners.draw(picture, messages, signal, requesterKey(principal))
  const failures = listFailures({ picture, messages })
  if (request.format === 'TEXT') {
    const table = JSON.parse(Buffer.from(bytes).toString()) as TextTables
    return { files: [], table, failures }
  }
  return { files: [createFile(picture, bytes)], table: null, failures }
}

/** The layout of a page with one chart, which has room for it below its title. */
function layOutChart(
  form: Readonly<Record<string, unknown>>,
  orientation: ContentRequest['orientation'],
): PictureLayout {
  const node = (id: string, type: string, children: string[], meta = {}): LayoutNode => ({
    id,
    type,
    children,
    parents: [],
    meta,
  })
  const size = { width: layoutGrid.columns, height: orientation === 'portrait' ? 70 : 84 }
  const nodes = [
    node('ROOT_ID', 'ROOT', ['GRID_ID']),
    node('GRID_ID', 'GRID', ['CHART']),
    node('CHART', 'CHART', [], { chartId: 0, ...size }),
  ]
  return {
    nodes: Object.fromEntries(nodes.map((each) => [each.id, each])),
    tabs: null,
    ...(orientation && { orientation }),
    filters: describeFormFilters(form),
    images: {},
  }
}

async function prepare(
  { target, format: wanted, width, orientation, timeZone }: ContentRequest,
  context: PictureContext,
): Promise<DrawingInput> {
  const shared = { format: outputs[wanted], theme: 'light', time_zone: timeZone } as const
  if ('dashboard' in target) {
    const { dashboard, dataMask, tabs } = target
    return buildDashboardPicture(
      dashboard,
      {
        ...shared,
        ...(dataMask && { data_mask: dataMask }),
        ...(tabs && { tabs }),
        ...(orientation && { orientation }),
        width,
      },
      context,
    )
  }
  const { chart } = target
  const size = width === undefined ? {} : { width, height: Math.round(width * 0.625) }
  const form_data = buildFormData(chart)
  const drawing = await buildChartPicture(
    { ...shared, form_data, title: chart.slice_name ?? `#${chart.id}`, ...size },
    { metadata: {}, theme_id: null },
    context,
  )
  // Paper has pages, with title and times; a workbook begins with the filters.
  if (wanted === 'PDF' || wanted === 'XLSX') drawing.picture.page = layOutChart(form_data, orientation)
  return drawing
}

function listFailures({ picture, messages }: DrawingInput): ReportContent['failures'] {
  const titles = new Map(picture.charts.map(({ id, title }) => [id, title]))
  const reasons = new Map<number, string>()
  for (const { head } of splitMessages(messages)) {
    const each = head as unknown as DashboardStreamHead
    if (each.type === 'error' && each.chart !== undefined) reasons.set(each.chart, each.error.message)
  }
  return [...reasons].map(([id, reason]) => ({ chart: titles.get(id) ?? `#${id}`, reason }))
}

const zipStart = Buffer.from('PK\u0003\u0004')

/** Rows of several charts are a ZIP of CSV files. */
function createFile({ title, format }: DrawingInput['picture'], bytes: Buffer): ReportFile {
  if (format === 'csv' && bytes.subarray(0, zipStart.length).equals(zipStart))
    return { name: `${toFileName(title)}.zip`, media_type: 'application/zip', bytes }
  return { name: `${toFileName(title)}.${format}`, media_type: mediaTypes[format], bytes }
}
