import { releaseBuffer } from '@parquetry/engines/channel'
import type { FastifyReply } from 'fastify'
import { createAbortSignal } from './abort.ts'

/**
 * Sends pieces as they come; the next one is read after the last has been accepted for writing. The response owns each piece and
 * releases its memory once it is written.
 * @throws the error of the first piece, which still becomes an error response; later errors abort the connection
 */
export async function sendPieces(reply: FastifyReply, pieces: AsyncIterable<Buffer>): Promise<FastifyReply> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
  void write(reply, first, iterator)
  return reply
}

async function write(
  reply: FastifyReply,
  first: IteratorResult<Buffer>,
  iterator: AsyncIterator<Buffer>,
): Promise<void> {
  const { raw, log } = reply
  const signal = createAbortSignal(reply)
  // The callback of a write to a closed connection is never called.
  const disconnected = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  try {
    for (let next = first; !next.done && !signal.aborted; next = await iterator.next())
      await Promise.race([writeChunk(raw, next.value), disconnected])
    raw.end()
  } catch (error) {
    log.warn({ err: error }, 'an answer was cut off')
    raw.destroy()
  } finally {
    await iterator.return?.()
  }
}

/** Settles when the socket accepts more data. */
function writeChunk(raw: FastifyReply['raw'], piece: Buffer): Promise<void> | void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hasRoom = raw.write(piece, () => {
    releaseBuffer(piece)
    resolve()
  })
  if (!hasRoom) return promise
}
