import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import { cellAt, formatDecimal, isFloat, isNull, storedText } from '../cells.ts'
import type { Column, Frame, PlainText, TimeColumn } from '../frame.ts'
import { utf8 } from '../utf8.ts'
import type { EncodedColumn, Encoder } from './encoder.ts'
import { encodeWords, type EncodedWords } from './json-text.ts'
import { splitInt64, safeIntegerAt } from './numbers.ts'
import { Sink } from './sink.ts'
import { writeIso } from './times.ts'
import { RowReferences } from './xlsx-references.ts'

/** Limits of the format. */
const maxRows = 1_048_576
const maxColumns = 16_384
const maxCharacters = 32_767
/** Dictionaries of more bytes are not encoded in advance, so that an unused word cannot exceed `maxCharacters`. */
const maxWordBytes = maxCharacters
/** Spreadsheets keep 15 digits of a number; longer ones are written as text, so that none is lost. */
const exactBelow = 1e15

/** Indexes of the formats in `styles.xml` of the workbook: dates, times of day on dates, headings; 0 is general. */
export const xlsxStyles = { date: 1, time: 2, millis: 3, heading: 4 } as const

const dayMs = 86_400_000
/** 1 March 1900. Before it, spreadsheets count a nonexistent 29 February 1900. */
const firstMs = -2_203_891_200_000
/** Days from the spreadsheet epoch to 1970. */
const epochDays = 25_569

const start = utf8.encode(
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
)
/** Comes before the views, and needs `pageSetup` after the rows. */
const fitPage = utf8.encode('<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>')
const pageSetup = utf8.encode('<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/>')
const views = utf8.encode(
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
)
const [endData, end] = [utf8.encode('</sheetData>'), utf8.encode('</worksheet>')]
const closeRow = utf8.encode('</row>')
/** The rest of a cell, after `<c r="A1`. */
const openText = utf8.encode('" t="inlineStr"><is><t xml:space="preserve">')
const openPlainText = utf8.encode('" t="inlineStr"><is><t>')
const openHeading = utf8.encode(`" s="${xlsxStyles.heading}" t="inlineStr"><is><t xml:space="preserve">`)
const closeText = utf8.encode('</t></is></c>')
const openValue = utf8.encode('"><v>')
const closeValue = utf8.encode('</v></c>')
const [isFalse, isTrue] = [0, 1].map((value) => utf8.encode(`" t="b"><v>${value}</v></c>`)) as [Uint8Array, Uint8Array]
const empty = utf8.encode('"/>')

type Writer = (row: number) => void

export interface XlsxSheetOptions {
  /** Style of the numbers and times of a column, instead of the usual one. */
  styles?: readonly (number | null)[]
  /** Widths of columns in characters. */
  widths?: readonly (number | null)[]
  /** XML after the rows. */
  tail?: string
  /** Prints in landscape format, with all columns on one page; otherwise wide sheets continue on further pages. */
  fitsPage?: boolean
}

export interface XlsxSheetEncoder extends Encoder {
  /** Encodes some of the rows, so that a long frame need not be in memory as XML. */
  frame(frame: Frame, from?: number, to?: number): Uint8Array[]
}

/**
 * Writes the only sheet of a workbook as XML. Text cells are always text, so they cannot become formulas; numbers over 15 digits
 * are text as well, and so are NaN and infinities; times are UTC, cut to
 * milliseconds, which spreadsheets would round into the next day; null is an empty cell.
 * @throws AppError `result_too_large` when rows, columns or the characters of a cell exceed the limits of the format
 */
export function createXlsxSheetEncoder({
  styles = [],
  widths = [],
  tail = '',
  fitsPage = false,
}: XlsxSheetOptions = {}): XlsxSheetEncoder {
  const sink = new Sink()
  let rowsWritten = 0
  /** Cells of the words of dictionaries, reused while frames share a dictionary. */
  const wordCells = new WeakMap<PlainText, EncodedWords>()
  const references = new RowReferences()

  function line(cell: (index: number) => void): void {
    if (++rowsWritten > maxRows)
      throw sheetTooLarge(
        message(
          'errors.frame.xlsxRows',
          'A spreadsheet can have up to {max, number} rows below its header. ' +
            'Download the data as CSV or Parquet, or request fewer rows.',
          { max: maxRows - 1 },
        ),
      )
    references.next()
    sink.copy(references.openRow)
    for (let index = 0; index < references.openCells.length; index++) {
      sink.copy(references.openCells[index]!)
      cell(index)
    }
    sink.copy(closeRow)
  }

  return {
    start(columns: readonly EncodedColumn[]) {
      if (columns.length > maxColumns)
        throw sheetTooLarge(
          message(
            'errors.frame.xlsxColumns',
            'A spreadsheet can have up to {max, number} columns. ' +
              'Download the data as CSV or Parquet, or request fewer columns.',
            { max: maxColumns },
          ),
        )
      sink.copy(start)
      if (fitsPage) sink.copy(fitPage)
      sink.copy(views)
      if (columns.length > 0)
        sink.ascii(
          `<cols>${columns.map((column, index) => columnWidthXml(column, index, widths[index])).join('')}</cols>`,
        )
      sink.ascii('<sheetData>')
      references.start(columns.length)
      line((index) => {
        const heading = utf8.encode(headingOf(columns[index]!))
        writeText(sink, heading, 0, heading.length, openHeading)
      })
      return []
    },
    frame({ rows, columns }: Frame, from = 0, to = rows) {
      const writers = columns.map((column, index): Writer => {
        const write = createCellWriter(column, rows, sink, wordCells, styles[index] ?? null)
        return (row) => (isNull(column, row) ? sink.copy(empty) : write(row))
      })
      let row = from
      const cell = (index: number): void => writers[index]!(row)
      for (; row < to; row++) line(cell)
      return sink.takeFull()
    },
    end() {
      sink.copy(endData)
      if (fitsPage) sink.copy(pageSetup)
      if (tail !== '') {
        const bytes = utf8.encode(tail)
        sink.copy(bytes)
      }
      sink.copy(end)
      return sink.takeAll()
    },
  }
}

