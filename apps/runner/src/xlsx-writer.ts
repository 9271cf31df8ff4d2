import { createWriteStream } from 'node:fs'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FileWriter } from '@parquetry/engines/drivers'
import type { Frame } from '@parquetry/frame'
import { type EncodedColumn, createXlsxSheetEncoder, xlsxStyles } from '@parquetry/frame/encode'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { ZipFile } from 'yazl'
import { escapeXml } from './xml.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Cell styles are counted from 1: those of times, then that of headings. */
const formats = {
  [xlsxStyles.date]: 'yyyy-mm-dd',
  [xlsxStyles.time]: 'yyyy-mm-dd hh:mm:ss',
  [xlsxStyles.millis]: 'yyyy-mm-dd hh:mm:ss.000',
}
const ownFormat = 164

const styles = Object.entries(formats)
const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
const look = (format: number, fontId: number): string =>
  `numFmtId="${format}" fontId="${fontId}" fillId="0" borderId="0"`

/** Parts of a workbook besides its sheets. */
interface WorkbookExtras {
  /** Number formats, whose styles follow those of `xlsxStyles`. */
  formats?: readonly string[]
  /** Numbers of the sheets with a drawing and a chart of the same number. */
  charts?: readonly number[]
}

/** The parts of a workbook besides its sheets, which have these names, and their drawings: the minimum for spreadsheet programs. */
export const workbookParts = (
  sheets: readonly string[],
  { formats: more = [], charts = [] }: WorkbookExtras = {},
): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/>${sheets.map((_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${kind}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/>${charts.map(chartContentTypes).join('')}</Types>`,
  '_rels/.rels': relationsXml('officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${sheets.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}<Relationship Id="rId${sheets.length + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': stylesXml(more),
})

const chartContentTypes = (number: number): string =>
  `<Override PartName="/xl/drawings/drawing${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/><Override PartName="/xl/charts/chart${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>`

/** The relations of a part with a single one. */
export function relationsXml(type: string, target: string): string {
  return `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/${type}" Target="${target}"/></Relationships>`
}

function stylesXml(more: readonly string[]): string {
  const numbered = more.map((code, index) => ({ code, id: ownFormat + styles.length + 2 + index }))
  const numberFormats = [...styles.map(([style, code]) => ({ code, id: ownFormat + Number(style) })), ...numbered].map(
    ({ code, id }) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(code)}"/>`,
  )
  const cells = [
    `<xf ${look(0, 0)} xfId="0"/>`,
    ...styles.map(([style]) => `<xf ${look(ownFormat + Number(style), 0)} xfId="0" applyNumberFormat="1"/>`),
    `<xf ${look(0, 1)} xfId="0" applyFont="1"/>`,
    ...numbered.map(({ id }) => `<xf ${look(id, 0)} xfId="0" applyNumberFormat="1"/>`),
  ]
  return `<styleSheet xmlns="${main}"><numFmts count="${numberFormats.length}">${numberFormats.join('')}</numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf ${look(0, 0)}/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

/** Every part begins with this. */
export const xmlDeclaration = head

/** Writes and compresses a workbook of one sheet as its rows come. */
export function createXlsxWriter(path: string, columns: readonly EncodedColumn[]): FileWriter {
  const zip = new ZipFile()
  const sheet = new PassThrough()
  const file = createWriteStream(path, { mode: 0o600 })
  const encoder = createXlsxSheetEncoder()
  for (const [name, text] of Object.entries(workbookParts(['Sheet1']))) zip.addBuffer(Buffer.from(head + text), name)
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { compressionLevel: 1 })
  zip.end()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  zip.on('error', (cause) =>
    failed.reject(
      new AppError('result_too_large', {
        message: message('errors.runner.spreadsheet', 'The result is too large for a spreadsheet file.'),
        cause,
      }),
    ),
  )
  zip.outputStream.pipe(file)
  const written = finished(file)
  written.catch((error: unknown) => failed.reject(error))

  async function write(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      if (sheet.write(chunk)) continue
      const drained = new Promise((resolve) => sheet.once('drain', resolve))
      await Promise.race([drained, failed.promise])
    }
  }
  let hasStarted = false
  const start = async (): Promise<void> => {
    if (hasStarted) return
    hasStarted = true
    await write(encoder.start(columns))
  }

  return {
    async frame(frame: Frame) {
      await start()
      await write(encoder.frame(frame))
    },
    async end() {
      await start()
      await write(encoder.end())
      sheet.end()
      await Promise.race([written, failed.promise])
    },
    async close() {
      sheet.destroy()
      file.destroy()
    },
  }
}
