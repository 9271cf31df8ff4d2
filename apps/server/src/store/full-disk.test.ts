import { type Kysely, sql } from 'kysely'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JobEnd } from '../jobs/job-queue.ts'
import { StoreQueue } from '../jobs/store-queue.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './open.ts'
import type { Tables } from './tables.ts'

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
  const response = await save('after', 'x'.repeat(500_000))
  expect([response.statusCode, response.body]).toEqual([507, expect.stringContaining("The server's disk is full.")])
  const list = await admin.get('/api/v1/dashboard/')
  expect(list.json<{ result: object[] }>().result).toMatchObject([{ dashboard_title: 'before' }])
})

/** A file system of two megabytes; undefined where this user may not mount one. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-small-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  return status === 0 ? folder : undefined
}
const smallDisk = mountSmallDisk()
afterAll(() => smallDisk && spawnSync('umount', ['-l', smallDisk]))

it.skipIf(!smallDisk)(
  'regression: returns 507 for every kind of save on a disk that is really full, and reads on',
  async () => {
    const store = await openSqlite(join(smallDisk!, 'parquetry.sqlite'))
    await migrate(store, async () => {})
    const { db } = store
    const layer = (name: string, trx: Kysely<Tables> = db) =>
      trx.insertInto('annotation_layer').values({
        uuid: randomUUID(),
        name,
        descr: 'x'.repeat(20_000),
        created_on: '',
        changed_on: '',
        created_by_fk: null,
        changed_by_fk: null,
      })
    let written = 0
    const fillUp = async () => {
      for (;;) {
        await layer(`layer ${written}`).execute()
        written += 1
      }
    }
    await expect(fillUp()).rejects.toMatchObject({ code: 'disk_full' })
    await expect(
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('css_template').execute()
        for (;;) await layer(randomUUID(), trx).execute()
      }),
    ).rejects.toMatchObject({ code: 'disk_full' })
    const { count } = await db
      .selectFrom('annotation_layer')
      .select((is) => is.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(written)
    await store.close()
  },
)

it('regression: reports a store that became read-only until it can be written again', async () => {
  const admin = server.as('admin')
  const health = async () => {
    const { statusCode, body } = await admin.get('/health')
    return [statusCode, body]
  }
  const save = () => admin.post('/api/v1/dashboard/', { dashboard_title: 'saved' })
  expect((await save()).statusCode).toBe(201)
  await sql`pragma query_only = on`.execute(server.deps.db)
  const problem = expect.stringContaining('The metadata store cannot be written') as string
  const refused = await save()
  expect([refused.statusCode, refused.body]).toEqual([503, problem])
  expect(await health()).toEqual([503, problem])
  expect((await admin.get('/api/v1/dashboard/')).statusCode).toBe(200)
  await sql`pragma query_only = off`.execute(server.deps.db)
  expect(await health()).toEqual([200, 'OK'])
  expect((await save()).statusCode).toBe(201)
})

it('regression: names a store that is damaged while it is in use', async () => {
  const path = join(server.home, 'parquetry.sqlite')
  const admin = server.as('admin')
  for (let left = 20; left > 0; left--)
    await admin.post('/api/v1/css_template/', { template_name: `t${left}`, css: 'x'.repeat(50_000) })
  await sql`pragma wal_checkpoint(truncate)`.execute(server.deps.db)
  const bytes = readFileSync(path)
  bytes.fill(0xff, 4096)
  const file = openSync(path, 'r+')
  writeSync(file, bytes)
  closeSync(file)
  await sql`pragma shrink_memory`.execute(server.deps.db)
  server.app.authenticator.forget()
  const problem = expect.stringContaining('The file of the metadata store is damaged') as string
  const list = await admin.get('/api/v1/css_template/?q=(page_size:100)')
  expect([list.statusCode, list.body]).toEqual([503, problem])
  expect((await admin.get('/health')).statusCode).toBe(503)
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
