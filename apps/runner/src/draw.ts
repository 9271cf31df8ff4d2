import type { Picture } from '@parquetry/model'
import type { Job } from './job.ts'

/** Draws an image, or writes its numbers as a workbook, and sends it. The drawing code is loaded on first use. */
export async function draw(picture: Picture, messages: Buffer, job: Job): Promise<void> {
  const rest = () => job.yieldToEventLoop()
  const bytes =
    picture.format === 'xlsx'
      ? await (await import('./write-workbook.ts')).writeWorkbook(picture, messages, rest)
      : await (await import('@parquetry/pictures')).drawPicture(picture, messages, rest)
  job.send({ type: 'header', header: {} })
  await job.sendBytes(bytes)
  job.send({ type: 'end' })
}
