import { createMessageReader } from '@parquetry/frame'
import { framesType, type QueryView } from '@parquetry/model'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endQueries } from '../housekeeping.ts'
import { StoreQueue } from '../jobs/store-queue.ts'
import { type ExecuteResult, newId, startTestLab, type TestLab } from './testing.ts'

/** Takes about a minute in the engine. */
const slow = 'SELECT count(*) AS n FROM range(100000000) a, range(1000000) b WHERE a.range + b.range = -1'

let lab: TestLab
beforeAll(async () => {
  lab = await startTestLab({}, { silenceMs: 4000 })
}, 60_000)
afterAll(() => lab.close())

const begin = async (sql: string, more: object = {}): Promise<string> => {
  const client_id = newId()
  const response = await lab.run(sql, { client_id, runAsync: true, sql_editor_id: '7', ...more })
  expect([response.statusCode, response.json<{ query: QueryView }>().query]).toMatchObject([
    202,
    { id: client_id, state: 'pending', progress: 0 },
  ])
  return client_id
}
const results = (key: string | null, more = '') =>
  lab.server.as('admin').get(`/api/v1/sqllab/results/?q=(key:'${key}'${more})`)
const stop = (client_id: string) => lab.server.as('admin').post('/api/v1/query/stop', { client_id })

