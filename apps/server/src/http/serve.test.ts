import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('answers who the caller is', async () => {
  const answer = await server.as('admin').get('/api/v1/me/')
  expect(answer.json()).toMatchObject({ result: { username: 'admin' } })
})
