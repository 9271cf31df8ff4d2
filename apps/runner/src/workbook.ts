import { buffer } from 'node:stream/consumers'
import { xlsxSheetEncoder } from '@parquetry/frame/encode'
import type { Picture } from '@parquetry/model'
import { workbookOf, type Sheet } from '@parquetry/pictures'
import { ZipFile } from 'yazl'
import { partHead, workbookParts } from './xlsx-writer.ts'

/** The numbers of a dashboard as a workbook. @throws AppError `result_too_large` for what a sheet cannot hold */
export async function workbook(picture: Picture, messages: Buffer, rest: () => Promise<void>): Promise<Buffer> {
  const sheets = workbookOf(picture, messages)
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(workbookParts(sheets.map(({ name: each }) => each))))
    zip.addBuffer(Buffer.from(partHead + text), name)
  for (const [at, sheet] of sheets.entries()) {
    zip.addBuffer(xmlOf(sheet), `xl/worksheets/sheet${at + 1}.xml`)
    await rest()
  }
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

function xmlOf({ frame }: Sheet): Buffer {
  const encoder = xlsxSheetEncoder()
  return Buffer.concat([encoder.start(frame.columns), encoder.frame(frame), encoder.end()].flat())
}
