import { posix } from 'node:path'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { classifyNumberFormat, formatSerialDate, type TimeKind } from './serial-date.ts'
import { readXml } from './xml.ts'
import { Zip } from './zip.ts'

/** Limits for the parts of a workbook that are held in memory: everything else is streamed. */
const maxSharedCharacters = 100_000_000
const maxSharedTexts = 5_000_000
const maxColumns = 16_384
const maxCell = 1 << 20

/** Returns false to stop. */
type RowHandler = (row: number, values: string[]) => boolean | Promise<void>

/** Kinds of cells without a value that a spreadsheet program shows something in. */
export interface EmptyCells {
  /** Formulas whose result is not stored, as in files that a program wrote without computing them. */
  formulas: boolean
  /** Errors such as #N/A. */
  errors: boolean
}

interface Sheet {
  name: string
  path: string
  isHidden: boolean
}

/** An XLSX workbook: values as text, dates by the styles of their cells, formulas by their last results. */
export class Workbook {
  #zip: Zip
  #sheets: Sheet[] = []
  #is1904 = false
  /** Kind of time that numbers show, by style. */
  #times: (TimeKind | null)[] = []
  #shared: string[] | null = null

  private constructor(zip: Zip) {
    this.#zip = zip
  }

  /** @throws AppError `unprocessable` if the file is not a supported workbook */
  static async open(path: string): Promise<Workbook> {
    const workbook = new Workbook(await Zip.open(path))
    try {
      await workbook.#readParts()
      return workbook
    } catch (error) {
      workbook.close()
      throw error
    }
  }

  /** Sheet names, hidden ones last. */
  get sheets(): string[] {
    return this.#sheets.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden)).map(({ name }) => name)
  }

  close(): void {
    this.#zip.close()
  }

  /**
   * Calls `take` with each row that has a value: its number from 1, and its values by position, '' where there is none.
   * @param sheet  null: the first one that is not hidden
   * @returns the cells that were left empty, of the rows that were read
   */
  async rows(sheet: string | null, take: RowHandler): Promise<EmptyCells> {
    const wanted = sheet ?? this.sheets[0]
    const found = this.#sheets.find(({ name }) => name === wanted)
    if (!found)
      throw new AppError('unprocessable', {
        message: message('errors.runner.noSheet', 'The workbook has no sheet "{sheet}".', { sheet }),
      })
    this.#shared ??= await this.#readShared()
    const shared = this.#shared
    let isDone = false
    let row = 0
    let values: string[] = []
    let at = 0
    let type = 'n'
    let style = 0
    let text = ''
    let isValue = false
    let isFormula = false
    const empties: EmptyCells = { formulas: false, errors: false }
    const waiting: { row: number; values: string[] }[] = []
    const source = this.#zip.read(found.path)
    const parsed = this.#drained(source, waiting, take, () => (isDone = true))
    await readXml(
      parsed,
      {
        open(name, { r, t, s }) {
          if (name === 'row') {
            row = r ? Number(r) : row + 1
            values = []
            at = -1
          } else if (name === 'c') {
            at = r ? parseColumn(r) : at + 1
            type = t ?? 'n'
            style = Number(s ?? 0)
            text = ''
            isFormula = false
          } else if (name === 'f') isFormula = true
          else isValue = name === 'v' || name === 't'
        },
        text(more) {
          if (isValue && text.length < maxCell) text += more
        },
        close: (name) => {
          isValue = false
          if (name === 'c' && type === 'e') empties.errors = true
          // A formula whose result is an empty text has the type of a text.
          else if (name === 'c' && isFormula && text === '' && type === 'n') empties.formulas = true
          if (name === 'c' && text !== '' && at < maxColumns) {
            while (values.length < at) values.push('')
            values[at] = this.#value(text, type, style, shared)
          } else if (name === 'row' && values.some((value) => value !== '')) waiting.push({ row, values })
        },
      },
      () => isDone,
    )
    for (const each of waiting.splice(0)) if (!isDone && (await take(each.row, each.values)) === false) break
    return empties
  }

