import type { Picture } from '@parquetry/model'
import type { Job } from './job.ts'

/** Draws an image, or writes its numbers as a file, and sends it. The code is loaded on first use. */
export async function draw(picture: Picture, messages: Buffer, job: Job): Promise<void> {
  const bytes = await write(picture, messages, () => job.yieldToEventLoop())
  job.send({ type: 'header', header: {} })
  await job.sendBytes(bytes)
  job.send({ type: 'end' })
}

async function write(picture: Picture, messages: Buffer, rest: () => Promise<void>): Promise<Uint8Array> {
  switch (picture.format) {
    case 'xlsx':
      return (await import('./write-workbook.ts')).writeWorkbook(picture, messages, rest)
    case 'csv':
      return (await import('./write-csv-files.ts')).writeCsvFiles(picture, messages, rest)
    case 'text':
      return Buffer.from(JSON.stringify((await import('@parquetry/pictures')).renderTextTables(picture, messages)))
    default:
      return (await import('@parquetry/pictures')).drawPicture(picture, messages, rest)
  }
}
