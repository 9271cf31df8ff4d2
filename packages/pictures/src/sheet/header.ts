import { svgText, textWidth, truncateText, wrapText, type Translate } from '@parquetry/charts/draw'
import type { Picture, PictureLayout } from '@parquetry/model'
import type { ChartDataResult } from '../chart-results.ts'
import { margin } from './break-pages.ts'
import type { Paper } from './paper.ts'
import type { DrawingContext } from './tiles.ts'

const size = 13
const lineHeight = 20
const titleSize = 26

/** Time of the file and of its oldest data, with the time zone of both. */
export function describeTimes(
  picture: Pick<Picture, 'at' | 'locale' | 'timeZone'>,
  results: ReadonlyMap<number, ChartDataResult>,
  say: Translate,
): string {
  const { at, timeZone, locale } = picture
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const time = format.format(at)
  const oldest = format.format(Math.min(at, ...[...results.values()].map(({ readAt }) => readAt ?? at)))
  return oldest === time
    ? say('picture.madeAt', 'As of {time}, {zone}', { time, zone: timeZone })
    : say('picture.madeAtFrom', 'As of {time}, {zone} · data from {oldest} or later', { time, zone: timeZone, oldest })
}

/** Draws title, times and all filters, which readers of a printout cannot look up. */
export function drawHeader(
  { filters }: PictureLayout,
  { contentWidth }: Paper,
  { picture, theme, say, results }: DrawingContext,
): { svg: string; height: number } {
  const titles = wrapText(picture.title, contentWidth, titleSize)
  const top = titles.length * (titleSize + 6)
  const lines = [
    describeTimes(picture, results, say),
    ...joinTexts(
      filters.map(({ name, value }) => `${name}: ${value}`),
      contentWidth,
    ),
  ]
  const title = titles.map((line, index) =>
    svgText(margin, margin + titleSize + index * (titleSize + 6), line, {
      size: titleSize,
      fill: theme.text,
      weight: 600,
    }),
  )
  const texts = lines.map((line, index) =>
    svgText(margin, margin + top + lineHeight + index * lineHeight, line, { size, fill: theme.text2 }),
  )
  return { svg: [...title, ...texts].join(''), height: top + lines.length * lineHeight + 16 }
}

/** Joins several texts per line where they fit; a longer one is wrapped. */
function joinTexts(texts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const text of texts) {
    const longer = lines.length > 0 ? `${lines.at(-1)}  ·  ${text}` : text
    if (lines.length > 0 && textWidth(longer, size) <= width) lines[lines.length - 1] = longer
    else lines.push(...wrapText(text, width, size))
  }
  return lines
}

const footerSize = 11

/** Height of the footer, with a line for filters if there are any. */
export const footerHeight = ({ filters }: PictureLayout): number => (filters.length > 0 ? 54 : 38)

/** Draws title, times and page number, and above them the filters; the first page has all of the filters. */
export function drawFooter(
  { filters }: PictureLayout,
  { number, of }: { number: number; of: number },
  paper: Paper,
  { picture, theme, say, results }: DrawingContext,
): string {
  const look = { size: footerSize, fill: theme.text3 }
  const page = say('picture.page', 'Page {page} of {of}', { page: number, of })
  const room = paper.contentWidth - textWidth(page, footerSize) - 24
  const times = describeTimes(picture, results, say)
  const title = truncateText(picture.title, footerSize, Math.max(60, room - textWidth(` · ${times}`, footerSize)))
  const listed = filters.map(({ name, value }) => `${name}: ${value}`).join('  ·  ')
  const baseline = paper.height - 14
  return [
    svgText(margin, baseline, truncateText(`${title} · ${times}`, footerSize, room), look),
    svgText(paper.width - margin, baseline, page, { ...look, anchor: 'end' }),
    listed === '' ? '' : svgText(margin, baseline - 16, truncateText(listed, footerSize, paper.contentWidth), look),
  ].join('')
}