const headingOf = ({ name, heading }: EncodedColumn): string => heading ?? name

/** Width in characters. A time in a column that is too narrow is shown as a row of hash signs. */
function columnWidthXml(column: EncodedColumn, index: number, given?: number | null): string {
  const minWidth = column.kind === 'time' ? 20 : column.kind === 'string' ? 16 : 11
  const width = given ?? Math.max(minWidth, Math.min(40, headingOf(column).length + 2))
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
}

const sheetTooLarge = (text: Message): AppError => new AppError('result_too_large', { message: text })

function createCellWriter(
  column: Column,
  rows: number,
  sink: Sink,
  wordCells: WeakMap<PlainText, EncodedWords>,
  style: number | null,
): Writer {
  const open = style === null ? openValue : utf8.encode(`" s="${style}"><v>`)
  switch (column.kind) {
    case 'number':
      return (row) => writeNumber(sink, column.data[row]!, isFloat(column), open)
    case 'bigint': {
      const halves = splitInt64(column)
      return (row) => {
        const value = safeIntegerAt(halves, row)
        if (Math.abs(value) < exactBelow) writeNumber(sink, value, false, open)
        else writeText(sink, utf8.encode(String(column.data[row])))
      }
    }
    case 'decimal': {
      const halves = splitInt64(column)
      return (row) => {
        const text = formatDecimal(column, row)
        if (Math.abs(safeIntegerAt(halves, row)) < exactBelow) writeValue(sink, text, open)
        else writeText(sink, utf8.encode(text))
      }
    }
    case 'time':
      return timeWriter(column, sink, style)
    case 'boolean':
      return (row) => sink.copy(column.data[row] ? isTrue : isFalse)
    default: {
      if (column.raw)
        return (row) => {
          const cell = cellAt(column, row)
          if (typeof cell === 'number') writeNumber(sink, cell, true, open)
          else writeText(sink, utf8.encode(String(cell)))
        }
      if (column.numeric)
        return (row) => {
          const digits = storedText(column, row)
          if (isShortNumber(digits)) writeValue(sink, digits, open)
          else writeText(sink, utf8.encode(digits))
        }
      const { text } = column
      if (text.as === 'plain') return (row) => writeText(sink, text.bytes, text.offsets[row]!, text.offsets[row + 1]!)
      const { codes, words } = text
      const cells = encodeWordCells(words, rows, wordCells)
      if (cells) return (row) => sink.copy(cells.bytes, cells.offsets[codes[row]!], cells.offsets[codes[row]! + 1])
      return (row) => writeText(sink, words.bytes, words.offsets[codes[row]!]!, words.offsets[codes[row]! + 1]!)
    }
  }
}

/** The cell of each word of a dictionary; undefined for one with more words than rows, or with a word that may be too long. */
function encodeWordCells(
  words: PlainText,
  rows: number,
  wordCells: WeakMap<PlainText, EncodedWords>,
): EncodedWords | undefined {
  const known = wordCells.get(words)
  if (known || words.offsets.length > rows + 1 || words.bytes.length > maxWordBytes) return known
  const cells = encodeWords(words, (to, from, start, end) => writeText(to, from, start, end))
  wordCells.set(words, cells)
  return cells
}

/** True for a decimal of at most 15 digits, which spreadsheets keep. */
const isShortNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').length <= 15

function writeValue(sink: Sink, number: string, open: Uint8Array): void {
  sink.copy(open)
  sink.ascii(number)
  sink.copy(closeValue)
}

function writeInteger(sink: Sink, value: number, open: Uint8Array): void {
  sink.copy(open)
  sink.integer(value)
  sink.copy(closeValue)
}