  /** Passes on the rows of a chunk before the next one is read, so that a slow consumer slows the reader down. */
  async *#drained(
    source: AsyncIterable<Buffer>,
    waiting: { row: number; values: string[] }[],
    take: RowHandler,
    done: () => void,
  ): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      yield chunk
      for (const { row, values } of waiting.splice(0))
        if ((await take(row, values)) === false) {
          done()
          waiting.length = 0
          return
        }
    }
  }

  #value(text: string, type: string, style: number, shared: string[]): string {
    if (type === 's') return shared[Number(text)] ?? ''
    if (type === 'b') return text === '1' ? 'true' : 'false'
    // An error such as #N/A is the lack of a value.
    if (type === 'e') return ''
    if (type === 'd') return text.replace(/T00:00:00(\.0+)?Z?$/, '')
    if (type !== 'n') return text
    const number = Number(text)
    if (!Number.isFinite(number)) return text
    const kind = this.#times[style]
    const time = kind ? formatSerialDate(number, kind, this.#is1904) : null
    // A whole number may have more digits than a double.
    return time ?? (/^-?\d+$/.test(text) ? text : String(number))
  }

  async #readParts(): Promise<void> {
    if (!this.#zip.has('xl/workbook.xml'))
      throw new AppError('unprocessable', {
        message: message('errors.runner.notExcel', 'This file is not an Excel workbook (.xlsx).'),
      })
    const targets = new Map<string, string>()
    await readXml(this.#zip.read('xl/_rels/workbook.xml.rels'), {
      open: (name, { Id, Target, TargetMode }) => {
        if (name === 'Relationship' && Id && Target && TargetMode !== 'External') targets.set(Id, Target)
      },
    })
    await readXml(this.#zip.read('xl/workbook.xml'), {
      open: (name, attributes) => {
        if (name === 'workbookPr') this.#is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
        if (name !== 'sheet') return
        const reference = Object.keys(attributes).find((key) => key.endsWith(':id')) ?? 'id'
        const target = targets.get(attributes[reference] ?? '')
        const isHidden = (attributes['state'] ?? 'visible') !== 'visible'
        if (target?.includes('worksheets'))
          this.#sheets.push({ name: attributes['name'] ?? '', path: posix.join('/xl', target).slice(1), isHidden })
      },
    })
    for (const sheet of this.#sheets)
      if (!this.#zip.has(sheet.path)) sheet.path = sheet.path.replace(/^xl\/xl\//, 'xl/')
    if (this.#sheets.length === 0)
      throw new AppError('unprocessable', {
        message: message('errors.runner.noSheets', 'The workbook has no sheets.'),
      })
    if (this.#zip.has('xl/styles.xml')) await this.#readStyles()
  }

  async #readStyles(): Promise<void> {
    const codes = new Map<number, string>()
    let isCells = false
    await readXml(this.#zip.read('xl/styles.xml'), {
      open: (name, { numFmtId, formatCode }) => {
        if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '')
        else if (name === 'cellXfs') isCells = true
        else if (name === 'xf' && isCells && this.#times.length < 100_000)
          this.#times.push(classifyNumberFormat(Number(numFmtId ?? 0), codes.get(Number(numFmtId ?? 0))))
      },
      close: (name) => {
        if (name === 'cellXfs') isCells = false
      },
    })
  }

  async #readShared(): Promise<string[]> {
    const texts: string[] = []
    if (!this.#zip.has('xl/sharedStrings.xml')) return texts
    let text = ''
    let isText = false
    let isPhonetic = false
    let characters = 0
    await readXml(this.#zip.read('xl/sharedStrings.xml'), {
      open(name) {
        if (name === 'si') text = ''
        else if (name === 'rPh') isPhonetic = true
        else if (name === 't') isText = !isPhonetic
      },
      text(more) {
        if (isText && text.length < maxCell) text += more
      },
      close(name) {
        if (name === 't') isText = false
        else if (name === 'rPh') isPhonetic = false
        else if (name === 'si') {
          texts.push(text)
          characters += text.length
          if (texts.length > maxSharedTexts || characters > maxSharedCharacters)
            throw new AppError('unprocessable', {
              message: message(
                'errors.runner.workbookText',
                'The workbook contains more text than this server can read. Save the sheet as CSV and add that.',
              ),
            })
        }
      },
    })
    return texts
  }
}

/** `AB12` -> 27 */
function parseColumn(reference: string): number {
  let column = 0
  for (const sign of reference) {
    const digit = sign.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
    if (column > maxColumns) return maxColumns
  }
  return column - 1
}
