import { cellAt, isNull, textAt, type Column } from '@parquetry/frame'

/** Cells to copy: columns of a frame in order, and some of its rows. */
export interface CellBlock {
  columns: readonly Column[]
  rows: ArrayLike<number>
  /** Header rows, instead of the names of the columns. */
  heads?: readonly (readonly string[])[]
}

/** Quotes cells with tabs or line breaks, which would otherwise be split in a spreadsheet. */
const quoteForSpreadsheet = (text: string): string =>
  /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const lines = ({ columns, rows }: CellBlock, line: (row: number) => string): string[] =>
  columns.length === 0 ? [] : Array.from({ length: rows.length }, (_, index) => line(rows[index]!))

const headingRowsOf = ({ columns, heads }: CellBlock): readonly (readonly string[])[] =>
  heads ?? [columns.map(({ name }) => name)]

/** Tab-separated text for spreadsheets and editors; null is an empty cell. */
export function formatTsv(cells: CellBlock, withHeader: boolean): string {
  const body = lines(cells, (row) =>
    cells.columns.map((column) => quoteForSpreadsheet(textAt(column, row) ?? '')).join('\t'),
  )
  const heads = headingRowsOf(cells).map((head) => head.map(quoteForSpreadsheet).join('\t'))
  return (withHeader ? [...heads, ...body] : body).join('\n')
}

const rowsPerChunk = 4000

/** Builds the same text in pieces that let the page respond in between: a large result has millions of cells. */
export async function formatTsvInChunks({ rows, ...cells }: CellBlock, withHeader: boolean): Promise<string> {
  const parts: string[] = []
  for (let from = 0; from < Math.max(1, rows.length); from += rowsPerChunk) {
    const piece = { ...cells, rows: Array.prototype.slice.call(rows, from, from + rowsPerChunk) as number[] }
    parts.push(formatTsv(piece, withHeader && from === 0))
    if (from + rowsPerChunk < rows.length) await new Promise((resolve) => setTimeout(resolve))
  }
  return parts.join('\n')
}

/** Table for text processors and mail. Numbers are right-aligned, and text that looks like a number remains text. */
export function formatHtmlTable(cells: CellBlock, withHeader: boolean): string {
  const heads = headingRowsOf(cells).map(
    (head) => `<tr>${head.map((name) => `<th>${escapeText(name)}</th>`).join('')}</tr>`,
  )
  const body = lines(cells, (row) => {
    const tds = cells.columns.map((column) => {
      const isNumber = column.kind === 'number' || column.kind === 'bigint' || column.kind === 'decimal'
      const look = isNumber ? ' style="text-align:right"' : ' style="mso-number-format:\'\\@\'"'
      return `<td${look}>${escapeText(textAt(column, row) ?? '')}</td>`
    })
    return `<tr>${tds.join('')}</tr>`
  })
  return `<table>${withHeader ? heads.join('') : ''}${body.join('')}</table>`
}

/** List of objects. Integers and decimals keep all digits, JSON values of the engine stay JSON, and null stays null. */
export function formatJsonRows(cells: CellBlock): string {
  const keys = cells.columns.map(({ name }) => JSON.stringify(name))
  const body = lines(cells, (row) => {
    const fields = cells.columns.map((column, index) => `${keys[index]}: ${jsonCell(column, row)}`)
    return `  {${fields.join(', ')}}`
  })
  return body.length === 0 ? '[]' : `[\n${body.join(',\n')}\n]`
}

function jsonCell(column: Column, row: number): string {
  if (isNull(column, row)) return 'null'
  switch (column.kind) {
    case 'boolean':
      return String(cellAt(column, row))
    case 'number':
      return String(cellAt(column, row) ?? JSON.stringify(textAt(column, row)))
    case 'bigint':
    case 'decimal':
      return textAt(column, row) ?? 'null'
    case 'json': {
      const text = textAt(column, row) ?? 'null'
      return isJson(text) ? text : JSON.stringify(text)
    }
    default: {
      const text = textAt(column, row)
      if (text === null) return 'null'
      const isNumeric = column.kind === 'string' && column.numeric === true && /^-?\d+(\.\d+)?$/.test(text)
      return isNumeric ? text : JSON.stringify(text)
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Markdown table. */
export function formatMarkdownTable(cells: CellBlock): string {
  const cell = (text: string): string =>
    text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\r?\n/g, '<br>')
  const row = (texts: string[]): string => `| ${texts.join(' | ')} |`
  const isNumber = ({ kind }: Column): boolean => kind === 'number' || kind === 'bigint' || kind === 'decimal'
  return [
    row(cells.columns.map(({ name }) => cell(name))),
    row(cells.columns.map((column) => (isNumber(column) ? '---:' : '---'))),
    ...lines(cells, (index) => row(cells.columns.map((column) => cell(textAt(column, index) ?? '')))),
  ].join('\n')
}
