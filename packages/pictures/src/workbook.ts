import { buildFrame, type Frame } from '@parquetry/frame'
import { createTranslator } from '@parquetry/charts/draw'
import type { Picture } from '@parquetry/model'
import { readChartResults } from './chart-results.ts'
import { listChartTables } from './chart-tables.ts'
import { createNamer } from './unique-names.ts'

/** A sheet of a workbook. */
export interface Sheet {
  /** Valid sheet name: short, unique, and without reserved characters. */
  name: string
  frame: Frame
}

const maxNameLength = 31

const toSheetName = (title: string): string =>
  title
    .replaceAll(/[\\/?*[\]:\p{Cc}]/gu, ' ')
    .replaceAll(/^'+|'+$/g, '')
    .trim() || 'Sheet'

/**
 * Creates a workbook with the numbers of a dashboard's charts under its filters: one sheet per query of each chart, preceded by a
 * list of them. The list reports charts that failed or were cut by a row limit, so that nothing is omitted silently.
 */
export function buildWorkbookSheets(picture: Picture, messages: Uint8Array): Sheet[] {
  const say = createTranslator({ messages: picture.messages, locale: picture.locale })
  const contents = say('picture.contents', 'Contents')
  const nameSheet = createNamer(maxNameLength, new Set([contents.toLowerCase()]))
  const sheets: Sheet[] = []
  const list: { chart: string; sheet: string | null; rows: number | null; note: string | null }[] = []
  for (const { chart, tables, note } of listChartTables(picture, readChartResults(messages), say)) {
    if (tables.length === 0) list.push({ chart: chart.title, sheet: null, rows: null, note })
    for (const { frame } of tables) {
      const name = nameSheet(toSheetName(chart.title))
      sheets.push({ name, frame })
      list.push({ chart: chart.title, sheet: name, rows: frame.rows, note })
    }
  }
  const front = buildFrame({
    [say('picture.chart', 'Chart')]: list.map(({ chart }) => chart),
    [say('picture.sheet', 'Sheet')]: list.map(({ sheet }) => sheet),
    [say('picture.rows', 'Rows')]: list.map(({ rows }) => rows),
    [say('picture.note', 'Note')]: list.map(({ note }) => note),
  })
  return [{ name: contents, frame: front }, ...sheets]
}
