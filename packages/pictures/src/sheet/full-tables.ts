import { drawChart, svgText, tableRowHeight, truncateText, type DrawOptions } from '@parquetry/charts/draw'
import { margin } from './break-pages.ts'
import type { Paper } from './paper.ts'
import { embedSvg, type DrawingContext } from './tiles.ts'

/** Rows of one table; below the last one a sentence counts the others. */
const maxRows = 500
/** A table that is too wide is drawn smaller, as long as it can be read. */
const scales = [1, 1.25, 1.5]
const titleHeight = 40

/** Pages with all rows of one table. */
export interface FullTable {
  title: string
  pages: string[]
}

/** Draws the tables that were cut in their tiles, over as many pages as they need. */
export async function drawFullTables(room: number, paper: Paper, drawing: DrawingContext): Promise<FullTable[]> {
  const tables: FullTable[] = []
  for (const [id, title] of drawing.cutTables)
    tables.push({ title, pages: await drawPages(id, title, room, paper, drawing) })
  return tables
}

async function drawPages(
  id: number,
  title: string,
  room: number,
  { contentWidth }: Paper,
  drawing: DrawingContext,
): Promise<string[]> {
  const { picture, results, theme, yieldToEventLoop } = drawing
  const chart = picture.charts.find((each) => each.id === id)
  const result = results.get(id)
  if (!chart || !result) return []
  const frame = Object.values(result.frames)[0]
  const count = Math.min(frame?.rows ?? 0, maxRows)
  const height = room - margin - titleHeight
  const draw = (scale: number, from: number, to: number) => {
    const tableRows = { from, to, isLast: to >= count }
    const { theme: name, themeVariables, locale, messages, timeZone, metadata, isAnalogous } = picture
    const look: DrawOptions = {
      theme: name,
      themeVariables,
      locale,
      messages,
      timeZone,
      isAnalogous,
      dashboard: metadata,
    }
    const size = { width: contentWidth * scale, height: height * scale }
    return drawChart(chart.viz_type, result.frames, chart.form, {
      ...look,
      ...size,
      tableRows,
      title,
      dataset: chart.dataset,
    })
  }
  // Headings, totals and a sentence have one row each.
  const perPage = (scale: number) => Math.max(1, Math.floor((height * scale) / tableRowHeight) - 3)
  let scale = scales[0]!
  for (const each of scales) {
    scale = each
    if (((await draw(each, 0, Math.min(count, perPage(each)))).omitted?.columns ?? 0) === 0) break
  }
  const pages: string[] = []
  for (let from = 0; from < count; from += perPage(scale)) {
    await yieldToEventLoop()
    const { svg } = await draw(scale, from, Math.min(count, from + perPage(scale)))
    const heading = svgText(margin, margin + 18, truncateText(title, 18, contentWidth), {
      size: 18,
      fill: theme.text,
      weight: 600,
    })
    const table = embedSvg(svg, 0, 0, `t${id}-${from}-`)
    const at = `translate(${margin} ${margin + titleHeight}) scale(${(1 / scale).toFixed(4)})`
    pages.push(`${heading}<g transform="${at}">${table}</g>`)
  }
  return pages
}
