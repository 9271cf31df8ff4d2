import { readMessages, type Message } from '@parquetry/frame'
import { ApiError } from './errors.ts'

export { framesType } from '@parquetry/model/plan'

/** Messages of an answer as they arrive. @throws ApiError with status 0 when it was cut inside a message */
export async function* messagesOf(response: Response): AsyncGenerator<Message> {
  const messages = readMessages()
  const body = response.body?.getReader()
  try {
    for (let part = await body?.read(); part && !part.done; part = await body?.read()) yield* messages.push(part.value)
  } finally {
    await body?.cancel().catch(() => undefined)
  }
  if (messages.pending) throw new ApiError(0, 'Network error.')
}
