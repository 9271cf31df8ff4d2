import { readdirSync } from 'node:fs'
import type { Source } from '@parquetry/model'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { code, networkSource, neverAborted, startTestRunners, type TestRunners, until } from './testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners()
})
afterAll(() => test.close())

const slow = 'SELECT count(*) AS n FROM numbers a, numbers b WHERE a.i + b.i = 7'

function kill(kind: string): void {
  const pids = test.pids(kind)
  expect(pids.length).toBeGreaterThan(0)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

const findPid = (id: string) => test.runners.stats().runners.find((runner) => runner.id === id)?.pid

/** Runs a query, which would time out if it were sent to the dead runner. */
async function answersAgain(): Promise<void> {
  expect(await test.ask('SELECT count(*) AS n FROM words')).toEqual([{ n: 3 }])
}

describe('killing a runner', () => {
  it('while it starts fails the waiting query, and the next one succeeds', async () => {
    const pending = test.ask('SELECT 1 AS n').catch(code)
    await until(() => findPid('test') !== undefined)
    kill('embedded')
    expect(await pending).toBe('runner_lost')
    await answersAgain()
  })

  it('while queries run ends them with a clear error and does not affect other runners', async () => {
    await test.ask('SELECT 1 AS n')
    const other: Source = { ...test.source, id: 'other' }
    const elsewhere = test.ask('SELECT sum(i) AS n FROM numbers', { source: other })
    const pending = [slow, slow, slow].map((sql) => test.ask(sql).catch((error: Error) => error))
    await until(() => test.runners.stats().runners.some(({ id, busy }) => id === 'test' && busy === 2))
    process.kill(findPid('test')!, 'SIGKILL')
    for (const error of await Promise.all(pending.slice(0, 2)))
      expect(error).toMatchObject({
        code: 'runner_lost',
        message: 'The process that was running this query ended unexpectedly. Run the query again.',
      })
    expect(await elsewhere).toEqual([{ n: (299_999 * 300_000) / 2 }])
    // The third query was queued, so it runs on the new runner.
    await until(() => test.runners.stats().runners.some(({ id, busy }) => id === 'test' && busy === 1))
    await answersAgain()
    kill('embedded')
    expect(await pending[2]).toMatchObject({ code: 'runner_lost' })
  })

  it('between the statements of a run fails the run', async () => {
    const seen: [number, number][] = []
    const pending = test.runners.run(test.plan(['SELECT 1', slow, 'SELECT 2']), neverAborted, (statement, of) => {
      seen.push([statement, of])
      if (statement === 2) kill('embedded')
    })
    expect(await pending.catch(code)).toBe('runner_lost')
    expect(seen).toEqual([
      [1, 3],
      [2, 3],
    ])
    await answersAgain()
  })

  it('after the header, while rows arrive, fails the stream', async () => {
    const plan = test.plan('SELECT i, t, t AS again FROM numbers', {
      encode: { as: 'csv', escape: true, separator: ',', header: true },
      limits: { rows: 1_000_000 },
    })
    const { header, chunks, totals } = await test.runners.stream(plan, neverAborted)
    expect(header.columns.map(({ name }) => name)).toEqual(['i', 't', 'again'])
    let bytes = 0
    const reading = async () => {
      for await (const chunk of chunks) {
        if (bytes === 0) kill('embedded')
        bytes += chunk.length
      }
    }
    const [read, counted] = await Promise.all([reading().catch(code), totals.catch(code)])
    expect([read, counted]).toEqual(['runner_lost', 'runner_lost'])
    expect(bytes).toBeGreaterThan(0)
    await answersAgain()
  })

  it('while idle goes unnoticed', async () => {
    kill('embedded')
    await until(() => test.pids('embedded').length === 0)
    await answersAgain()
  })

  it('during a describe or a table change does not break later queries', async () => {
    const sql = `SELECT ${Array.from({ length: 2000 }, (_, i) => `i + ${i}`).join(', ')} FROM numbers`
    const describing = test.runners.describe(test.source, { what: 'columns', sql }, neverAborted).catch(code)
    kill('embedded')
    expect(await describing).toBe('runner_lost')
    await answersAgain()

    const changing = test.runners.tablesChanged({ ...test.source, tables: test.source.tables.slice(1) })
    kill('embedded')
    await changing
    expect(await test.ask('SHOW TABLES')).toEqual([{ name: 'words' }])
    await test.runners.tablesChanged(test.source)
    expect(await test.ask('SHOW TABLES')).toEqual([{ name: 'numbers' }, { name: 'words' }])
  })

  it('while it parses SQL of a network engine fails only that request', async () => {
    const network: Source = { kind: 'network', engine: 'postgresql', id: 'n', settings: {}, schema: null }
    const inspecting = test.runners.inspect('SELECT 1 AS first', network, neverAborted).catch(code)
    await until(() => test.pids('parser').length === 1)
    kill('parser')
    expect(await inspecting).toBe('runner_lost')
    expect((await test.runners.inspect('SELECT 1 AS first', network, neverAborted)).statements).toHaveLength(1)
  })

  it('regression: after it parsed SQL gives its successor the full time to load the parser', async () => {
    const network: Source = { kind: 'network', engine: 'postgresql', id: 'n', settings: {}, schema: null }
    expect((await test.runners.inspect('SELECT 1 AS warm', network, neverAborted)).statements).toHaveLength(1)
    const [old] = test.pids('parser')
    kill('parser')
    await until(() => !test.pids('parser').includes(old!))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true })
    try {
      const inspecting = test.runners.inspect('SELECT 2 AS cold', network, neverAborted)
      // The event loop sees the state before the response can arrive.
      const isAsked = () => test.runners.stats().runners.some(({ kind, busy }) => kind === 'parser' && busy === 1)
      while (!isAsked()) await new Promise((resolve) => setImmediate(resolve))
      const young = test.pids('parser')
      // A loaded parser would be given up after three seconds and replaced.
      vi.advanceTimersByTime(4000)
      expect((await inspecting).error).toBe(null)
      expect(test.pids('parser')).toEqual(young)
    } finally {
      vi.useRealTimers()
    }
  })

  it('while it writes a table keeps the old file, and the next load leaves no leftovers', async () => {
    const before = readdirSync(test.folder).toSorted()
    const table = { ...test.source.tables[1]!, file: 'words.2.duckdb', version: 2 }
    const load = (select: string) =>
      test.runners.load(
        test.folder,
        table,
        { path: `${test.folder}/../secret.csv`, format: 'csv', select },
        neverAborted,
      )
    const loading = load('SELECT * FROM range(400000000) ORDER BY hash(range)').catch(code)
    await until(() => readdirSync(test.folder).some((file) => file.endsWith('.tmp')))
    kill('load')
    expect(await loading).toBe('runner_lost')
    expect(readdirSync(test.folder)).not.toContain('words.2.duckdb')
    await answersAgain()
    expect(await load(`SELECT 'x' AS a, 'y' AS b`)).toEqual({ rows: 1 })
    expect(readdirSync(test.folder).toSorted()).toEqual([...before, 'words.2.duckdb'].toSorted())
  })

  it('while it draws fails the drawing', async () => {
    const text = { id: 'TEXT', type: 'MARKDOWN', children: [], parents: [], meta: { code: 'word '.repeat(2_000_000) } }
    const root = { id: 'ROOT_ID', type: 'ROOT', children: ['TEXT'], parents: [], meta: {} }
    const page = { nodes: { ROOT_ID: root, TEXT: text }, tabs: null, filters: [], images: {} }
    const drawRequest = {
      format: 'svg',
      theme: 'light',
      locale: 'en',
      messages: {},
      timeZone: 'UTC',
      title: 'T',
    } as const
    const drawing = test.runners
      .draw(
        { ...drawRequest, at: 0, charts: [], fonts: null, metadata: {}, isAnalogous: false, themeVariables: {}, page },
        Buffer.of(),
        neverAborted,
        'somebody',
      )
      .catch(code)
    await until(() => test.runners.stats().runners.some(({ kind, busy }) => kind === 'draw' && busy === 1))
    kill('draw')
    expect(await drawing).toBe('runner_lost')
  })

  it.skipIf(!url)('among those of network engines fails only the queries in it', async () => {
    const source = networkSource(url!, 'kill')
    const key = process.pid
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query(`SELECT pg_advisory_lock(${key})`)
    const wait = `SELECT count(*) AS n FROM pg_advisory_xact_lock_shared(${key})`
    const pending = [1, 2].map(() => test.ask(wait, { source, guard: 'ours' }).catch(code))
    await until(() => test.runners.stats().runners.filter(({ kind, busy }) => kind === 'network' && busy).length === 2)
    process.kill(test.pids('network')[0]!, 'SIGKILL')
    expect(await Promise.race(pending)).toBe('runner_lost')
    await holder.end()
    const answers = await Promise.all(pending)
    expect(answers).toHaveLength(2)
    expect(answers).toContainEqual([{ n: 1 }])
    expect(answers).toContain('runner_lost')
    expect(await test.ask('SELECT 1 AS n', { source, guard: 'ours' })).toEqual([{ n: 1 }])
  })
})
