import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('addresses without /superset/ (API-069)', () => {
  it('answer as those with it, for every page and call and to every user', async () => {
    const prefixed = server.app.contracts.filter(({ path }) => path.startsWith('/superset/'))
    expect(prefixed.length).toBeGreaterThan(40)
    for (const user of ['admin', 'gamma', 'nobody'] as const)
      for (const { method, path } of prefixed) {
        const send = async (address: string) => {
          const { statusCode, headers } = await server.as(user, 'session').send(method, address)
          return [
            user,
            method,
            path,
            statusCode,
            headers['content-type'],
            headers['location']?.toString().split('?')[0],
          ]
        }
        const address = path.replace(/:\w+/g, '1').replace('*', '1')
        const short = await send(address.replace('/superset', ''))
        const long = await send(address)
        // The sign-in page leads back to the address that was opened.
        expect(short).toEqual(long)
      }
  })

  it('say that nothing is there for names without a call, and are told apart by whole segments', async () => {
    for (const path of ['/nothing/1', '/fave_dashboardsx/1/', '/%66ave_dashboards/1/'])
      expect((await server.as('admin').get(path)).statusCode).toBe(404)
  })
})
