import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JobEnd } from '../jobs/job-queue.ts'
import { StoreQueue } from '../jobs/store-queue.ts'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
let time: Date
beforeEach(async () => {
  time = new Date('2026-01-01T00:00:00Z')
  server = await startTestServer({ now: () => time })
})
afterEach(() => server.close())

/** Keeps the file from growing: SQLite reports this like a full disk. */
const fill = () => sql`pragma max_page_count = 1`.execute(server.deps.db)

const refuseUpdates = (table: string) =>
  sql
    .raw(`create trigger refuse_${table} before update on "${table}" begin select raise(abort, 'full'); end`)
    .execute(server.deps.db)

it('regression: returns 507 for a save on a full disk', async () => {
  const admin = server.as('admin')
  const save = (dashboard_title: string, css: string) => admin.post('/api/v1/dashboard/', { dashboard_title, css })
  expect((await save('before', '')).statusCode).toBe(201)
  await fill()
  const answer = await save('after', 'x'.repeat(500_000))
  expect([answer.statusCode, answer.body]).toEqual([507, expect.stringContaining("The server's disk is full.")])
  const list = await admin.get('/api/v1/dashboard/')
  expect(list.json<{ result: object[] }>().result).toMatchObject([{ dashboard_title: 'before' }])
})

it('regression: signing in and reading work when their time of use cannot be written', async () => {
  await refuseUpdates('user')
  await refuseUpdates('session')
  const admin = server.as('admin', 'session')
  expect((await admin.get('/api/v1/me/')).statusCode).toBe(200)
  time = new Date(time.getTime() + 120_000)
  expect((await admin.get('/api/v1/me/')).statusCode).toBe(200)
})

it('regression: records the end of a job once the full disk has space again, so that clients waiting for it learn of it', async () => {
  const queue = new StoreQueue({ ...server.deps, retryMs: 10 })
  const ended = Promise.withResolvers<JobEnd>()
  const tries = Promise.withResolvers<void>()
  const failing = vi.spyOn(server.deps.log, 'error').mockImplementation(() => tries.resolve())
  queue.handle('test', {
    async run() {
      await fill()
      return 'x'.repeat(500_000)
    },
    ended: (_job, end) => ended.resolve(end),
  })
  const id = await queue.add('test', {}, 1)
  await tries.promise
  failing.mockRestore()
  await sql`pragma max_page_count = 1000000`.execute(server.deps.db)
  expect(await ended.promise).toMatchObject({ state: 'done' })
  const { state } = await server.deps.db
    .selectFrom('job')
    .select('state')
    .where('uuid', '=', id)
    .executeTakeFirstOrThrow()
  expect(state).toBe('done')
  await queue.close()
})
