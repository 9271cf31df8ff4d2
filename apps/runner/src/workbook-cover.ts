import { formatColumn } from '@parquetry/frame/encode'
import type { CoverCell } from '@parquetry/pictures'
import { xlsxStyles } from '@parquetry/frame/encode'
import { escapeXml } from './xml.ts'

const maxCharacters = 32_767

/** The first sheet: cells with texts, numbers, and links to the other sheets. */
export function coverXml(rows: readonly (readonly CoverCell[])[]): string {
  const links: string[] = []
  const cell = ({ value, isHeading, sheet }: CoverCell, row: number, column: number): string => {
    const reference = `${formatColumn(column)}${row + 1}`
    if (sheet !== undefined)
      links.push(`<hyperlink ref="${reference}" location="${escapeXml(`'${sheet.replaceAll("'", "''")}'!A1`)}"/>`)
    if (value === '') return ''
    if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`
    const style = isHeading ? ` s="${xlsxStyles.heading}"` : ''
    const text = escapeXml(value.slice(0, maxCharacters))
    return `<c r="${reference}"${style} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
  }
  const data = rows.map(
    (cells, row) => `<row r="${row + 1}">${cells.map((each, column) => cell(each, row, column)).join('')}</row>`,
  )
  const widths = [36, 32, 12, 60].map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const hyperlinks = links.length > 0 ? `<hyperlinks>${links.join('')}</hyperlinks>` : ''
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><cols>${widths.join('')}</cols><sheetData>${data.join('')}</sheetData>${hyperlinks}<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>`
}
