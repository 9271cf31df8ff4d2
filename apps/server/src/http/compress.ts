import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { framesType } from '@parquetry/model'
import type { FastifyInstance } from 'fastify'

const minBytes = 1024

const zstd = promisify(zstdCompress)
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** Fast levels of each, best first: a megabyte takes 5, 7 and 10 ms. */
const encoders: readonly (readonly [name: string, encode: (bytes: Buffer) => Promise<Buffer>])[] = [
  ['zstd', (bytes) => zstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })],
  ['br', (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ['gzip', (bytes) => zip(bytes, { level: 1 })],
]

/** Names of all encodings of responses, best first. */
export const encodings: readonly string[] = encoders.map(([name]) => name)

/** Tests if an `Accept-Encoding` names an encoding without refusing it. */
export const acceptsEncoding = (header: string, name: string): boolean =>
  header.split(',').some((part) => {
    const [token = '', ...parameters] = part.trim().toLowerCase().split(';')
    return token.trim() === name && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))
  })

/** The best encoding that an `Accept-Encoding` allows; null for no compression. */
export const selectEncoding = (accepted = ''): string | null =>
  accepted === '' ? null : (encoders.find(([name]) => acceptsEncoding(accepted, name))?.[0] ?? null)

/** Tests if data is long enough to be compressed. */
export const isWorthCompressing = ({ length }: Buffer | string): boolean => length >= minBytes

/** Encodes bytes with an encoding returned by `selectEncoding`. */
export const compressBytes = async (bytes: Buffer, encoding: string | null): Promise<Buffer> =>
  (await encoders.find(([name]) => name === encoding)?.[1](bytes)) ?? bytes

/**
 * Compresses complete data responses over 1 KB: JSON and frames. Streams, files and already compressed responses are left alone.
 * So are pages, since they contain the CSRF token next to text that a link can choose.
 */
export function compressData(http: FastifyInstance): void {
  http.addHook('onSend', async (request, reply, payload: unknown) => {
    const isComplete = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isComplete || !isWorthCompressing(payload) || reply.hasHeader('content-encoding')) return payload
    const type = String(reply.getHeader('content-type'))
    if (!type.startsWith('application/json') && type !== framesType) return payload
    reply.header('Vary', 'Accept-Encoding')
    const encoding = selectEncoding(request.headers['accept-encoding'])
    if (!encoding) return payload
    reply.header('Content-Encoding', encoding).removeHeader('content-length')
    return compressBytes(typeof payload === 'string' ? Buffer.from(payload) : payload, encoding)
  })
}
