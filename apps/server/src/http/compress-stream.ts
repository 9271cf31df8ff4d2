import { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from './compress.ts'

/** Each piece leaves when it was written, at the quickest level. */
const compressors = [
  [
    'zstd',
    () =>
      createZstdCompress({
        flush: constants.ZSTD_e_flush,
        params: { [constants.ZSTD_c_compressionLevel]: 1 },
      }),
  ],
  [
    'br',
    () =>
      createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
      }),
  ],
  ['gzip', () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 1 })],
] as const

/** Pieces as a stream for an answer, compressed as the caller takes it; the pieces are not read further when he leaves. */
export function compressedStream(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array>,
): Readable {
  const plain = Readable.from(pieces, { objectMode: false })
  reply.header('Vary', 'Accept-Encoding')
  const accepted = request.headers['accept-encoding'] ?? ''
  const [name, make] = compressors.find(([encoding]) => acceptsEncoding(accepted, encoding)) ?? []
  if (!name || !make) return plain
  reply.header('Content-Encoding', name)
  // What goes wrong has been said in the pieces, or the caller has left.
  return pipeline(plain, make(), () => {})
}
