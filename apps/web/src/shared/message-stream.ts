import { ApiError } from '@parquetry/client'
import { createMessageReader, type Message } from '@parquetry/frame'
import { markOffline } from './online.ts'

export { framesType } from '@parquetry/model/plan'

/** Yields the messages of a response as they arrive. @throws ApiError with status 0 when the connection is cut */
export async function* readMessageStream(response: Response): AsyncGenerator<Message> {
  const messages = createMessageReader()
  const body = response.body?.getReader()
  const next = async () =>
    body?.read().catch((error: unknown) => {
      // A TypeError of `fetch` here means that the connection ended.
      if (!(error instanceof TypeError)) throw error
      markOffline()
      throw new ApiError(0, 'Network error.')
    })
  try {
    for (let part = await next(); part && !part.done; part = await next()) yield* messages.push(part.value)
  } finally {
    await body?.cancel().catch(() => undefined)
  }
  if (messages.pending) throw new ApiError(0, 'Network error.')
}
