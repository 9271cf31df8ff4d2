import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { gather } from './gather.ts'
import { code, networkSource, neverAborted, startTestRunners, type TestRunners, until } from './testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners({ memoryLimitMb: 128 })
})
afterAll(() => test.close())

/** Takes minutes, longer than a test may run. */
const slow = 'SELECT count(*) AS n FROM numbers a, numbers b WHERE a.i + b.i = 7'
const csv = { as: 'csv', escape: false, separator: ',', header: true } as const

/** A single value that takes minutes, during which DuckDB does not check for interrupts. */
const stubborn = `SELECT levenshtein(repeat('x', 300000), repeat('y', 300000)) AS n`

describe('a query', () => {
  it('ends at its time limit without ending the runner', async () => {
    await test.ask('SELECT 1 AS n')
    const pids = test.pids('embedded')
    // With the timers of this process faked, only the runner can end the query.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true })
    try {
      expect(await test.ask(slow, { limits: { timeoutMs: 300 } }).catch(code)).toBe('query_timeout')
    } finally {
      vi.useRealTimers()
    }
    expect(await test.ask('SELECT 1 AS n')).toEqual([{ n: 1 }])
    expect(test.pids('embedded')).toEqual(pids)
  })

  it('ends when it is canceled, even in the queue', async () => {
    const stop = new AbortController()
    const pending = [slow, slow, slow].map((sql) => test.runners.run(test.plan(sql), stop.signal).catch(code))
    const isBusy = () => test.runners.stats().runners.some(({ kind, busy }) => kind === 'embedded' && busy === 2)
    await until(() => isBusy() && test.runners.stats().waiting === 1)
    stop.abort()
    expect(await Promise.all(pending)).toEqual(['query_stopped', 'query_stopped', 'query_stopped'])
    expect(await test.ask('SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  it('does not start when its caller has already aborted', async () => {
    await until(() => test.runners.stats().running === 0)
    expect(await test.runners.run(test.plan(slow), AbortSignal.abort()).catch(code)).toBe('query_stopped')
    expect(await test.runners.inspect('SELECT 1', test.source, AbortSignal.abort()).catch(code)).toBe('query_stopped')
    expect(test.runners.stats().running).toBe(0)
  })

  it('returns at most the allowed rows and reports that there are more', async () => {
    const run = (sql: string, rows: number) => test.runners.run(test.plan(sql, { limits: { rows } }), neverAborted)
    const cut = await run('SELECT i FROM numbers ORDER BY i', 3)
    expect(JSON.parse(cut.body.toString())).toEqual([{ i: 0 }, { i: 1 }, { i: 2 }])
    expect(cut.header).toMatchObject({ rowcount: 3, truncated: true })
    expect((await run('SELECT a FROM words', 3)).header).toMatchObject({ rowcount: 3, truncated: false })
  })

  it('returns all rows up to its own LIMIT', async () => {
    const read = async (sql: string, rows: number) => {
      const { chunks, totals } = await test.runners.stream(test.plan(sql, { limits: { rows } }), neverAborted)
      const lines = JSON.parse(Buffer.concat(await gather(chunks)).toString()) as { i: number }[]
      return { lines, first: lines[0]?.i, ...(await totals) }
    }
    const own = await read('SELECT i FROM numbers LIMIT 150000 -- of many', 200_000)
    expect(own.lines.map(({ i }) => i)).toEqual(Array.from({ length: 150_000 }, (_, i) => i))
    expect(own).toMatchObject({ rowcount: 150_000, truncated: false })
    const whole = { rowcount: 150_000, truncated: false }
    expect(await read('SELECT i FROM numbers LIMIT 150000', 150_000)).toMatchObject(whole)
    expect(await read('SELECT i FROM numbers LIMIT 200000', 150_000)).toMatchObject({ ...whole, truncated: true })
    expect(await read('SELECT i FROM numbers LIMIT 150000 OFFSET 90000', 200_000)).toMatchObject({
      ...whole,
      first: 90_000,
    })
    expect(await read('SELECT i FROM numbers ORDER BY i DESC LIMIT 150000', 200_000)).toMatchObject({
      ...whole,
      first: 299_999,
    })
  })

  it('streams its first rows before the last ones are computed, even with a LIMIT', async () => {
    const late = 'SELECT CASE WHEN range < 5000000 THEN range ELSE CAST(range AS TINYINT) END AS i FROM range(10000000)'
    for (const sql of [late, `${late} LIMIT 9000000`]) {
      const plan = test.plan(sql, { encode: csv, limits: { rows: 10_000_000 } })
      const { chunks } = await test.runners.stream(plan, neverAborted)
      let bytes = 0
      const reading = (async () => {
        for await (const chunk of chunks) bytes += chunk.length
      })()
      expect(await reading.catch(code)).toBe('query_failed')
      expect(bytes).toBeGreaterThan(30_000_000)
    }
  })

  it('cannot exceed the limits of values, tables and responses', async () => {
    const sort = { steps: [{ operation: 'sort', options: { by: 'i' } }] }
    const runLimited = (sql: string, limits: object, own: object = {}) =>
      test.ask(sql, { limits, ...own }).then(() => 'fits', code)
    expect(await runLimited(`SELECT repeat('x', 1000) AS x`, { cellBytes: 1000 })).toBe('fits')
    expect(await runLimited(`SELECT repeat('x', 1001) AS x`, { cellBytes: 1000 })).toBe('result_too_large')
    expect(await runLimited('SELECT i FROM numbers LIMIT 10000', { cells: 10_000 }, sort)).toBe('fits')
    expect(await runLimited('SELECT i, t FROM numbers LIMIT 10000', { cells: 19_999 }, sort)).toBe('result_too_large')
    expect(await runLimited('SELECT i FROM numbers LIMIT 1000', { bytes: 20_000 })).toBe('fits')
    expect(await runLimited('SELECT i, t FROM numbers LIMIT 1000', { bytes: 20_000 })).toBe('result_too_large')
    const short = { steps: [{ operation: 'select', options: { columns: ['i'] } }] }
    const texts = `SELECT i, repeat(t, 10) AS t FROM numbers LIMIT 1000`
    expect(await runLimited(texts, { bytes: 40_000 }, short)).toBe('fits')
    expect(await runLimited(texts, { bytes: 20_000 }, short)).toBe('result_too_large')
  })

  it('cannot use more memory than its engine has, and does not affect others', async () => {
    const many = 'SELECT list(t || i) AS l FROM (SELECT a.t, b.i FROM numbers a, (SELECT i FROM numbers LIMIT 50) b)'
    const other = test.ask('SELECT sum(i) AS n FROM numbers')
    await expect(test.ask(many)).rejects.toMatchObject({
      code: 'query_failed',
      message: expect.stringMatching(/^The query needs more memory than the server allows\./),
    })
    expect(await other).toEqual([{ n: (299_999 * 300_000) / 2 }])
    expect(test.pids('embedded')).toHaveLength(1)
  })

  it('ends immediately when canceled, even if its runner must be killed, and the others continue in the next one', async () => {
    await test.ask('SELECT 1 AS n')
    const [old] = test.pids('embedded')
    const stop = new AbortController()
    const begins = Promise.withResolvers<void>()
    const pending = test.runners
      .run(test.plan(['SELECT 1', stubborn]), stop.signal, (statement) => statement === 2 && begins.resolve())
      .catch(code)
    await begins.promise
    // An earlier cancel would be obeyed. Nothing else in that process uses a second of CPU time.
    const begun = readCpuSeconds(old!)
    await until(() => readCpuSeconds(old!) > begun + 1)
    const stopBystander = new AbortController()
    const bystander = test.runners.run(test.plan(slow), stopBystander.signal).catch(code)
    const busyIn = (pid: number) => test.runners.stats().runners.find((runner) => runner.pid === pid)?.busy
    await until(() => busyIn(old!) === 2)
    stop.abort()
    expect(await pending).toBe('query_stopped')
    expect(isAlive(old!), 'the answer does not wait for the end of the runner').toBe(true)
    expect(await test.ask('SELECT 1 AS n')).toEqual([{ n: 1 }])
    await until(() => !isAlive(old!))
    expect(test.pids('embedded')).not.toContain(old)
    await until(() => test.pids('embedded').some((pid) => busyIn(pid) === 1))
    stopBystander.abort()
    expect(await bystander).toBe('query_stopped')
  })
})

describe.skipIf(!url)('a query of a network engine', () => {
  const source = () => networkSource(url!, `limits_${process.pid}`)

  async function waitForSleepers(isRight: (sleepers: number) => boolean): Promise<void> {
    const sql = `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'limits_${process.pid}' AND query LIKE 'SELECT pg_sleep%' AND state = 'active'`
    const end = performance.now() + 25_000
    while (!isRight(Number((await test.ask(sql, { source: source(), guard: 'ours' }))[0]!['n'])))
      if (performance.now() > end) expect.unreachable('it still sleeps, or not yet')
  }

  it('ends at its time limit and when it is canceled, in the engine too', async () => {
    const sleep = (timeoutMs: number, signal = neverAborted) =>
      test.runners
        .run(test.plan('SELECT pg_sleep(30)', { source: source(), guard: 'ours', limits: { timeoutMs } }), signal)
        .catch(code)
    expect(await sleep(300)).toBe('query_timeout')
    const stop = new AbortController()
    const pending = sleep(20_000, stop.signal)
    await waitForSleepers((sleepers) => sleepers > 0)
    stop.abort()
    expect(await pending).toBe('query_stopped')
    await waitForSleepers((sleepers) => sleepers === 0)
  })

  it('cannot exceed the response limit, and does not affect others', async () => {
    const wide = `SELECT repeat('x', 1000000) AS x FROM generate_series(1, 2000)`
    const other = test.ask('SELECT 1 AS n', { source: source() })
    expect(await test.ask(wide, { source: source() }).catch(code)).toBe('result_too_large')
    expect(await other).toEqual([{ n: 1 }])
    const pids = test.pids('network')
    expect(await test.ask('SELECT 2 AS n', { source: source() })).toEqual([{ n: 2 }])
    expect(test.pids('network')).toEqual(pids)
  })
})

it('regression: running and queued queries end with `restarting` when the server stops, and the spill folder is deleted', async () => {
  await until(() => readdirSync(test.spillFolder).length === test.runners.stats().runners.length)
  const pending = Array.from({ length: 4 }, () => test.ask(slow).catch(code))
  await until(() => test.runners.stats().waiting > 0)
  await test.runners.close(0)
  expect(new Set(await Promise.all(pending))).toEqual(new Set(['restarting']))
  expect(existsSync(test.spillFolder)).toBe(false)
})

it('regression: queries whose process is still starting end with `restarting` when the server stops', async () => {
  const fresh = await startTestRunners()
  const pending = fresh.ask('SELECT 1 AS n').catch(code)
  await until(() => fresh.pids('embedded').length > 0)
  await fresh.close()
  expect(await pending).toBe('restarting')
})

/** CPU time of a process in seconds. */
const readCpuSeconds = (pid: number): number =>
  Number(spawnSync('ps', ['-o', 'cputimes=', '-p', String(pid)], { encoding: 'utf8' }).stdout)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