describe('a background run', () => {
  it('SQL-054, SQL-056, SQL-061: is pending at first, and its rows are fetched by key', async () => {
    const id = await begin('SELECT * FROM cars ORDER BY id', { tab: 'T', queryLimit: 2 })
    const query = await lab.until(id, 'success')
    expect(query).toMatchObject({
      progress: 100,
      rows: 2,
      limit: 2,
      limitingFactor: 'DROPDOWN',
      tab: 'T',
      extra: { progress: null, columns: [{ name: 'id' }, { name: 'name' }] },
    })
    const answer = (await results(query.resultsKey)).json<ExecuteResult>()
    expect(answer.data).toEqual([
      { id: 1, name: 'ä' },
      { id: 2, name: 'b' },
    ])
    expect(answer.query).toEqual(query)
    const first = (await results(query.resultsKey, ',rows:1')).json<ExecuteResult>()
    expect([first.data, first.displayLimitReached]).toEqual([[{ id: 1, name: 'ä' }], true])
  })

  const diskFull = "The server's disk is full. Nothing was saved."

  it('regression: reports a full disk, not an unexpected error, when its end cannot be stored', async () => {
    const { db, results: kept } = lab.server.deps
    const pages = (most: number) => sql.raw(`pragma max_page_count = ${most}`).execute(db)
    const save = kept.save.bind(kept)
    vi.spyOn(kept, 'save').mockImplementationOnce(async (...result) => {
      await save(...result)
      await pages(1) // SQLite reports this like a full disk
    })
    try {
      const id = await begin(`SELECT '${'x'.repeat(90_000)}' AS x`)
      expect(await lab.until(id, 'failed')).toMatchObject({
        errorMessage: diskFull,
        resultsKey: null,
        extra: { errors: [{ message: diskFull }] },
      })
    } finally {
      await pages(1_000_000)
    }
  })

  it('regression: fails when its result does not fit on the disk, instead of succeeding without rows', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    vi.spyOn(lab.server.deps.results, 'save').mockRejectedValueOnce(full)
    expect(await lab.until(await begin('SELECT * FROM cars'), 'failed')).toMatchObject({ errorMessage: diskFull })
  })

  it('regression: returns limit and limiting factor when it is accepted, as far as they are known', async () => {
    const runWithLimit = async (sql: string, queryLimit: number) => {
      const client_id = newId()
      const response = await lab.run(sql, { client_id, runAsync: true, queryLimit })
      const { limit, limitingFactor } = response.json<{ query: QueryView }>().query
      await lab.until(client_id, sql.includes('nope') ? 'failed' : 'success')
      return [limit, limitingFactor]
    }
    expect(await runWithLimit('SELECT * FROM cars', 2)).toEqual([2, 'DROPDOWN'])
    expect(await runWithLimit('SELECT * FROM cars LIMIT 1', 2)).toEqual([1, 'QUERY'])
    expect(await runWithLimit('SELECT * FROM cars LIMIT 2', 2)).toEqual([2, 'QUERY_AND_DROPDOWN'])
    expect(await runWithLimit('SELECT nope FROM', 2)).toEqual([2, 'DROPDOWN'])
  })

  it('regression: is not limited when the result has exactly as many rows as the limit', async () => {
    const query = await lab.until(await begin('SELECT * FROM cars', { queryLimit: 3 }), 'success')
    expect(query).toMatchObject({ rows: 3, limit: 3, limitingFactor: 'NOT_LIMITED' })
    const response = await lab.run('SELECT * FROM cars', { queryLimit: 3 })
    expect(response.json<ExecuteResult>().query).toMatchObject({ rows: 3, limit: 3, limitingFactor: 'NOT_LIMITED' })
  })

  it('SQL-058: stores frames for our own client', async () => {
    const query = await lab.until(await begin('SELECT 1 AS a'), 'success')
    const response = await lab.server
      .as('admin')
      .send('GET', `/api/v1/sqllab/results/?q=(key:'${query.resultsKey}')`, { headers: { accept: framesType } })
    const messages = [...createMessageReader().push(response.rawPayload)]
    expect(messages.map(({ head, frame }) => [head.type, frame?.rows])).toEqual([
      ['answer', undefined],
      ['frame', 1],
      ['end', undefined],
    ])
  })

  it('returns a result without rows as an empty list with its columns', async () => {
    const query = await lab.until(await begin('SELECT * FROM cars WHERE id > 9'), 'success')
    expect((await results(query.resultsKey)).json()).toMatchObject({
      data: [],
      columns: [{ name: 'id' }, { name: 'name' }],
    })
  })

  it('SQL-059: records an error with its position', async () => {
    const query = await lab.until(await begin('SELECT 1; SELECT nope'), 'failed')
    expect(query.errorMessage).toMatch(/^\[Statement 2 out of 2\] .*nope/)
    expect(query.extra).toMatchObject({
      errors: [
        {
          error_type: 'COLUMN_DOES_NOT_EXIST_ERROR',
          extra: { engine_name: 'DuckDB', offset: 17, issue_codes: [{}, {}] },
        },
      ],
    })
  })

  it('API-004, SQL-060, SQL-086: is stopped when the stop request returns, and then frees the engine', async () => {
    const id = await begin(slow)
    await lab.until(id, 'running')
    expect((await stop(id)).json()).toEqual({ result: 'OK' })
    expect(await lab.findQuery(id)).toMatchObject({ state: 'stopped', errorMessage: 'Query was stopped.' })
    while (lab.runners.stats().running > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect((await stop(id)).json()).toEqual({ result: 'OK' })
    expect((await lab.findQuery(id)).state).toBe('stopped')
  })

  it('can be stopped while it waits', async () => {
    const client_id = newId()
    const started = lab.run(slow, { client_id, runAsync: true })
    await started
    await stop(client_id)
    expect((await lab.findQuery(client_id)).state).toBe('stopped')
    await expect(lab.until(client_id, 'stopped')).resolves.toMatchObject({ rows: null })
  })

  it('continues after its caller has left, and reports its progress', async () => {
    const id = await begin(`SELECT 1; ${slow}`)
    await lab.until(id, 'running')
    // The first statement may be reported before.
    await expect
      .poll(() => lab.findQuery(id), { timeout: 25_000 })
      .toMatchObject({ progress: 50, extra: { progress: 'Running statement 2 out of 2' } })
    await stop(id)
  })

  it('fails with a reason when its runner is killed', async () => {
    const id = await begin(slow)
    await lab.until(id, 'running')
    // A runner that is still starting is replaced, and the query runs in the next one.
    const pids = new Set<number>()
    const killRunnersAndReadStatus = async () => {
      for (const { kind, pid } of lab.runners.stats().runners)
        if (kind === 'embedded') {
          process.kill(pid, 'SIGKILL')
          pids.add(pid)
        }
      return (await lab.findQuery(id)).state
    }
    await expect.poll(killRunnersAndReadStatus, { timeout: 20_000, interval: 100 }).toBe('failed')
    // The next query must not meet a runner whose end has not been noticed.
    await expect.poll(() => lab.runners.stats().runners.some(({ pid }) => pids.has(pid))).toBe(false)
    const query = await lab.findQuery(id)
    expect(query.errorMessage).toContain('process that was running this query ended')
  })

  it('fails with a reason when its runner hangs', async () => {
    const id = await begin(slow)
    await lab.until(id, 'running')
    while (lab.runners.stats().running === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    for (const { kind, pid } of lab.runners.stats().runners) if (kind === 'embedded') process.kill(pid, 'SIGSTOP')
    expect((await lab.until(id, 'failed')).errorMessage).toContain('is not responding')
    while (lab.runners.stats().running > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  })

  it('fails with a reason when the server crashed and starts again', async () => {
    const id = await begin(slow)
    await lab.until(id, 'running')
    const { deps } = lab.server
    // The same as the next start.
    const next = new StoreQueue(deps)
    await endQueries(deps, 'failed', 'The server ended while this query was running.')
    await next.recover()
    expect(await lab.findQuery(id)).toMatchObject({
      state: 'failed',
      errorMessage: 'The server ended while this query was running.',
    })
    expect(
      await deps.db.selectFrom('job').select('uuid').where('state', 'in', ['pending', 'running']).execute(),
    ).toEqual([])
    await stop(id)
    while (lab.runners.stats().running > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  })

  it('continues when another server of the same store starts', async () => {
    const id = await begin(slow)
    await lab.until(id, 'running')
    const { deps } = lab.server
    const other = { ...deps, server: 'another' }
    await endQueries(other, 'failed', 'The server ended while this query was running.')
    await new StoreQueue(other).recover()
    expect(await lab.findQuery(id)).toMatchObject({ state: 'running' })
    await stop(id)
    while (lab.runners.stats().running > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  })

  it('is visible only to its user', async () => {
    const query = await lab.until(await begin('SELECT 1 AS a'), 'success')
    const response = await lab.server.as('sqllab').get(`/api/v1/sqllab/results/?q=(key:'${query.resultsKey}')`)
    expect(response.statusCode).toBe(410)
    expect((await lab.server.as('sqllab').post('/api/v1/query/stop', { client_id: query.id })).statusCode).toBe(404)
  })
})

describe('a repeated client id', () => {
  it('returns the running query instead of running it again', async () => {
    const id = await begin(slow)
    const again = await lab.run(slow, { client_id: id, runAsync: true, sql_editor_id: '7' })
    expect([again.statusCode, again.json()]).toMatchObject([200, { query: { id } }])
    const other = await lab.run('SELECT 1', { client_id: id, sql_editor_id: '8' })
    expect(other.statusCode).toBe(409)
    await stop(id)
    expect((await lab.run('SELECT 1', { client_id: id, sql_editor_id: '7' })).statusCode).toBe(409)
  })

  it('runs once when sent concurrently', async () => {
    const client_id = newId()
    const answers = await Promise.all(
      // A query that has ended by then would be a conflict.
      Array.from({ length: 8 }, () => lab.run(slow, { client_id, sql_editor_id: '7', runAsync: true })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 202).length).toBe(1)
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(7)
    await stop(client_id)
  })
})
