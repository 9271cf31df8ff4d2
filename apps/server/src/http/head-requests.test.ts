import { request } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
let origin: string
let destroyed: Promise<void>
const seen: string[] = []
beforeAll(async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  destroyed = promise
  server = await startTestServer({
    routes: ({ http }) => {
      http.get('/test/endless', (_request, reply) =>
        reply.type('text/event-stream').send(
          new Readable({
            read() {
              this.push('data: 1\n\n')
            },
            destroy(error, done) {
              resolve()
              done(error)
            },
          }),
        ),
      )
      http.addHook('onResponse', ({ method, url }, _reply, done) => {
        seen.push(`${method} ${url}`)
        done()
      })
    },
  })
  origin = await server.app.http.listen({ port: 0 })
})
afterAll(() => server.close())

/** Status, headers and number of body bytes of a response on a real connection. */
const send = (
  method: string,
  path: string,
): Promise<{ status: number; headers: Record<string, unknown>; bytes: number }> =>
  new Promise((resolve, reject) => {
    request(`${origin}${path}`, { method, agent: false, headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }))
    })
      .on('error', reject)
      .end()
  })

it.each(['/login/', '/api/v1/dashboard/', '/health', '/nothing/here'])(
  'answers HEAD %s as GET without the body',
  async (path) => {
    const [head, get] = [await send('HEAD', path), await send('GET', path)]
    expect(head.bytes).toBe(0)
    expect(get.bytes).toBeGreaterThan(0)
    expect(head.status).toBe(get.status)
    for (const name of [
      'content-type',
      'content-encoding',
      'content-length',
      'cache-control',
      'content-security-policy',
    ])
      expect(typeof head.headers[name], name).toBe(typeof get.headers[name])
    expect(head.headers['content-length']).toBe(String(get.bytes))
  },
)

it('ends an endless response to HEAD and its source', async () => {
  expect(await send('HEAD', '/test/endless')).toMatchObject({ status: 200, bytes: 0 })
  await destroyed
})

it('shows the method HEAD to hooks', async () => {
  seen.length = 0
  await send('HEAD', '/health')
  await expect.poll(() => seen).toEqual(['HEAD /health'])
})

it('has no HEAD where there is no GET', async () => {
  expect((await send('HEAD', '/api/v1/security/login')).status).toBe(405)
})
