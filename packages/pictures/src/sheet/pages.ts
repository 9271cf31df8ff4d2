import { escapeHtml, truncateText, svgText, textWidth } from '@parquetry/charts/draw'
import type { PictureLayout } from '@parquetry/model'
import { breakPages, gap, margin } from './break-pages.ts'
import { buildBands } from './bands.ts'
import { drawChartSvg, drawItem, tileHeaderHeight, tilePadding, embedSvg, type DrawingContext } from './tiles.ts'

/** A page as SVG, in CSS pixels. */
export interface Page {
  width: number
  height: number
  svg: string
  /** Points per pixel on paper. */
  points: number
}

/** Width of a dashboard's content, about that of a screen so that it looks the same. */
const contentWidth = 1200
const pageWidth = contentWidth + 2 * margin
/** A4 landscape. */
const paper = { width: 841.89, height: 595.28 }
const pageHeight = Math.floor((pageWidth * paper.height) / paper.width)
const footer = 38

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
  const { picture } = drawing
  const isPaper = picture.format === 'pdf'
  const bands = buildBands(
    page,
    contentWidth,
    page.tabs,
    picture.charts.map(({ id }) => id),
  )
  const top = renderHeader(page, drawing)
  const room = pageHeight - footer
  const groups = isPaper ? breakPages(bands, margin + top.height, room) : [bands]
  const heights = groups.map((group, index) =>
    group.reduce((sum, { height }) => sum + height + gap, index === 0 ? top.height : 0),
  )
  return Promise.all(
    groups.map(async (group, index) => {
      const drawnHeight = isPaper ? pageHeight : Math.ceil(margin * 2 + (heights[index] ?? 0))
      const parts: string[] = index === 0 ? [top.svg] : []
      let y = margin + (index === 0 ? top.height : 0)
      for (const band of group) {
        // A band that is longer than a page is scaled down to fit.
        const scale = isPaper ? Math.min(1, (room - margin) / band.height) : 1
        const drawn: string[] = []
        for (const part of band.items) drawn.push(await drawItem(part, 0, drawing))
        parts.push(
          `<g transform="translate(${margin} ${y})${scale < 1 ? ` scale(${scale.toFixed(4)})` : ''}">${drawn.join('')}</g>`,
        )
        y += band.height * scale + gap
      }
      if (isPaper) parts.push(renderFooter(index + 1, groups.length, drawing))
      const noteY = isPaper ? pageHeight - footer : drawnHeight
      const { svg, added } = noteMissingFonts(parts.join(''), { width: pageWidth, height: noteY }, drawing)
      const height = isPaper ? pageHeight : drawnHeight + added
      return {
        width: pageWidth,
        height,
        svg: frameSvg(svg, { width: pageWidth, height }, drawing),
        points: paper.width / pageWidth,
      }
    }),
  )
}

/** Draws title, time and filters, which readers of a printout cannot look up. */
function renderHeader(
  { filters }: PictureLayout,
  { picture, theme, say }: DrawingContext,
): { svg: string; height: number } {
  const when = new Intl.DateTimeFormat(picture.locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: picture.timeZone,
  }).format(picture.at)
  const lines = [
    say('picture.madeAt', 'As of {time}, {zone}', { time: when, zone: picture.timeZone }),
    ...wrapTexts(
      filters.map(({ name, value }) => `${name}: ${value}`),
      13,
    ),
  ]
  const texts = lines.map((line, index) =>
    svgText(margin, margin + 52 + index * 20, truncateText(line, 13, contentWidth), { size: 13, fill: theme.text2 }),
  )
  const title = svgText(margin, margin + 26, truncateText(picture.title, 26, contentWidth), {
    size: 26,
    fill: theme.text,
    weight: 600,
  })
  return { svg: title + texts.join(''), height: 52 + lines.length * 20 + 8 }
}

/** Joins several texts per line where they fit. */
function wrapTexts(texts: readonly string[], size: number): string[] {
  const lines: string[] = []
  for (const text of texts) {
    const longer = lines.length > 0 ? `${lines.at(-1)}  ·  ${text}` : text
    if (lines.length > 0 && textWidth(longer, size) <= contentWidth) lines[lines.length - 1] = longer
    else lines.push(text)
  }
  return lines
}

const renderFooter = (page: number, of: number, { picture, theme, say }: DrawingContext): string =>
  svgText(margin, pageHeight - 14, truncateText(picture.title, 11, contentWidth - 200), {
    size: 11,
    fill: theme.text3,
  }) +
  svgText(pageWidth - margin, pageHeight - 14, say('picture.page', 'Page {page} of {of}', { page, of }), {
    size: 11,
    fill: theme.text3,
    anchor: 'end',
  })

const noteHeight = 24

/** Adds a sentence below the given height if characters above are only boxes, because the server has no font for them. */
function noteMissingFonts(
  svg: string,
  { width, height }: { width: number; height: number },
  { say, theme, lacksFonts }: DrawingContext,
): { svg: string; added: number } {
  if (!lacksFonts(svg)) return { svg, added: 0 }
  const note = say(
    'picture.missingFonts',
    'Some characters appear as boxes, because the server has no font for them. An administrator can add fonts.',
  )
  const left = width === pageWidth ? margin : tilePadding
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
