import {
  drawChart,
  escapeHtml,
  truncateText,
  wrapText,
  svgText,
  resolveChartTheme,
  type ChartTheme,
  type Translate,
} from '@parquetry/charts/draw'
import type { Picture, PictureChart } from '@parquetry/model'
import type { ChartDataResult } from '../chart-results.ts'
import type { BandItem } from './bands.ts'

/** Shared input of drawing functions. */
export interface DrawingContext {
  picture: Picture
  theme: ChartTheme
  say: Translate
  results: ReadonlyMap<number, ChartDataResult>
  /** True if an SVG has characters that no font of the server can draw. */
  lacksFonts(svg: string): boolean
  /** Ids of charts whose tables were cut, with the name under which they were drawn; filled while drawing. */
  cutTables: Map<number, string>
  /** Yields to the event loop; called between charts. */
  yieldToEventLoop(): Promise<void>
}

export const tileHeaderHeight = 40
export const tilePadding = 12

/** Draws one part of a sheet as SVG, positioned in its band. */
export async function drawItem(part: BandItem, top: number, drawing: DrawingContext): Promise<string> {
  const { theme } = drawing
  const at = { ...part, y: part.y + top }
  if (part.what === 'chart') return drawTile(at, part, drawing)
  if (part.what === 'line') return rect(at, theme.border)
  if (part.what === 'heading')
    return svgText(at.x, at.y + part.size, truncateText(part.text, part.size, at.width), {
      size: part.size,
      fill: theme.text,
      weight: 600,
    })
  if (part.what === 'unknown')
    return drawing
      .say('picture.unknownPart', 'A component of type {type} cannot be shown here.', { type: part.type })
      .split('\n')
      .map((line) => svgText(at.x + tilePadding, at.y + 28, line, { size: 13, fill: theme.text2 }))
      .join('')
  const images = part.blocks.flatMap((block) =>
    block.images.map(({ href, x, y, width, height }) => {
      const place = `x="${at.x + tilePadding + block.x + x}" y="${at.y + tilePadding + y}" width="${width}" height="${height}"`
      return `<image ${place} href="${href}"/>`
    }),
  )
  const words = part.blocks
    .map(({ x, y, size, runs, isRule, width }) =>
      isRule
        ? rect(
            {
              x: at.x + tilePadding + x,
              y: at.y + tilePadding + y,
              width: width ?? at.width - 2 * tilePadding - x,
              height: 1,
            },
            theme.border,
          )
        : runs
            .map((run) => {
              const [left, baseline] = [at.x + tilePadding + x + run.x, at.y + tilePadding + y]
              const line = { x: left, y: baseline - Math.round(size * 0.3), width: run.strikeWidth ?? 0, height: 1 }
              return (
                svgText(left, baseline, run.text, { size, fill: theme.text, weight: run.weight }) +
                (run.strikeWidth === undefined ? '' : rect(line, theme.text))
              )
            })
            .join(''),
    )
    .join('')
  return images.join('') + words
}

const rect = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`

async function drawTile(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  { chart: id, name }: Extract<BandItem, { what: 'chart' }>,
  drawing: DrawingContext,
): Promise<string> {
  const { picture, theme } = drawing
  const chart = picture.charts.find((each) => each.id === id)
  const title = name ?? chart?.title ?? `#${id}`
  const size = {
    width: Math.max(1, width - 2 * tilePadding),
    height: Math.max(1, height - tileHeaderHeight - tilePadding),
  }
  const inside = await drawChartSvg(chart, { ...size, title }, drawing)
  return [
    `<rect x="${x + 0.5}" y="${y + 0.5}" width="${width - 1}" height="${height - 1}" rx="6" fill="${theme.surface}" stroke="${theme.border}"/>`,
    svgText(x + tilePadding, y + 26, truncateText(title, 14, width - 2 * tilePadding), {
      size: 14,
      fill: theme.text,
      weight: 600,
    }),
    embedSvg(inside, x + tilePadding, y + tileHeaderHeight, `c${id}-${Math.round(x)}-${Math.round(y)}-`),
  ].join('')
}

/** Returns the SVG of a single chart, or the reason why there is none. */
export async function drawChartSvg(
  chart: PictureChart | undefined,
  size: { width: number; height: number; title: string },
  drawing: DrawingContext,
): Promise<string> {
  const { picture, results, say, yieldToEventLoop } = drawing
  const answer = chart && results.get(chart.id)
  await yieldToEventLoop()
  if (!chart || !answer)
    return note(say('picture.notAnswered', 'Could not load the data for this chart.'), size, drawing)
  if (answer.error !== null) return note(answer.error, size, drawing)
  if (chart.plugin !== undefined)
    return note(
      say('picture.plugin', 'Drawn by a plugin ({name}). Open it in a browser to see it.', { name: chart.plugin }),
      size,
      drawing,
    )
  const { theme, themeVariables, locale, messages, timeZone, metadata, isAnalogous } = picture
  try {
    const isPaper = picture.format === 'pdf' && 'nodes' in picture.page
    const { svg, omitted } = await drawChart(chart.viz_type, answer.frames, chart.form, {
      ...size,
      hasFullTable: isPaper,
      theme,
      themeVariables,
      locale,
      messages,
      timeZone,
      until: answer.until,
      annotations: answer.annotations.data,
      annotationErrors: answer.annotations.errors,
      dataset: chart.dataset,
      dashboard: metadata,
      isAnalogous,
    })
    if (isPaper && omitted && omitted.rows + omitted.columns > 0) drawing.cutTables.set(chart.id, size.title)
    return svg
  } catch {
    return note(
      say('picture.notDrawn', 'This chart ({type}) cannot be shown here. Open the dashboard to see it.', {
        type: chart.viz_type,
      }),
      size,
      drawing,
    )
  }
}

function note(
  text: string,
  { width, height, title }: { width: number; height: number; title: string },
  { theme }: DrawingContext,
) {
  const most = Math.max(1, Math.floor(height / 18))
  const lines = wrapText(text.replaceAll(/\s+/g, ' ').trim(), width, 13, most)
  const shown = lines.slice(0, most)
  if (lines.length > most) shown[most - 1] = truncateText(`${shown[most - 1]} …………`, 13, width)
  const top = height / 2 - ((shown.length - 1) * 18) / 2
  const texts = shown.map((line, index) =>
    svgText(width / 2, top + index * 18, line, { size: 13, fill: theme.text2, anchor: 'middle' }),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${escapeHtml(title)}</title>${texts.join('')}</svg>`
}

/** Nests an SVG inside another: prefixes its ids and removes styles, whose hover rules are useless on paper. */
export const embedSvg = (svg: string, x: number, y: number, prefix: string): string =>
  svg
    .replace(/^<svg /, `<svg x="${x}" y="${y}" `)
    .replaceAll(/<style[\s\S]*?<\/style>/g, '')
    .replaceAll(/\bid="/g, `id="${prefix}`)
    .replaceAll('url(#', `url(#${prefix}`)

export const themeOf = ({ theme, themeVariables }: Picture): ChartTheme => resolveChartTheme(theme, themeVariables)
