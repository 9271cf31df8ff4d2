import { svgText, textWidth, truncateText } from '@parquetry/charts/draw'
import type { PictureChart } from '@parquetry/model'
import type { Band } from './bands.ts'
import { gap, margin } from './break-pages.ts'
import type { Paper } from './paper.ts'
import type { DrawingContext } from './tiles.ts'

/** A tab or chart, with the page on which it begins. */
export interface ContentsEntry {
  title: string
  level: number
  /** Index among the pages of content. */
  page: number
  /** Distance from the top of the page in pixels. */
  y: number
}

/** Lists the tabs and charts on pages. */
export function listEntries(
  pages: readonly (readonly Band[])[],
  firstTop: number,
  charts: readonly PictureChart[],
): ContentsEntry[] {
  const titles = new Map(charts.map(({ id, title }) => [id, title]))
  const entries: ContentsEntry[] = []
  let level = 0
  for (const [page, bands] of pages.entries()) {
    let y = page === 0 ? firstTop : margin
    for (const { items, height, tabLevel } of bands) {
      for (const item of items) {
        if (item.what === 'heading' && tabLevel !== undefined) {
          entries.push({ title: item.text, level: tabLevel, page, y })
          level = tabLevel + 1
        }
        if (item.what === 'chart')
          entries.push({ title: item.name ?? titles.get(item.chart) ?? `#${item.chart}`, level, page, y: y + item.y })
      }
      y += height + gap
    }
  }
  return entries
}

const lineHeight = 24
const indent = 20

/** Where a click leads, in pixels of the page with the link. */
export interface PageLink {
  x: number
  y: number
  width: number
  height: number
  /** Index among the entries. */
  entry: number
}

export interface ContentsPage {
  svg: string
  links: PageLink[]
}

/**
 * Draws the entries with the numbers of their pages, on as many pages as they need.
 * @param top   start of the list on the first page
 * @param room  end of the list on every page
 */
export function drawContents(
  entries: readonly ContentsEntry[],
  { top, room }: { top: number; room: number },
  paper: Paper,
  { theme, say }: DrawingContext,
): ContentsPage[] {
  const heading = 34
  const firstCount = Math.max(1, Math.floor((room - top - heading) / lineHeight))
  const laterCount = Math.floor((room - margin) / lineHeight)
  const count = entries.length <= firstCount ? 1 : 1 + Math.ceil((entries.length - firstCount) / laterCount)
  return Array.from({ length: count }, (_, page) => {
    const from = page === 0 ? 0 : firstCount + (page - 1) * laterCount
    const start = page === 0 ? top + heading : margin
    const parts =
      page === 0
        ? [svgText(margin, top + 18, say('picture.contents', 'Contents'), { size: 18, fill: theme.text, weight: 600 })]
        : []
    const links: PageLink[] = []
    for (const [index, entry] of entries.slice(from, page === 0 ? firstCount : from + laterCount).entries()) {
      const y = start + index * lineHeight
      const x = margin + entry.level * indent
      const number = String(entry.page + 1 + count)
      const title = truncateText(entry.title, 13, paper.width - margin - x - 60)
      const look = { size: 13, fill: theme.text, weight: entry.level === 0 ? 600 : 400 }
      const [left, right] = [x + textWidth(title, 13) * 1.06 + 8, paper.width - margin - textWidth(number, 13) - 8]
      parts.push(
        svgText(x, y + 16, title, look),
        svgText(paper.width - margin, y + 16, number, { ...look, anchor: 'end' }),
        left < right
          ? `<line x1="${left}" y1="${y + 16}" x2="${right}" y2="${y + 16}" stroke="${theme.border}" stroke-dasharray="1 3"/>`
          : '',
      )
      links.push({ x, y, width: paper.width - margin - x, height: lineHeight, entry: from + index })
    }
    return { svg: parts.join(''), links }
  })
}
