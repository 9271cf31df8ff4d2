import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createXlsxSheetEncoder, xlsxStyles } from '@parquetry/frame/encode'
import type { Picture } from '@parquetry/model'
import { buildWorkbook, type NativeChart, type Sheet, type Workbook } from '@parquetry/pictures'
import { ZipFile } from 'yazl'
import { chartXml, drawingXml } from './workbook-chart.ts'
import { coverXml } from './workbook-cover.ts'
import { relationsXml, workbookParts, xmlDeclaration } from './xlsx-writer.ts'

/** Rows that are in memory as XML at a time, at most. */
const rowsPerPart = 2000

/** Writes the numbers of charts as a workbook. @throws AppError `result_too_large` if a sheet cannot hold them */
export async function writeWorkbook(picture: Picture, messages: Buffer, rest: () => Promise<void>): Promise<Buffer> {
  return zipWorkbook(buildWorkbook(picture, messages), rest)
}

/** @param rest  awaited after each part of a sheet */
export async function zipWorkbook({ cover, sheets }: Workbook, rest: () => Promise<void>): Promise<Buffer> {
  const zip = new ZipFile()
  const whole = buffer(zip.outputStream as NodeJS.ReadableStream)
  whole.catch(() => {})
  const add = (name: string, xml: string) => zip.addBuffer(Buffer.from(xmlDeclaration + xml), name)
  const formats = [...new Set(sheets.flatMap(({ looks }) => looks.flatMap(({ format }) => format ?? [])))]
  const charts = sheets.flatMap((sheet, index) => (hasChart(sheet) ? [{ sheet, number: index + 2 }] : []))
  const names = [cover.name, ...sheets.map(({ name }) => name)]
  for (const [name, text] of Object.entries(
    workbookParts(names, { formats, charts: charts.map(({ number }) => number) }),
  ))
    add(name, text)
  for (const { sheet, number } of charts) {
    add(`xl/drawings/drawing${number}.xml`, drawingXml(sheet))
    add(`xl/charts/chart${number}.xml`, chartXml(sheet))
    add(`xl/worksheets/_rels/sheet${number}.xml.rels`, relationsXml('drawing', `../drawings/drawing${number}.xml`))
    add(`xl/drawings/_rels/drawing${number}.xml.rels`, relationsXml('chart', `../charts/chart${number}.xml`))
  }
  add('xl/worksheets/sheet1.xml', coverXml(cover.rows))
  const streams = sheets.map(() => new PassThrough())
  for (const [index, stream] of streams.entries())
    zip.addReadStream(stream, `xl/worksheets/sheet${index + 2}.xml`, { compressionLevel: 1 })
  zip.end()
  try {
    for (const [index, sheet] of sheets.entries()) await writeSheet(sheet, formats, streams[index]!, rest)
  } catch (error) {
    for (const stream of streams) stream.destroy()
    throw error
  }
  return whole
}

const hasChart = (sheet: Sheet): sheet is Sheet & { chart: NativeChart } => sheet.chart !== null

const drawingTail =
  '<drawing xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/>'

async function writeSheet(
  { frame, looks, chart }: Sheet,
  formats: readonly string[],
  stream: PassThrough,
  rest: () => Promise<void>,
): Promise<void> {
  const firstStyle = Object.keys(xlsxStyles).length + 1
  const encoder = createXlsxSheetEncoder({
    styles: looks.map(({ format }) => (format === null ? null : firstStyle + formats.indexOf(format))),
    widths: looks.map(({ width }) => width),
    tail: chart ? drawingTail : '',
    fitsPage: true,
  })
  const write = async (pieces: readonly Uint8Array[]) => {
    for (const piece of pieces) if (!stream.write(piece)) await once(stream, 'drain')
  }
  await write(encoder.start(frame.columns))
  for (let from = 0; from < frame.rows; from += rowsPerPart) {
    await write(encoder.frame(frame, from, Math.min(frame.rows, from + rowsPerPart)))
    await rest()
  }
  await write(encoder.end())
  stream.end()
}
