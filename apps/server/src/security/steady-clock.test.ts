import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

const dayMs = 86_400_000
let server: TestServer
let time: Date
let steady: number
beforeEach(async () => {
  time = new Date('2026-06-01T12:00:00Z')
  steady = 5000
  server = await startTestServer({
    now: () => time,
    steadyMs: () => steady,
  })
})
afterEach(() => server.close())

it('regression: a disabled user is out within a second, even if the clock was set back', async () => {
  const gamma = server.as('gamma', 'session')
  expect((await gamma.get('/api/v1/me/')).statusCode).toBe(200)
  await server.deps.db.updateTable('user').set({ active: 0 }).where('username', '=', 'gamma').execute()
  time = new Date(time.getTime() - dayMs)
  steady += 1001
  expect((await gamma.get('/api/v1/me/')).statusCode).toBe(401)
})

it('regression: too many failed sign-ins are forgiven after a while, even if the clock was set back', async () => {
  const signIn = async () =>
    (
      await server.app.http.inject({
        method: 'POST',
        url: '/api/v1/security/login',
        payload: { username: 'gamma', password: 'wrong', provider: 'db' },
      })
    ).statusCode
  let status = 401
  for (let left = 100; left > 0 && status !== 429; left--) status = await signIn()
  expect(status).toBe(429)
  time = new Date(time.getTime() - dayMs)
  steady += dayMs / 2
  expect(await signIn()).toBe(401)
})
