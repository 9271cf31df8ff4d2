import { createTranslator } from '@parquetry/charts/draw'
import type { Picture } from '@parquetry/model'
import { readChartResults } from '../chart-results.ts'
import { listChartTables, type TitledFrame } from '../chart-tables.ts'
import { describeTimes } from '../sheet/header.ts'
import { createNamer } from '../unique-names.ts'
import { readColumnLooks, type ColumnLook } from './column-formats.ts'
import { chooseNativeChart, type NativeChart } from './native-chart.ts'

/** A sheet of a workbook. */
export interface Sheet {
  /** Valid sheet name: short, unique, and without reserved characters. */
  name: string
  frame: TitledFrame
  /** One per column. */
  looks: ColumnLook[]
  chart: NativeChart | null
}

/** A cell of the first sheet. */
export interface CoverCell {
  value: string | number
  isHeading?: boolean
  /** Name of the sheet that it leads to. */
  sheet?: string
}

export interface Workbook {
  cover: { name: string; rows: CoverCell[][] }
  sheets: Sheet[]
}

const maxNameLength = 31

const toSheetName = (title: string): string =>
  title
    .replaceAll(/[\\/?*[\]:\p{Cc}]/gu, ' ')
    .replaceAll(/^'+|'+$/g, '')
    .trim() || 'Sheet'

/**
 * Returns a workbook with the numbers of charts under the filters of their dashboard: a sheet per query of each chart. The first sheet has title, times,
 * filters and a list of the charts, which names those that failed or were cut by a row limit, so that nothing is omitted silently.
 */
export function buildWorkbook(picture: Picture, messages: Uint8Array): Workbook {
  const say = createTranslator({ messages: picture.messages, locale: picture.locale })
  const contents = say('picture.contents', 'Contents')
  const nameSheet = createNamer(maxNameLength, new Set([contents.toLowerCase()]))
  const results = readChartResults(messages)
  const sheets: Sheet[] = []
  const list: CoverCell[][] = []
  for (const { chart, tables, note } of listChartTables(picture, results, say)) {
    const title = { value: chart.title }
    const notes = note === null ? [] : [{ value: note }]
    if (tables.length === 0) list.push([title, { value: '' }, { value: '' }, ...notes])
    for (const [index, { frame }] of tables.entries()) {
      const name = nameSheet(toSheetName(chart.title))
      const native = index === 0 ? chooseNativeChart(chart, frame) : null
      sheets.push({ name, frame, looks: readColumnLooks(chart, frame), chart: native })
      list.push([title, { value: name, sheet: name }, { value: frame.rows }, ...notes])
    }
  }
  const headings = [
    say('picture.chart', 'Chart'),
    say('picture.sheet', 'Sheet'),
    say('picture.rows', 'Rows'),
    say('picture.note', 'Note'),
  ]
  const filters = 'nodes' in picture.page ? picture.page.filters : []
  const rows: CoverCell[][] = [
    [{ value: picture.title, isHeading: true }],
    [{ value: describeTimes(picture, results, say) }],
    ...filters.map(({ name, value }) => [{ value: name }, { value }]),
    [],
    headings.map((value) => ({ value, isHeading: true })),
    ...list,
  ]
  return { cover: { name: contents, rows }, sheets }
}
