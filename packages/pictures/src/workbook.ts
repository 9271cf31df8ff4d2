import { buildFrame, type Frame } from '@parquetry/frame'
import { createTranslator } from '@parquetry/charts/draw'
import type { Picture } from '@parquetry/model'
import { readChartResults } from './chart-results.ts'

/** A sheet of a workbook. */
export interface Sheet {
  /** Valid sheet name: short, unique, and without reserved characters. */
  name: string
  frame: Frame
}

const maxNameLength = 31

function toSheetName(title: string, taken: Set<string>): string {
  const plain =
    title
      .replaceAll(/[\\/?*[\]:\p{Cc}]/gu, ' ')
      .replaceAll(/^'+|'+$/g, '')
      .trim() || 'Sheet'
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : ` (${n})`
    const name = plain.slice(0, maxNameLength - end.length) + end
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

/**
 * Creates a workbook with the numbers of a dashboard's charts under its filters: one sheet per query of each chart, preceded by a
 * list of them. The list reports charts that failed or were cut by a row limit, so that nothing is omitted silently.
 */
export function buildWorkbookSheets(picture: Picture, messages: Uint8Array): Sheet[] {
  const say = createTranslator({ messages: picture.messages, locale: picture.locale })
  const answers = readChartResults(messages)
  const contents = say('picture.contents', 'Contents')
  const taken = new Set([contents.toLowerCase()])
  const sheets: Sheet[] = []
  const list: { chart: string; sheet: string | null; rows: number | null; note: string | null }[] = []
  for (const { id, title } of picture.charts) {
    const answer = answers.get(id)
    const frames = Object.values(answer?.frames ?? {})
    if (!answer || answer.error !== null || frames.length === 0) {
      const note = answer?.error ?? say('picture.notAnswered', 'Could not load the data for this chart.')
      list.push({ chart: title, sheet: null, rows: null, note })
      continue
    }
    const note = answer.isTruncated
      ? say('picture.cut', 'The chart’s row limit was reached. There are more rows.')
      : null
    for (const frame of frames) {
      const name = toSheetName(title, taken)
      sheets.push({ name, frame })
      list.push({ chart: title, sheet: name, rows: frame.rows, note })
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
