import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { concat, createMessageReader, toRows } from '@parquetry/frame'
import { type ExecuteMetadata, framesType, readExecuteRequest } from '@parquetry/model'
import type { Response } from 'light-my-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executeFrames } from './execute.ts'
import { beginRun, loadRunPrincipal } from './run.ts'
import { RunningQueries } from './running.ts'
import { type ExecuteResult, newId, startTestLab, type TestLab } from './testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']

const slow = 'SELECT count(*) AS n FROM range(100000000) a, range(1000000) b WHERE a.range + b.range = -1'

const neverAborted = new AbortController().signal

let lab: TestLab
beforeAll(async () => {
  lab = await startTestLab()
}, 60_000)
afterAll(() => lab.close())

const settings = () => lab.server.deps.settings
const readError = (response: Response): { status: number; type: string; message: string } => {
  const [error] = response.json<{ errors: { error_type: string; message: string }[] }>().errors
  return { status: response.statusCode, type: error!.error_type, message: error!.message }
}

describe('a run', () => {
  it('SQL-055, SQL-056: is stored as running with progress 0 from its first moment to its end', async () => {
    const client_id = newId()
    const pending = lab.run(slow, { client_id })
    const seen: unknown[] = []
    while (lab.runners.stats().running === 0) {
      const { state, progress } = await lab.findQuery(client_id).catch(() => ({ state: 'not there', progress: 0 }))
      seen.push([state, progress])
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const { state, progress } = await lab.findQuery(client_id)
    expect([state, progress]).toEqual(['running', 0])
    for (const each of seen)
      expect([
        ['not there', 0],
        ['running', 0],
      ]).toContainEqual(each)
    await lab.server.as('admin').post('/api/v1/query/stop', { client_id })
    expect((await pending).statusCode).not.toBe(200)
  })

  it('is recorded completely when it has ended', async () => {
    const client_id = newId()
    const response = await lab.run('SELECT * FROM cars ORDER BY 1', { client_id, tab: 'T', sql_editor_id: '3' })
    const { query, columns } = response.json<ExecuteResult>()
    expect(query).toMatchObject({
      id: client_id,
      state: 'success',
      progress: 100,
      rows: 3,
      tab: 'T',
      sqlEditorId: '3',
      limitingFactor: 'NOT_LIMITED',
      extra: { progress: null, cancel_query: client_id, columns },
    })
    expect(await lab.findQuery(client_id)).toEqual(query)
  })

  it('regression: a time of day is temporal, although its values are strings', async () => {
    const { columns } = (
      await lab.run(`SELECT TIME '12:00:00' AS t, 'TIME' AS w, TIMESTAMP '2024-01-01' AS at`)
    ).json<ExecuteResult>()
    expect(columns.map(({ name, is_dttm }) => [name, is_dttm])).toEqual([
      ['t', true],
      ['w', false],
      ['at', true],
    ])
  })

  it('returns the last of several statements and reports which one failed', async () => {
    expect((await lab.run('SELECT 1 AS a; SELECT 2 AS b;')).json()).toMatchObject({ data: [{ b: 2 }] })
    const { message } = readError(await lab.run('SELECT 1; SELECT nope; SELECT 3'))
    expect(message).toMatch(/^\[Statement 2 out of 3\] /)
    expect(readError(await lab.run('SELECT nope')).message).not.toContain('Statement')
  })

  it('shows at most DISPLAY_MAX_ROW rows and stores all', async () => {
    settings().config.DISPLAY_MAX_ROW = 2
    const answer = (await lab.run('SELECT * FROM cars ORDER BY 1')).json<ExecuteResult>()
    const kept = await lab.server.as('admin').get(`/api/v1/sqllab/results/?q=(key:'${answer.query.resultsKey}')`)
    const all = await lab.server.as('admin').get(`/api/v1/sqllab/results/?q=(key:'${answer.query.resultsKey}',rows:3)`)
    settings().config.DISPLAY_MAX_ROW = 10_000
    expect([answer.data.length, answer.displayLimitReached, answer.query.rows]).toEqual([2, true, 3])
    expect(kept.json()).toMatchObject({ data: [{ id: 1 }, { id: 2 }], displayLimitReached: true })
    expect(all.json<ExecuteResult>()).not.toHaveProperty('displayLimitReached')
    expect(all.json<ExecuteResult>().data.length).toBe(3)
  })

  it('writes rows and time of the run to saved queries with the same SQL', async () => {
    const body = { db_id: lab.files, label: 'mine', sql: 'SELECT * FROM cars LIMIT 2' }
    const { id } = (await lab.server.as('admin').post('/api/v1/saved_query/', body)).json<{ id: number }>()
    await lab.run('SELECT * FROM cars LIMIT 2')
    const saved = await lab.server.deps.db
      .selectFrom('saved_query')
      .select(['rows', 'last_run'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(saved).toEqual({ rows: 2, last_run: expect.stringMatching(/^\d{4}-/) as string })
  })

  it('ends as timed out at its time limit', async () => {
    settings().config.SQLLAB_TIMEOUT = 0.3
    const client_id = newId()
    const response = await lab.run(slow, { client_id })
    settings().config.SQLLAB_TIMEOUT = 30
    expect(readError(response)).toMatchObject({ status: 408, type: 'SQLLAB_TIMEOUT_ERROR' })
    expect((await lab.findQuery(client_id)).state).toBe('timed_out')
  })

  it('is rejected when its result exceeds the byte limit', async () => {
    settings().config.SQLLAB_PAYLOAD_MAX_MB = 1
    const response = await lab.run(`SELECT repeat('x', 100000) AS t FROM range(60)`)
    settings().config.SQLLAB_PAYLOAD_MAX_MB = null
    expect(readError(response)).toMatchObject({
      type: 'RESULT_TOO_LARGE_ERROR',
      message: 'The result is larger than 1 MB. Request fewer rows or columns.',
    })
  })

  it.each([
    ['100 statements', Array.from({ length: 100 }, (_, index) => `SELECT ${index} AS n`).join(';'), 200],
    ['a megabyte of text', `SELECT '${'x'.repeat(1 << 19)}'`, 400],
    ['NUL', 'SELECT \u0000 1', 400],
    ['comments alone', '-- nothing\n/* here */', 400],
    ['nothing', '', 400],
    ['an open quote', `SELECT 'x`, 400],
  ])('accepts or rejects %s', async (_, sql, status) => {
    const response = await lab.run(sql)
    expect([response.statusCode, response.body.slice(0, 300)]).toEqual([
      status,
      expect.stringMatching(/^\{"(errors|query_id|message)"/),
    ])
  })

  it('API-001: accepts what clients send, including the address of the page and numbers as strings', async () => {
    const client_id = newId()
    const response = await lab.server.as('admin', 'session').post('/api/v1/sqllab/execute/?tab=1', {
      client_id,
      database_id: String(lab.files),
      json: true,
      runAsync: false,
      schema: 'main',
      sql: 'SELECT 1 AS a',
      sql_editor_id: '1',
      tab: 'T',
      tmp_table_name: '',
      select_as_cta: false,
      ctas_method: 'TABLE',
      templateParams: null,
      queryLimit: 10,
      expand_data: true,
    })
    const query = {
      id: client_id,
      dbId: lab.files,
      schema: 'main',
      sql: 'SELECT 1 AS a',
      sqlEditorId: '1',
      tab: 'T',
      ctas: false,
      tempTable: null,
      limit: 10,
    }
    expect(response.json(), response.body).toMatchObject({ status: 'success', data: [{ a: 1 }], query })
    expect(await lab.findQuery(client_id)).toMatchObject(query)
  })
})

describe('frames of a run', () => {
  const runAsFrames = async (sql: string, more: object = {}) => {
    const response = await lab.server.as('admin').send('POST', '/api/v1/sqllab/execute/', {
      payload: { database_id: lab.files, sql, ...more },
      headers: { accept: framesType },
    })
    if (response.statusCode !== 200) throw new Error(response.body)
    return { answer: response, messages: [...createMessageReader().push(response.rawPayload)] }
  }

  it('arrive with a single response when they are few', async () => {
    const { messages } = await runAsFrames('SELECT * FROM cars')
    expect(messages.map(({ head }) => head.type)).toEqual(['answer', 'frame', 'end'])
    expect(messages[0]!.head['answer']).toMatchObject({ query: { state: 'success', rows: 3 } })
  })

  it('are streamed when they are many, and the last response reports the outcome', async () => {
    const { messages } = await runAsFrames(`SELECT range AS n, 'text ' || range AS t FROM range(40000)`, {
      queryLimit: 40_000,
    })
    const heads = messages.map(({ head }) => head.type)
    expect([heads[0], heads.at(-1)]).toEqual(['answer', 'answer'])
    const frames = messages.flatMap(({ frame }) => (frame ? [frame] : []))
    expect(frames[0]!.rows).toBe(2048)
    const rows = toRows(concat(frames))
    expect([rows.length, rows.at(-1)]).toEqual([40_000, { n: 39_999, t: 'text 39999' }])
    const [first, last] = [messages[0]!, messages.at(-1)!].map(({ head }) => head['answer'] as ExecuteMetadata)
    expect(first).toMatchObject({ columns: [{ name: 'n' }, { name: 't' }], query: { state: 'running' } })
    expect(last).toMatchObject({ query: { state: 'success', rows: 40_000, limitingFactor: 'NOT_LIMITED' } })
    const kept = await lab.server
      .as('admin')
      .send('GET', `/api/v1/sqllab/results/?q=(key:'${last!.query.resultsKey}')`, {
        headers: { accept: framesType },
      })
    expect([...createMessageReader().push(kept.rawPayload)][0]!.head['answer']).toEqual(last)
  })

  it.skipIf(!url)('end with an error message when the run fails after its first rows', async () => {
    const database_id = await lab.connect({ database_name: 'pg', sqlalchemy_uri: url })
    const client_id = newId()
    const sql = `SELECT n, repeat(md5(n::text), 3) AS t, 1 / (9000 - n) AS e FROM generate_series(1, 20000) n`
    const { messages } = await runAsFrames(sql, { queryLimit: 20_000, database_id, client_id })
    expect(messages.map(({ head }) => head.type).slice(0, 2)).toEqual(['answer', 'frame'])
    expect(messages.at(-1)!.head).toMatchObject({
      type: 'error',
      errors: [
        { error_type: 'GENERIC_DB_ENGINE_ERROR', message: expect.stringContaining('division by zero') as string },
      ],
    })
    expect(await lab.findQuery(client_id)).toMatchObject({ state: 'failed', rows: null, resultsKey: null })
  })

  it.each(['identity', 'zstd', 'br', 'gzip'])('are no longer read when their reader leaves (%s)', async (encoding) => {
    const { http } = lab.server.app
    if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = http.server.address() as AddressInfo
    const login = await lab.server
      .as('nobody')
      .post('/api/v1/security/login', { username: 'admin', password: 'admin', provider: 'db' })
    const client_id = newId()
    const leaving = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/sqllab/execute/',
      headers: {
        authorization: `Bearer ${login.json<{ access_token: string }>().access_token}`,
        'content-type': 'application/json',
        accept: framesType,
        'accept-encoding': encoding,
      },
    })
    leaving.on('error', () => {})
    leaving.end(
      JSON.stringify({
        database_id: lab.files,
        client_id,
        queryLimit: 100_000,
        sql: `SELECT range AS n, repeat(md5(range::VARCHAR), 15) AS t FROM range(100000)`,
      }),
    )
    const [answer] = (await once(leaving, 'response')) as [NodeJS.ReadableStream & { destroy(): void }]
    await once(answer, 'data')
    answer.destroy()
    expect((await lab.until(client_id, 'stopped')).errorMessage).toBe('Query was stopped.')
    while (lab.runners.stats().running > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  })
})

it('regression: ends a run whose reader leaves before the first piece of a long response', async () => {
  const { deps } = lab.server
  const client_id = newId()
  const sql = 'SELECT * FROM range(50000)'
  const request = readExecuteRequest({ database_id: lab.files, sql, client_id, queryLimit: 50_000 })
  const { id } = await deps.db.selectFrom('user').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow()
  const begun = await beginRun(request, deps, new RunningQueries(), await loadRunPrincipal(deps, id), neverAborted)
  if (!('run' in begun)) return expect.unreachable()
  const pieces = await executeFrames(begun.run)
  if (Buffer.isBuffer(pieces)) return expect.unreachable('the answer is too short')
  await pieces.return(null)
  expect((await lab.findQuery(client_id)).state).toBe('stopped')
})
