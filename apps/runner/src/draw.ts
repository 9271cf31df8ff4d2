import type { Picture } from '@parquetry/model'
import type { Job } from './job.ts'

/** Draws a picture, or writes its numbers as a workbook, and sends it. What draws is loaded at the first one. */
export async function draw(picture: Picture, messages: Buffer, job: Job): Promise<void> {
  const rest = () => job.rest()
  const bytes =
    picture.format === 'xlsx'
      ? await (await import('./workbook.ts')).workbook(picture, messages, rest)
      : await (await import('@parquetry/pictures')).drawPicture(picture, messages, rest)
  job.send({ type: 'header', header: {} })
  await job.bytes(bytes)
  job.send({ type: 'end' })
}
