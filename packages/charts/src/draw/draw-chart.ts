import type { Frame } from '@parquetry/frame'
import type { AnnotationData } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { AnyChart, ChartForm, Spec } from '../define.ts'
import { buildSpecContext, type DatasetDisplay } from '../spec-context.ts'
import { resolveForm } from '../query/build-query-context.ts'
import { loadStoredForm } from '../registry.ts'
import { listKinds, loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { resolveChartTheme } from '../resolve/chart-theme.ts'
import type { ChartTheme } from '../resolve/theme.ts'
import { escapeHtml, createTranslator, type Messages } from '../resolve/text.ts'
import { resolveColorScale, type DashboardColors } from '../shared/colors/scale.ts'
import { truncateText, round, svgText } from '../shared/svg-text.ts'
import { chartTextId } from '../catalog-ids.ts'
import type { SvgDrawing } from './drawing.ts'
import { drawings } from './drawings.gen.ts'
import { renderSvg } from './echarts.ts'
import { drawLegend, type SvgLegend } from './legend.ts'

/** Options for drawing a chart as an image; plain JSON, so that they can be sent to a process without user context. */
export interface DrawOptions {
  /** CSS pixels; defaults to 640 x 400. */
  width?: number
  height?: number
  theme?: ChartTheme['name']
  /** CSS variables that themes set in this mode. */
  themeVariables?: Readonly<Record<string, string>>
  /** Name of the image for screen readers; defaults to the name of the chart type. */
  title?: string
  dataset?: DatasetDisplay
  /** The `json_metadata` of the dashboard that contains the chart. */
  dashboard?: DashboardColors
  /** See `ColorScaleOptions`. */
  isAnalogous?: boolean
  /** Catalog messages in the user's language, areas `picture` and `charts`; English by default. */
  messages?: Messages
  locale?: string
  timeZone?: string
  /** End of the time range of the response, in milliseconds. */
  until?: number | null
  /** Data of the chart's annotation layers. */
  annotations?: Readonly<Record<string, AnnotationData>>
  /** Layers that could not be read, with the reason; the image notes that they are missing. */
  annotationErrors?: Readonly<Record<string, string>>
  tableRows?: RenderContext['tableRows']
  hasFullTable?: boolean
  /** Paints the background; defaults to true. */
  ground?: boolean
}

/**
 * Draws a chart as SVG without a browser, using the same spec and resolver as on screen. The SVG has a title and a description
 * (`role="img"`).
 * @param frames responses by the names of the chart's queries
 * @param form as stored, with dashboard filters applied
 * @throws AppError `unsupported` for a type that has no drawing here
 */
export async function drawChart(
  viz_type: string,
  frames: Record<string, Frame>,
  form: ChartForm,
  look: DrawOptions = {},
): Promise<{ svg: string; omitted: SvgDrawing['omitted'] }> {
  const opened = await loadStoredForm({ ...form, viz_type }, look.dataset)
  if (!opened)
    throw new AppError('unsupported', {
      message: message('errors.chart.typeNotSupported', 'This visualization type is not supported.'),
    })
  const { chart } = opened
  const settled = resolveForm(chart, opened.form)
  const around = buildRenderContext(look)
  const spec = chart.spec(
    frames,
    settled,
    buildSpecContext(settled, { ...look, colors: resolveColorScale(settled, look.dashboard, look) }),
  )
  const kind = around.translate(chartTextId(chart.viz_type, 'name'), chart.name)
  const [first] = Object.values(frames)
  const isEmpty =
    first?.rows === 0 &&
    !chart.behaviors.includes('NATIVE_FILTER') &&
    (chart.series.length === 0 || Object.values(frames).every(({ rows }) => rows === 0))
  const omittedLayers = Object.entries(look.annotationErrors ?? {})
  const room = { ...around, height: around.height - (omittedLayers.length > 0 ? omissionLineHeight : 0) }
  const drawn = isEmpty ? drawEmpty(kind, around) : await drawSpec(chart, spec, frames, { kind, around: room })
  if (omittedLayers.length > 0) drawn.body += drawOmissions(omittedLayers, around)
  return { svg: wrapSvg(drawn, look.title ?? kind, around, look.ground), omitted: drawn.omitted }
}

const omissionLineHeight = 18

function drawOmissions(
  errors: readonly [name: string, error: string][],
  { translate, theme, width, height }: RenderContext,
) {
  const layers = errors.map(([name, error]) => `${name} (${error.replace(/^Error: /, '')})`).join(', ')
  const text = translate('picture.lacking', 'Not shown: {layers}', { layers })
  return svgText(8, height - 6, truncateText(text, 11, width - 16), { size: 11, fill: theme.text2 })
}

async function drawSpec(
  { viz_type }: AnyChart,
  spec: Spec,
  frames: Record<string, Frame>,
  { kind, around }: { kind: string; around: RenderContext },
): Promise<SvgDrawing> {
  const drawing = drawings[viz_type]
  if (drawing) return (await drawing()).default(spec, frames, around)
  const families = await loadFamilies(listKinds(spec))
  const whole = resolveSpec(spec, frames, around, families)
  const legend = drawLegend(whole, around)
  const plot = legend ? withoutLegend(legend, around) : around
  const resolved = legend ? resolveSpec(spec, frames, plot, families) : whole
  const body = renderSvg(resolved, plot)
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>\s*$/, '')
  const at = [legend?.side === 'left' ? legend.room : 0, legend?.side === 'top' ? legend.room : 0]
  return {
    body: legend ? `<g transform="translate(${at.map(round).join(' ')})">${body}</g>${legend.svg}` : body,
    describe: resolved.describe(kind),
  }
}

/** The part of the image that a legend leaves free. */
const withoutLegend = ({ side, room }: SvgLegend, around: RenderContext): RenderContext =>
  side === 'left' || side === 'right'
    ? { ...around, width: around.width - room }
    : { ...around, height: around.height - room }

function drawEmpty(kind: string, { translate, theme, width, height }: RenderContext): SvgDrawing {
  const text = translate('picture.empty', 'No rows match these filters')
  return {
    body: svgText(width / 2, height / 2, text, { size: 14, fill: theme.text2, anchor: 'middle' }),
    describe: translate('picture.describe.empty', '{kind} with no data.', { kind }),
  }
}

function buildRenderContext({
  width = 640,
  height = 400,
  theme = 'light',
  themeVariables = {},
  messages = {},
  locale = 'en',
  timeZone = 'UTC',
  tableRows,
  hasFullTable = false,
}: DrawOptions): RenderContext {
  const say = createTranslator({ messages, locale })
  return {
    theme: resolveChartTheme(theme, themeVariables),
    locale,
    timeZone,
    translate: say,
    width,
    height,
    animate: false,
    isStill: true,
    tableRows,
    hasFullTable,
  }
}

function wrapSvg({ body, describe }: SvgDrawing, title: string, around: RenderContext, ground = true): string {
  const { width, height, theme } = around
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeHtml(theme.font)}">`,
    `<title>${escapeHtml(title)}</title><desc>${escapeHtml(describe)}</desc>`,
    ground ? `<rect width="${width}" height="${height}" fill="${theme.surface}"/>` : '',
    body,
    '</svg>',
  ].join('')
}
