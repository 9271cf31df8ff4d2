import { escapeHtml, truncateText, svgText } from '@parquetry/charts/draw'
import type { PictureLayout } from '@parquetry/model'
import { breakPages, gap, margin } from './break-pages.ts'
import { buildBands, type Band } from './bands.ts'
import { drawContents, listEntries, type PageLink } from './contents.ts'
import { drawFullTables } from './full-tables.ts'
import { drawFooter, drawHeader, footerHeight } from './header.ts'
import { choosePaper, type Paper } from './paper.ts'
import { drawChartSvg, drawItem, tileHeaderHeight, tilePadding, embedSvg, type DrawingContext } from './tiles.ts'

/** A page as SVG, in CSS pixels. */
export interface Page {
  width: number
  height: number
  svg: string
  /** Points per pixel on paper. */
  points: number
  links?: PageLink[]
  /** Places that the outline and links of a PDF lead to; `entry` is their number. */
  marks?: { title: string; level: number; y: number; entry: number }[]
}

/** Returns the pages of an image: one for a chart; for a dashboard as many as needed on paper, else a single long page. */
export async function renderPages(drawing: DrawingContext): Promise<Page[]> {
  const { picture } = drawing
  const { page } = picture
  if ('nodes' in page) return dashboardPages(page, drawing)
  return [await chartPage(page, drawing)]
}

/** Draws a chart below its title, if it has one. */
async function chartPage({ width, height }: { width: number; height: number }, drawing: DrawingContext): Promise<Page> {
  const { picture, theme } = drawing
  const { title } = picture
  const top = title === '' ? tilePadding : tileHeaderHeight
  const size = { width: Math.max(1, width - 2 * tilePadding), height: Math.max(1, height - top - tilePadding), title }
  const inside = await drawChartSvg(picture.charts[0], size, drawing)
  const name = svgText(tilePadding, 26, truncateText(title, 14, size.width), {
    size: 14,
    fill: theme.text,
    weight: 600,
  })
  const body = name + embedSvg(inside, tilePadding, top, 'c-')
  // Without a title, as in a list, its size is fixed.
  const { svg, added } = title === '' ? { svg: body, added: 0 } : noteMissingFonts(body, { width, height }, drawing)
  return {
    width,
    height: height + added,
    svg: frameSvg(svg, { width, height: height + added }, drawing),
    points: 0.75,
  }
}

async function dashboardPages(page: PictureLayout, drawing: DrawingContext): Promise<Page[]> {
  const isPaper = drawing.picture.format === 'pdf'
  const paper = choosePaper(page, isPaper)
  const charts = drawing.picture.charts.map(({ id }) => id)
  const bands = buildBands(page, paper.contentWidth, page.tabs, charts)
  return isPaper ? drawPaper(page, bands, paper, drawing) : [await drawImage(page, bands, paper, drawing)]
}

/** One image that is as long as its content. */
async function drawImage(
  page: PictureLayout,
  bands: readonly Band[],
  paper: Paper,
  drawing: DrawingContext,
): Promise<Page> {
  const top = drawHeader(page, paper, drawing)
  const height = Math.ceil(bands.reduce((sum, band) => sum + band.height + gap, margin * 2 + top.height))
  const body = top.svg + (await drawBands(bands, margin + top.height, Infinity, drawing))
  const { svg, added } = noteMissingFonts(body, { width: paper.width, height }, drawing)
  const size = { width: paper.width, height: height + added }
  return { ...size, svg: frameSvg(svg, size, drawing), points: paper.points }
}

/** Pages with contents if there are tabs, the dashboard, and the tables that were cut. */
async function drawPaper(
  page: PictureLayout,
  bands: readonly Band[],
  paper: Paper,
  drawing: DrawingContext,
): Promise<Page[]> {
  const top = drawHeader(page, paper, drawing)
  const room = paper.height - footerHeight(page)
  const hasContents = bands.some(({ tabLevel }) => tabLevel !== undefined)
  const firstTop = hasContents ? margin : margin + top.height
  const groups = breakPages(bands, firstTop, room)
  const bodies: string[] = []
  for (const [index, group] of groups.entries()) {
    const begin = index === 0 ? firstTop : margin
    bodies.push(await drawBands(group, begin, room - margin, drawing))
  }
  const entries = listEntries(groups, firstTop, drawing.picture.charts)
  for (const { title, pages } of await drawFullTables(room, paper, drawing)) {
    const name = drawing.say('picture.table.all', '{title}: all rows', { title })
    entries.push({ title: name, level: 0, page: bodies.length, y: margin })
    bodies.push(...pages)
  }
  const contents = hasContents ? drawContents(entries, { top: margin + top.height, room }, paper, drawing) : []
  const all: { body: string; links: PageLink[] }[] = [
    ...contents.map(({ svg, links }) => ({ body: svg, links })),
    ...bodies.map((body) => ({ body, links: [] })),
  ]
  return all.map(({ body, links }, index) => {
    const whole =
      (index === 0 ? top.svg : '') + body + drawFooter(page, { number: index + 1, of: all.length }, paper, drawing)
    const { svg } = noteMissingFonts(whole, { width: paper.width, height: room }, drawing)
    const marks = entries.flatMap(({ title, level, page: of, y }, entry) =>
      of + contents.length === index ? [{ title, level, y, entry }] : [],
    )
    return {
      width: paper.width,
      height: paper.height,
      svg: frameSvg(svg, paper, drawing),
      points: paper.points,
      links,
      marks,
    }
  })
}

/** @param room  on a page; a band that is longer is scaled down to fit */
async function drawBands(
  bands: readonly Band[],
  begin: number,
  room: number,
  drawing: DrawingContext,
): Promise<string> {
  const parts: string[] = []
  let y = begin
  for (const band of bands) {
    const scale = Math.min(1, room / band.height)
    const drawn: string[] = []
    for (const part of band.items) drawn.push(await drawItem(part, 0, drawing))
    const scaling = scale < 1 ? ` scale(${scale.toFixed(4)})` : ''
    parts.push(`<g transform="translate(${margin} ${y})${scaling}">${drawn.join('')}</g>`)
    y += band.height * scale + gap
  }
  return parts.join('')
}

const noteHeight = 24

/** Adds a sentence below the given height if characters above are only boxes, because the server has no font for them. */
function noteMissingFonts(
  svg: string,
  { width, height }: { width: number; height: number },
  { picture, say, theme, lacksFonts }: DrawingContext,
): { svg: string; added: number } {
  if (!lacksFonts(svg)) return { svg, added: 0 }
  const note = say(
    'picture.missingFonts',
    'Some characters appear as boxes, because the server has no font for them. An administrator can add fonts.',
  )
  const left = 'nodes' in picture.page ? margin : tilePadding
  const line = svgText(left, height + 11, truncateText(note, 11, width - 2 * left), { size: 11, fill: theme.text2 })
  return { svg: svg + line, added: noteHeight }
}

const frameSvg = (
  body: string,
  { width, height }: { width: number; height: number },
  { picture, theme }: DrawingContext,
): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeHtml(theme.font)}">`,
    `<title>${escapeHtml(picture.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${theme.surface}"/>`,
    body,
    '</svg>',
  ].join('')