function writeNumber(sink: Sink, value: number, float: boolean, open: Uint8Array): void {
  if (!Number.isFinite(value)) return writeText(sink, utf8.encode(String(value)))
  if (Math.abs(value) < exactBelow && Number.isInteger(value)) return writeInteger(sink, value, open)
  if (float) return writeValue(sink, String(value), open)
  return writeText(sink, utf8.encode(String(value)))
}

const openTime = Object.fromEntries(
  Object.values(xlsxStyles).map((style) => [style, utf8.encode(`" s="${style}"><v>`)]),
) as Record<(typeof xlsxStyles)[keyof typeof xlsxStyles], Uint8Array>

function timeWriter({ data, unit }: TimeColumn, sink: Sink, given: number | null): Writer {
  const openGiven = given === null ? null : utf8.encode(`" s="${given}"><v>`)
  return (row) => {
    const ms = data[row]!
    if (!Number.isFinite(ms)) return sink.copy(empty)
    if (ms >= firstMs) {
      const style = unit === 'date' ? xlsxStyles.date : ms % 1000 === 0 ? xlsxStyles.time : xlsxStyles.millis
      sink.copy(openGiven ?? openTime[style])
      sink.ascii(String(Math.floor(ms) / dayMs + epochDays))
      return sink.copy(closeValue)
    }
    sink.copy(openText)
    writeIso(sink, ms, unit)
    return sink.copy(closeText)
  }
}

/** 0: written as is, 1: written as an entity, 2: not allowed in XML. */
const special = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 38 || byte === 60 || byte === 62 || byte === 13) return 1
  return byte < 32 && byte !== 9 && byte !== 10 ? 2 : 0
})
const entities: Record<number, string> = { 38: '&amp;', 60: '&lt;', 62: '&gt;', 13: '&#13;' }

/** 1 for bytes that may need an escape, and for white space that readers may change. */
const mayBeEscaped = special.map((kind, byte) => (kind > 0 || byte < 32 || byte === 0x5f || byte === 0xef ? 1 : 0))

function writeText(sink: Sink, from: Uint8Array, first = 0, last = from.length, open = openText): void {
  if (countUtf16Units(from, first, last) > maxCharacters)
    throw sheetTooLarge(
      message(
        'errors.frame.xlsxCell',
        'A spreadsheet cell can have up to {max, number} characters. ' +
          'Download the data as CSV or Parquet, or shorten the values.',
        { max: maxCharacters },
      ),
    )
  if (open === openText && isPlain(from, first, last)) {
    sink.copy(openPlainText)
    sink.copy(from, first, last)
    return sink.copy(closeText)
  }
  sink.copy(open)
  let done = first
  for (let index = first; index < last; index++) {
    const byte = from[index]!
    const escaped = escapeCharacter(from, index, last, byte)
    if (escaped === null) continue
    sink.copy(from, done, index)
    sink.ascii(escaped.text)
    done = index + escaped.bytes
    index = done - 1
  }
  sink.copy(from, done, last)
  sink.copy(closeText)
}

/** Tests whether text can be written as is, without spaces at its ends that readers would drop. */
function isPlain(from: Uint8Array, first: number, last: number): boolean {
  if (first === last || from[first] === 0x20 || from[last - 1] === 0x20) return false
  for (let index = first; index < last; index++) if (mayBeEscaped[from[index]!]) return false
  return true
}

/**
 * Replacement for a character that cannot be written as is, null if none is needed. Text that looks like an escape is escaped
 * itself.
 */
function escapeCharacter(
  from: Uint8Array,
  index: number,
  last: number,
  byte: number,
): { text: string; bytes: number } | null {
  const kind = special[byte]
  if (kind === 1) return { text: entities[byte]!, bytes: 1 }
  if (kind === 2) return { text: `_x${byte.toString(16).toUpperCase().padStart(4, '0')}_`, bytes: 1 }
  if (byte === 0x5f && isEscape(from, index, last)) return { text: '_x005F_', bytes: 1 }
  if (byte === 0xef && from[index + 1] === 0xbf && (from[index + 2] ?? 0) >= 0xbe) return { text: '&#65533;', bytes: 3 }
  return null
}

function isEscape(from: Uint8Array, index: number, last: number): boolean {
  if (index + 7 > last || from[index + 1] !== 0x78 || from[index + 6] !== 0x5f) return false
  for (let digit = index + 2; digit < index + 6; digit++) {
    const byte = from[digit]!
    const isHex = (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 70) || (byte >= 97 && byte <= 102)
    if (!isHex) return false
  }
  return true
}

/** Number of UTF-16 units, which is what spreadsheets count; an upper bound when within the limit. */
function countUtf16Units(from: Uint8Array, first: number, last: number): number {
  if (last - first <= maxCharacters) return last - first
  let count = 0
  for (let index = first; index < last; index++) {
    const byte = from[index]!
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1
  }
  return count
}
