import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('regression: `thumbnail_url` leads to an API route that returns 404', async () => {
  const admin = server.as('admin')
  const { id } = (await admin.post('/api/v1/dashboard/', { dashboard_title: 'Sales' })).json<{ id: number }>()
  const { result } = (await admin.get(`/api/v1/dashboard/${id}`)).json<{ result: { thumbnail_url: string } }>()
  for (const address of [result.thumbnail_url, '/api/v1/chart/1/thumbnail/k2j/']) {
    const answer = await admin.get(address)
    expect([answer.statusCode, answer.json()], address).toEqual([404, { message: 'Not found' }])
    expect((await server.as('nobody').get(address)).statusCode, address).toBe(401)
    expect((await server.as('publicuser').get(address)).statusCode, address).toBe(403)
  }
})
