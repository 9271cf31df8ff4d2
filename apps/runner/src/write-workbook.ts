import { buffer } from 'node:stream/consumers'
import { createXlsxSheetEncoder } from '@parquetry/frame/encode'
import type { Picture } from '@parquetry/model'
import { buildWorkbookSheets, type Sheet } from '@parquetry/pictures'
import { ZipFile } from 'yazl'
import { xmlDeclaration, workbookParts } from './xlsx-writer.ts'

/** Writes the numbers of a dashboard as a workbook. @throws AppError `result_too_large` if a sheet cannot hold them */
export async function writeWorkbook(picture: Picture, messages: Buffer, rest: () => Promise<void>): Promise<Buffer> {
  return zipSheets(buildWorkbookSheets(picture, messages), rest)
}

/** @param rest  awaited after each sheet */
export async function zipSheets(sheets: readonly Sheet[], rest: () => Promise<void>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(workbookParts(sheets.map(({ name: each }) => each))))
    zip.addBuffer(Buffer.from(xmlDeclaration + text), name)
  for (const [at, sheet] of sheets.entries()) {
    zip.addBuffer(encodeSheet(sheet), `xl/worksheets/sheet${at + 1}.xml`)
    await rest()
  }
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

function encodeSheet({ frame }: Sheet): Buffer {
  const encoder = createXlsxSheetEncoder()
  return Buffer.concat([encoder.start(frame.columns), encoder.frame(frame), encoder.end()].flat())
}
