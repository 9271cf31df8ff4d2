import { expect, it } from 'vitest'
import { startTestServer } from '../testing.ts'

it('returns OK when requests can be served, otherwise 503 with a reason', async () => {
  const server = await startTestServer()
  for (const path of ['/health', '/healthcheck', '/ping']) {
    const response = await server.as('nobody').get(path)
    expect([response.statusCode, response.body]).toEqual([200, 'OK'])
  }
  await server.deps.db.destroy()
  server.app.authenticator.forget()
  const response = await server.app.http.inject({ url: '/health' })
  expect([response.statusCode, response.json()]).toEqual([
    503,
    { message: 'The metadata store is not responding. Try again.' },
  ])
})

it('serves metrics only to local processes and to administrators with a token', async () => {
  const server = await startTestServer()
  const ask = async (remoteAddress: string, headers = {}) => {
    const { statusCode } = await server.app.http.inject({ url: '/metrics', remoteAddress, headers })
    return statusCode
  }
  expect(await ask('127.0.0.1')).toBe(200)
  expect(await ask('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(404)
  expect(await ask('203.0.113.9')).toBe(404)
  const by = async (user: 'admin' | 'gamma') =>
    (await server.as(user).send('GET', '/metrics', { remoteAddress: '203.0.113.9' })).statusCode
  expect([await by('admin'), await by('gamma')]).toEqual([200, 404])
  for (const own of [{ baseUrl: 'https://bi.example.com' }, { trustedProxies: ['127.0.0.1'] }]) {
    const before = { ...server.deps.settings }
    Object.assign(server.deps.settings, own)
    expect(await ask('127.0.0.1'), 'regression: through a proxy that says nothing').toBe(404)
    Object.assign(server.deps.settings, before)
  }
  await server.close()
})
