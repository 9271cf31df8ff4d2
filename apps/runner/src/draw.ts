import type { Picture } from '@parquetry/model'
import type { Job } from './job.ts'

/** Draws a picture and sends it. What draws is loaded at the first one. */
export async function draw(picture: Picture, messages: Buffer, job: Job): Promise<void> {
  const { drawPicture } = await import('@parquetry/pictures')
  const bytes = await drawPicture(picture, messages, () => job.rest())
  job.send({ type: 'header', header: {} })
  await job.bytes(bytes)
  job.send({ type: 'end' })
}
