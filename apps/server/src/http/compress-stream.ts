import { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from './compress.ts'

/** Each piece is flushed when it is written; fast levels are used. */
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

/**
 * Response stream of pieces, compressed with an encoding that the client accepts. No more pieces are read after the client
 * disconnects.
 */
export function compressedStream(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array>,
): Readable {
  const source = Readable.from(pieces, { objectMode: false })
  reply.header('Vary', 'Accept-Encoding')
  const accepted = request.headers['accept-encoding'] ?? ''
  const [name, createCompressor] = compressors.find(([encoding]) => acceptsEncoding(accepted, encoding)) ?? []
  if (!name || !createCompressor) return source
  reply.header('Content-Encoding', name)
  // Errors have already been reported in the pieces, or the client has disconnected.
  return pipeline(source, createCompressor(), () => {})
}
