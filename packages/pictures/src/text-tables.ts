import { createTranslator, escapeHtml, type Translate } from '@parquetry/charts/draw'
import { genericOf, textAt, type Frame } from '@parquetry/frame'
import type { Picture, TextTables } from '@parquetry/model'
import { readChartResults } from './chart-results.ts'
import { listChartTables, type TitledFrame } from './chart-tables.ts'

/** Most rows and columns of one table, and characters of all cells: mail programs cut or refuse long messages. */
const maxRows = 200
const maxColumns = 30
const maxCharacters = 200_000
const maxCellCharacters = 1000

/** Renders the rows of all charts as tables for a message. What is left out is counted below a table. */
export function renderTextTables(picture: Picture, messages: Uint8Array): TextTables {
  const say = createTranslator({ messages: picture.messages, locale: picture.locale })
  const charts = listChartTables(picture, readChartResults(messages), say)
  let room = maxCharacters
  const parts: TextTables[] = []
  for (const { chart, tables, note } of charts) {
    if (charts.length > 1) parts.push(heading(chart.title))
    for (const { frame } of tables) {
      const cells = readCells(frame, room)
      room -= cells.flat().reduce((sum, text) => sum + text.length, 0)
      parts.push(table(frame, cells))
      const omitted = describeOmitted(frame, cells.length, picture.locale, say)
      if (omitted !== '') parts.push(paragraph(omitted))
    }
    if (note !== null) parts.push(paragraph(note))
  }
  return { html: parts.map(({ html }) => html).join('\n'), text: parts.map(({ text }) => text).join('\n\n') }
}

const heading = (title: string): TextTables => ({ html: `<h3>${escapeHtml(title)}</h3>`, text: title })
const paragraph = (text: string): TextTables => ({ html: `<p>${escapeHtml(text)}</p>`, text })

function readCells({ rows, columns }: Frame, room: number): string[][] {
  const lines: string[][] = []
  for (let row = 0; row < Math.min(rows, maxRows) && room > 0; row++) {
    const line = columns.slice(0, maxColumns).map((column) => shorten(textAt(column, row) ?? ''))
    room -= line.reduce((sum, text) => sum + text.length, 0)
    lines.push(line)
  }
  return lines
}

const shorten = (text: string): string => {
  const plain = text.replace(/^(\d{4}-\d\d-\d\d)T(?:00:00:00$)?/, '$1 ').trimEnd()
  return plain.length > maxCellCharacters ? `${plain.slice(0, maxCellCharacters)}…` : plain
}

const border = 'border:1px solid #d5d5d5;padding:4px 8px'

function table({ columns }: TitledFrame, cells: readonly string[][]): TextTables {
  const shown = columns.slice(0, maxColumns)
  const align = shown.map((column) => (genericOf(column) === 0 ? 'right' : 'left'))
  const cell = (tag: 'th' | 'td') => (text: string, index: number) =>
    `<${tag} style="${border};text-align:${align[index]}">${escapeHtml(text)}</${tag}>`
  const row = (tag: 'th' | 'td', texts: readonly string[]) => `<tr>${texts.map(cell(tag)).join('')}</tr>`
  const names = shown.map(({ name, heading }) => heading ?? name)
  const html = `<table style="border-collapse:collapse"><thead>${row('th', names)}</thead><tbody>${cells.map((line) => row('td', line)).join('')}</tbody></table>`
  const lines = [names, ...cells].map((line) => line.map((text) => text.replaceAll(/\s+/g, ' ')))
  const widths = names.map((_, index) => lines.reduce((most, line) => Math.max(most, line[index]!.length), 0))
  const text = lines.map((line) =>
    line
      .map((each, index) => (align[index] === 'right' ? each.padStart(widths[index]!) : each.padEnd(widths[index]!)))
      .join('  ')
      .trimEnd(),
  )
  return { html, text: text.join('\n') }
}

function describeOmitted({ rows, columns }: Frame, shown: number, locale: string, say: Translate): string {
  const written = (count: number) => new Intl.NumberFormat(locale).format(count)
  const left = columns.length - Math.min(columns.length, maxColumns)
  return [
    ...(shown < rows
      ? [say('picture.table.rows', '{rows} of {allRows} rows', { rows: written(shown), allRows: written(rows) })]
      : []),
    ...(left > 0
      ? [
          say('picture.table.moreColumns', '{count, plural, one {# more column} other {# more columns}}', {
            count: left,
          }),
        ]
      : []),
  ].join(' · ')
}
