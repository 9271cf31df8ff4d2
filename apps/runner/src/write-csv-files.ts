import { buffer } from 'node:stream/consumers'
import { createCsvEncoder } from '@parquetry/frame/encode'
import type { Frame } from '@parquetry/frame'
import type { Picture } from '@parquetry/model'
import { listTableFiles } from '@parquetry/pictures'
import { ZipFile } from 'yazl'

/** Writes the rows of a chart as CSV, or those of several as a ZIP of CSV files. Text that a spreadsheet may read as a formula is neutralized. */
export async function writeCsvFiles(
  picture: Picture,
  messages: Buffer,
  rest: () => Promise<void>,
): Promise<Uint8Array> {
  const files = listTableFiles(picture, messages)
  const [single] = files
  if (single && files.length === 1 && typeof single.content !== 'string') return encodeCsv(single.content)
  const zip = new ZipFile()
  for (const { name, content } of files) {
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), `${name}.txt`)
    else zip.addBuffer(encodeCsv(content), `${name}.csv`)
    await rest()
  }
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

function encodeCsv(frame: Frame): Buffer {
  const encoder = createCsvEncoder({ escape: true, separator: ',', header: true })
  return Buffer.concat([encoder.start(frame.columns), encoder.frame(frame), encoder.end()].flat())
}
