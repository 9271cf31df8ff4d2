import { releaseBuffer } from '@parquetry/engines/channel'
import type { FastifyReply } from 'fastify'
import { createAbortSignal } from './abort.ts'

/**
 * Answers with pieces as they come, the next one read when the last is on its way. Each belongs to the answer: its memory is
 * let go once it is written.
 * @throws what the first piece throws, which is still an answer of its own; what comes later cuts the connection
 */
export async function sendPieces(reply: FastifyReply, pieces: AsyncIterable<Buffer>): Promise<FastifyReply> {
  const reading = pieces[Symbol.asyncIterator]()
  const first = await reading.next()
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
  void write(reply, first, reading)
  return reply
}

async function write(
  reply: FastifyReply,
  first: IteratorResult<Buffer>,
  reading: AsyncIterator<Buffer>,
): Promise<void> {
  const { raw, log } = reply
  const signal = createAbortSignal(reply)
  // What is written to a connection that has closed is never said to be written.
  const left = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  try {
    for (let next = first; !next.done && !signal.aborted; next = await reading.next())
      await Promise.race([written(raw, next.value), left])
    raw.end()
  } catch (error) {
    log.warn({ err: error }, 'an answer was cut off')
    raw.destroy()
  } finally {
    await reading.return?.()
  }
}

/** Settles when there is room for more. */
function written(raw: FastifyReply['raw'], piece: Buffer): Promise<void> | void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hasRoom = raw.write(piece, () => {
    releaseBuffer(piece)
    resolve()
  })
  if (!hasRoom) return promise
}
