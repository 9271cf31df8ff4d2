import type { Frame } from '@parquetry/frame'
import type { AnnotationData } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { AnyChart, ChartForm, Spec } from '../define.ts'
import { lookOf, type DatasetLook } from '../look.ts'
import { drawnForm } from '../query/build-query-context.ts'
import { openForm } from '../registry.ts'
import { kindsOf, loadFamilies } from '../resolve/families/load.ts'
import { resolve } from '../resolve/resolve.ts'
import type { Surroundings } from '../resolve/surroundings.ts'
import { themes, type ChartTheme } from '../resolve/theme.ts'
import { escaped, sayIn, type Messages } from '../resolve/words.ts'
import { scaleOf, type DashboardColors } from '../shared/colors/scale.ts'
import { fitted, round, textAt } from '../shared/svg-text.ts'
import { chartTextId } from '../catalog-ids.ts'
import type { Drawn } from './drawing.ts'
import { drawings } from './drawings.gen.ts'
import { svgOf } from './echarts.ts'
import { stillLegend, type StillLegend } from './legend.ts'

/** How a picture is drawn; plain JSON, so that it travels to where there is no reader. */
export interface DrawLook {
  /** In CSS pixels; 640 x 400. */
  width?: number
  height?: number
  theme?: ChartTheme['name']
  /** Name of the picture, for screen readers; the chart type's when left out. */
  title?: string
  dataset?: DatasetLook
  /** Of the dashboard on which the picture stands: its `json_metadata`. */
  dashboard?: DashboardColors
  /** The catalogue's texts in the reader's language, areas `picture` and `charts`; English when left out. */
  messages?: Messages
  locale?: string
  timeZone?: string
  /** Up to where the answer reaches in time, in milliseconds. */
  until?: number | null
  /** What the annotation layers of the chart hold. */
  annotations?: Readonly<Record<string, AnnotationData>>
  /** Layers that could not be read, and why: a picture that lacks them says so. */
  annotationErrors?: Readonly<Record<string, string>>
  /** Paints the ground; true. */
  ground?: boolean
}

/**
 * A chart as SVG without a browser: the same spec and resolver as on screen. Named and described (`role="img"`).
 * @param frames answers by the names of the chart's queries
 * @param form as stored, dashboard filters laid over it
 * @throws AppError `unsupported` for a type that nobody here draws
 */
export async function drawChart(
  viz_type: string,
  frames: Record<string, Frame>,
  form: ChartForm,
  look: DrawLook = {},
): Promise<{ svg: string }> {
  const opened = await openForm({ ...form, viz_type }, look.dataset)
  if (!opened)
    throw new AppError('unsupported', {
      message: message('errors.chart.typeNotSupported', 'This visualization type is not supported.'),
    })
  const { chart } = opened
  const settled = drawnForm(chart, opened.form)
  const around = surroundings(look)
  const spec = chart.spec(frames, settled, lookOf(settled, { ...look, colors: scaleOf(settled, look.dashboard) }))
  const kind = around.say(chartTextId(chart.viz_type, 'name'), chart.name)
  const [first] = Object.values(frames)
  const isEmpty =
    first?.rows === 0 &&
    !chart.behaviors.includes('NATIVE_FILTER') &&
    (chart.series.length === 0 || Object.values(frames).every(({ rows }) => rows === 0))
  const lacking = Object.entries(look.annotationErrors ?? {})
  const room = { ...around, height: around.height - (lacking.length > 0 ? lackingLine : 0) }
  const drawn = isEmpty ? noRows(kind, around) : await drawSpec(chart, spec, frames, { kind, around: room })
  if (lacking.length > 0) drawn.body += lackingText(lacking, around)
  return { svg: framed(drawn, look.title ?? kind, around, look.ground) }
}

const lackingLine = 18

function lackingText(errors: readonly [name: string, error: string][], { say, theme, width, height }: Surroundings) {
  const layers = errors.map(([name, error]) => `${name} (${error.replace(/^Error: /, '')})`).join(', ')
  const text = say('picture.lacking', 'Not shown: {layers}', { layers })
  return textAt(8, height - 6, fitted(text, 11, width - 16), { size: 11, fill: theme.text2 })
}

async function drawSpec(
  { viz_type }: AnyChart,
  spec: Spec,
  frames: Record<string, Frame>,
  { kind, around }: { kind: string; around: Surroundings },
): Promise<Drawn> {
  const drawing = drawings[viz_type]
  if (drawing) return (await drawing()).default(spec, frames, around)
  const families = await loadFamilies(kindsOf(spec))
  const whole = resolve(spec, frames, around, families)
  const legend = stillLegend(whole, around)
  const plot = legend ? besides(legend, around) : around
  const resolved = legend ? resolve(spec, frames, plot, families) : whole
  const body = svgOf(resolved, plot)
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>\s*$/, '')
  const at = [legend?.side === 'left' ? legend.room : 0, legend?.side === 'top' ? legend.room : 0]
  return {
    body: legend ? `<g transform="translate(${at.map(round).join(' ')})">${body}</g>${legend.svg}` : body,
    describe: resolved.describe(kind),
  }
}

/** What a legend leaves of the picture. */
const besides = ({ side, room }: StillLegend, around: Surroundings): Surroundings =>
  side === 'left' || side === 'right'
    ? { ...around, width: around.width - room }
    : { ...around, height: around.height - room }

function noRows(kind: string, { say, theme, width, height }: Surroundings): Drawn {
  const text = say('picture.empty', 'No rows match these filters')
  return {
    body: textAt(width / 2, height / 2, text, { size: 14, fill: theme.text2, anchor: 'middle' }),
    describe: say('picture.describe.empty', '{kind} with no data.', { kind }),
  }
}

function surroundings({
  width = 640,
  height = 400,
  theme = 'light',
  messages = {},
  locale = 'en',
  timeZone = 'UTC',
}: DrawLook): Surroundings {
  const say = sayIn({ messages, locale })
  return { theme: themes[theme], locale, timeZone, say, width, height, animate: false, isStill: true }
}

function framed({ body, describe }: Drawn, title: string, around: Surroundings, ground = true): string {
  const { width, height, theme } = around
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(theme.font)}">`,
    `<title>${escaped(title)}</title><desc>${escaped(describe)}</desc>`,
    ground ? `<rect width="${width}" height="${height}" fill="${theme.surface}"/>` : '',
    body,
    '</svg>',
  ].join('')
}
