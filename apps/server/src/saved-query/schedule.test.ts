import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { testStores } from '../testing.ts'
import { startDueQueries } from './run-schedules.ts'
import { nextRun, validateExtra } from './schedule.ts'

describe('nextRun', () => {
  const daily = { schedule_interval: '0 6 * * *', timezone: 'Europe/Berlin' }
  it('follows the clock of its time zone when daylight saving time begins', () => {
    expect(nextRun(daily, new Date('2026-03-28T06:00:00Z'))?.toISOString()).toBe('2026-03-29T04:00:00.000Z')
    expect(nextRun(daily, new Date('2026-03-27T06:00:00Z'))?.toISOString()).toBe('2026-03-28T05:00:00.000Z')
  })
  it('covers the time from start to end, both inclusive', () => {
    const window = { ...daily, timezone: 'UTC', start_date: '2026-05-01T06:00:00Z', end_date: '2026-05-02T06:00:00Z' }
    expect(nextRun(window, new Date('2026-01-01Z'))?.toISOString()).toBe('2026-05-01T06:00:00.000Z')
    expect(nextRun(window, new Date('2026-05-01T06:00:00Z'))?.toISOString()).toBe('2026-05-02T06:00:00.000Z')
    expect(nextRun(window, new Date('2026-05-02T06:00:00Z'))).toBeNull()
  })
})

it('a paused schedule has no next run until it is resumed', () => {
  const schedule = { schedule_interval: '0 6 * * *', timezone: 'UTC' }
  expect(nextRun({ ...schedule, is_paused: true }, new Date('2026-05-01Z'))).toBeNull()
  expect(nextRun({ ...schedule, is_paused: false }, new Date('2026-05-01Z'))?.toISOString()).toBe(
    '2026-05-01T06:00:00.000Z',
  )
  const extra = (is_paused: unknown) => JSON.stringify({ schedule_info: { ...schedule, is_paused } })
  expect(validateExtra(extra(true))).toBeUndefined()
  expect(validateExtra(extra('yes'))).toBeDefined()
})

