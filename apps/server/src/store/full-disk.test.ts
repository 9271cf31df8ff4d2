import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
let time: Date
beforeEach(async () => {
  time = new Date('2026-01-01T00:00:00Z')
  server = await startTestServer({ now: () => time })
})
afterEach(() => server.close())

/** The file may not grow any more: SQLite says so as it does of a full disk. */
const fill = () => sql`pragma max_page_count = 1`.execute(server.deps.db)

const refuseUpdates = (table: string) =>
  sql
    .raw(`create trigger refuse_${table} before update on "${table}" begin select raise(abort, 'full'); end`)
    .execute(server.deps.db)

it('regression: a save on a full disk was 500', async () => {
  const admin = server.as('admin')
  const save = (dashboard_title: string, css: string) => admin.post('/api/v1/dashboard/', { dashboard_title, css })
  expect((await save('before', '')).statusCode).toBe(201)
  await fill()
  const answer = await save('after', 'x'.repeat(500_000))
  expect([answer.statusCode, answer.body]).toEqual([507, expect.stringContaining('The disk of the server is full.')])
  const list = await admin.get('/api/v1/dashboard/')
  expect(list.json<{ result: object[] }>().result).toMatchObject([{ dashboard_title: 'before' }])
})

it('regression: signing in and reading ended at a note that could not be written', async () => {
  await refuseUpdates('user')
  await refuseUpdates('session')
  const admin = server.as('admin', 'session')
  expect((await admin.get('/api/v1/me/')).statusCode).toBe(200)
  time = new Date(time.getTime() + 120_000)
  expect((await admin.get('/api/v1/me/')).statusCode).toBe(200)
})
