import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { framesType } from '@parquetry/model'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { compressData } from './compress.ts'

const http = fastify()
compressData(http)
const rows = Array.from({ length: 200 }, (_, n) => ({ n, name: `Käse ${n}` }))
http.get('/rows', () => rows)
http.get('/small', () => ({ token: 'x' }))
http.get('/page', (_request, reply) => reply.type('text/html').send('x'.repeat(5000)))
http.get('/frames', (_request, reply) => reply.type(framesType).send(Buffer.alloc(5000, 'ab')))
const get = (url: string, encoding: string) => http.inject({ url, headers: { 'accept-encoding': encoding } })

it.each([
  ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
])('responds to "%s" with %s', async (accepted, name, decode) => {
  const response = await get('/rows', accepted)
  expect(response.headers['content-encoding']).toBe(name)
  expect(JSON.parse(decode(response.rawPayload).toString())).toEqual(rows)
})

it.each([
  ['/rows', 'identity'],
  ['/small', 'gzip'],
  ['/page', 'gzip'],
])('does not compress %s for "%s"', async (url, accepted) => {
  expect((await get(url, accepted)).headers['content-encoding']).toBeUndefined()
})

it('regression: frames are compressed', async () => {
  const response = await get('/frames', 'zstd')
  expect(response.headers['content-encoding']).toBe('zstd')
  expect(zstdDecompressSync(response.rawPayload)).toEqual(Buffer.alloc(5000, 'ab'))
})