describe.each(testStores)('scheduled queries on %s', (_name, store) => {
  let lab: TestLab
  let clock = new Date('2026-05-01T05:59:00Z')
  beforeAll(async () => {
    lab = await startTestLab({ store })
  }, 30_000)
  afterAll(() => lab.close())

  const start = () => {
    const { db, jobs, settings, log } = lab.server.deps
    return startDueQueries({ db, jobs, settings, log, now: () => clock })
  }
  const save = async (sql: string, more: object = {}): Promise<number> => {
    const schedule_info = { schedule_interval: '0 6 * * *', start_date: '2026-05-01T00:00:00Z', ...more }
    const body = { label: 'scheduled', sql, db_id: lab.files, extra_json: JSON.stringify({ schedule_info }) }
    const { id } = (await lab.server.as('admin').post('/api/v1/saved_query/', body)).json<{ id: number }>()
    // as if saved before it was due
    const next_at = '2026-05-01T06:00:00.000'
    await lab.server.deps.db.updateTable('query_schedule').set({ next_at }).where('saved_query_id', '=', id).execute()
    return id
  }
  const rowOf = (id: number) =>
    lab.server.deps.db
      .selectFrom('query_schedule')
      .selectAll()
      .where('saved_query_id', '=', id)
      .executeTakeFirstOrThrow()
  const waitForEnd = async (id: number) => {
    const end = performance.now() + 15_000
    for (;;) {
      const row = await rowOf(id)
      if (row.last_status !== null && row.last_status !== 'running') return row
      if (performance.now() > end) throw new Error(`still ${row.last_status}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const remove = (id: number) => lab.server.as('admin').delete(`/api/v1/saved_query/${id}`)

  it('SQL-011: runs a query when it is due, not before, as its owner, and adds it to the owner’s history', async () => {
    const id = await save('SELECT id FROM cars')
    clock = new Date('2026-05-01T05:59:59Z')
    await start()
    expect((await rowOf(id)).last_status).toBeNull()
    clock = new Date('2026-05-01T06:00:05Z')
    await start()
    const row = await waitForEnd(id)
    expect(row).toMatchObject({
      last_status: 'success',
      last_error: null,
      last_at: '2026-05-01T06:00:05.000',
      next_at: '2026-05-02T06:00:00.000',
    })
    const run = await lab.findQuery(String(row.last_client_id))
    expect(run).toMatchObject({ state: 'success', rows: 3, tab: 'scheduled', user: 'Ada Admin' })
    const response = await lab.server.as('admin').get(`/api/v1/sqllab/results/?q=(key:'${run.resultsKey}')`)
    expect(response.json<{ data: object[] }>().data).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    await remove(id)
  })

  it('catches up once on a run that was due while no server was running', async () => {
    const id = await save('SELECT 1 AS a')
    clock = new Date('2026-05-09T10:00:00Z')
    await start()
    const row = await waitForEnd(id)
    expect(row).toMatchObject({ last_status: 'success', next_at: '2026-05-10T06:00:00.000' })
    await start()
    expect((await rowOf(id)).last_client_id).toBe(row.last_client_id)
    await remove(id)
  })

  it('starts a query only once when several servers check at the same time', async () => {
    const id = await save('SELECT 2 AS a')
    clock = new Date('2026-05-01T06:00:05Z')
    await Promise.all([start(), start(), start()])
    await waitForEnd(id)
    const runs = await lab.server.deps.db.selectFrom('query').select('id').where('sql', '=', 'SELECT 2 AS a').execute()
    expect(runs).toHaveLength(1)
    await remove(id)
  })

  it('reports the engine’s message of a failed run, and still schedules the next one', async () => {
    const id = await save('SELECT nope FROM cars')
    clock = new Date('2026-05-01T06:00:05Z')
    await start()
    const row = await waitForEnd(id)
    expect(row.last_status).toBe('failed')
    expect(row.last_error).toContain('nope')
    expect(row.next_at).toBe('2026-05-02T06:00:00.000')
    await remove(id)
  })

  it('does not run a paused query, and runs it again after it is resumed', async () => {
    const id = await save('SELECT 4 AS a')
    const setPaused = (is_paused: boolean) =>
      lab.server.as('admin').put(`/api/v1/saved_query/${id}`, {
        extra_json: JSON.stringify({ schedule_info: { schedule_interval: '0 6 * * *', is_paused } }),
      })
    expect((await setPaused(true)).statusCode).toBe(200)
    clock = new Date('2026-05-01T06:00:05Z')
    await start()
    expect(await rowOf(id)).toMatchObject({ next_at: null, last_status: null })
    await setPaused(false)
    expect((await rowOf(id)).next_at).not.toBeNull()
    await remove(id)
  })

  it('skips a query that is still running, but not one that was lost with its server', async () => {
    const id = await save('SELECT 3 AS a')
    clock = new Date('2026-05-01T06:00:05Z')
    const set = (last_at: string) =>
      lab.server.deps.db
        .updateTable('query_schedule')
        .set({ last_status: 'running', last_at, next_at: '2026-05-01T06:00:00.000' })
        .where('saved_query_id', '=', id)
        .execute()
    await set('2026-05-01T05:00:00.000')
    await start()
    expect(await rowOf(id)).toMatchObject({ last_status: 'running', next_at: '2026-05-02T06:00:00.000' })
    await set('2026-04-01T05:00:00.000')
    await start()
    expect((await waitForEnd(id)).last_status).toBe('success')
    await remove(id)
  })

  it('uses the permissions that the owner has when the query runs', async () => {
    const id = await save('SELECT id FROM cars')
    const { db } = lab.server.deps
    const { id: sqllab } = await db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'sqllab')
      .executeTakeFirstOrThrow()
    await db.updateTable('saved_query').set({ user_id: sqllab }).where('id', '=', id).execute()
    clock = new Date('2026-05-01T06:00:05Z')
    await start()
    expect(await waitForEnd(id)).toMatchObject({
      last_status: 'failed',
      last_error: expect.stringMatching(/not found/i) as string,
    })
    const { id: gamma } = await db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'gamma')
      .executeTakeFirstOrThrow()
    await db.updateTable('saved_query').set({ user_id: gamma }).where('id', '=', id).execute()
    await db.updateTable('query_schedule').set({ next_at: '2026-05-01T06:00:00.000', last_status: null }).execute()
    await start()
    expect((await waitForEnd(id)).last_error).toMatch(/no longer has permission to run SQL/)
    await db.deleteFrom('saved_query').where('id', '=', id).execute()
  })

  it('does not run a schedule after its end', async () => {
    const id = await save('SELECT 4 AS a', { end_date: '2026-05-01T12:00:00Z' })
    clock = new Date('2026-05-01T06:00:05Z')
    await start()
    expect((await waitForEnd(id)).next_at).toBeNull()
    await remove(id)
  })
})
