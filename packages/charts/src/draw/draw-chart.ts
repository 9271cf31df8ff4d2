import type { Frame } from '@parquetry/frame'
import { AppError } from '@parquetry/model/errors'
import type { ChartForm } from '../define.ts'
import { lookOf, type DatasetLook } from '../look.ts'
import { drawnForm } from '../query/build-query-context.ts'
import { openForm } from '../registry.ts'
import { resolve } from '../resolve/resolve.ts'
import type { Surroundings } from '../resolve/surroundings.ts'
import { themes, type ChartTheme } from '../resolve/theme.ts'
import { escaped, plainSay, type Say } from '../resolve/words.ts'
import { drawings } from './drawings.gen.ts'
import { svgOf } from './echarts.ts'

/** How a picture is drawn; plain JSON but for `say`. */
export interface DrawLook {
  /** In CSS pixels; 640 x 400. */
  width?: number
  height?: number
  theme?: ChartTheme['name']
  /** Name of the picture, for screen readers; the chart type's when left out. */
  title?: string
  dataset?: DatasetLook
  locale?: string
  timeZone?: string
  /** Paints the ground; true. */
  ground?: boolean
  say?: Say
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
  if (!opened) throw new AppError('unsupported', { message: 'This visualization type is not supported.' })
  const { chart } = opened
  const settled = drawnForm(chart, opened.form)
  const around = surroundings(look)
  const spec = chart.spec(frames, settled, lookOf(settled, look))
  const drawing = drawings[chart.viz_type]
  if (drawing) {
    const { default: draw } = await drawing()
    const { body, describe } = draw(spec, frames, around)
    return { svg: framed(body, describe, look.title ?? chart.name, around, look.ground) }
  }
  const resolved = resolve(spec, frames, around)
  const svg = svgOf(resolved.option, around)
  const body = svg.replace(/^<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '')
  return { svg: framed(body, resolved.describe(chart.name), look.title ?? chart.name, around, look.ground) }
}

function surroundings({
  width = 640,
  height = 400,
  theme = 'light',
  locale = 'en',
  timeZone = 'UTC',
  say = plainSay,
}: DrawLook): Surroundings {
  return { theme: themes[theme], locale, timeZone, say, width, height, animate: false, legendInside: true }
}

function framed(body: string, describe: string, title: string, around: Surroundings, ground = true): string {
  const { width, height, theme } = around
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(theme.font)}">`,
    `<title>${escaped(title)}</title><desc>${escaped(describe)}</desc>`,
    ground ? `<rect width="${width}" height="${height}" fill="${theme.surface}"/>` : '',
    body,
    '</svg>',
  ].join('')
}
