import { defaultLimits, type SharedScanPlan, type Source } from '@parquetry/model'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { gather } from './gather.ts'
import type { SharedScanResult } from './runners.ts'
import { code, networkSource, neverAborted, startTestRunners, type TestRunners, until } from './testing.ts'

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners()
})
afterAll(() => test.close())

const rollupText = 'SELECT i % 3 AS k, COUNT(*) AS n, SUM(i) AS s FROM numbers GROUP BY i % 3'

const sharedPlan = (answers: string[], own: Partial<SharedScanPlan> = {}): SharedScanPlan => ({
  source: test.source,
  rollup: { name: 'rollup', text: rollupText, values: [] },
  types: {},
  table: 'parquetry_rollup',
  maxGroups: 100,
  queries: answers.map((text) => ({ plan: test.plan(text, { limits: { rows: 2 } }), inexact: [1], exact: [] })),
  limits: defaultLimits,
  ...own,
})

const ask = (plan: SharedScanPlan, signal = neverAborted): Promise<SharedScanResult[]> =>
  gather<SharedScanResult>(test.runners.runShared(plan, signal))

const summarize = (results: readonly SharedScanResult[]) =>
  results.map((answer) => ('header' in answer ? (JSON.parse(answer.body.toString()) as unknown) : answer.error.code))

it('answers each query from the rollup', async () => {
  const texts = ['SELECT SUM(n) AS n FROM parquetry_rollup', 'SELECT k FROM parquetry_rollup WHERE k < 2 ORDER BY k']
  expect(summarize(await ask(sharedPlan(texts)))).toEqual([[{ n: 300_000 }], [{ k: 0 }, { k: 1 }]])
})

it('rejects a LIMIT ordered by a floating-point value and allows one ordered by an integer', async () => {
  const cut = (value: string) => `SELECT k, ${value} AS v FROM parquetry_rollup ORDER BY v DESC LIMIT 3`
  const results = summarize(await ask(sharedPlan([cut('s * 1e0'), cut('s')])))
  expect(results).toEqual(['unsupported', [expect.objectContaining({ k: 2 }), expect.objectContaining({ k: 1 })]])
})

it('rejects results derived from floating-point sums other than by adding, and allows those of integers', async () => {
  const text = 'SELECT i % 3 AS k, COUNT(*) AS n, SUM(i) AS s, SUM(i * 1e0) AS f FROM numbers GROUP BY i % 3'
  const plan = sharedPlan([
    'SELECT SUM(n) / SUM(s) AS q FROM parquetry_rollup',
    'SELECT SUM(n) / SUM(f) AS q FROM parquetry_rollup',
  ])
  const queries = plan.queries.map((query, index) => ({ ...query, exact: [index === 0 ? 's' : 'f'] }))
  const [whole, floating] = summarize(await ask({ ...plan, rollup: { name: 'rollup', text, values: [] }, queries }))
  expect([whole, floating]).toEqual([[{ q: expect.any(Number) as number }], 'unsupported'])
})

it('leaves an answer whose post-processing is long to a run of its own, and answers the others', async () => {
  const plan = sharedPlan(['SELECT k FROM parquetry_rollup', 'SELECT SUM(n) AS n FROM parquetry_rollup'])
  const [first, ...others] = plan.queries
  const names = Array.from({ length: 90_000 }, () => 'k')
  const steps = [{ operation: 'select', options: { columns: names } }]
  const queries = [{ ...first!, plan: { ...first!.plan, steps } }, ...others]
  expect(summarize(await ask({ ...plan, queries }))).toEqual(['unsupported', [{ n: 300_000 }]])
})

it('lets answers read only the rollup, and the rollup only the views', async () => {
  for (const text of ['SELECT a FROM words', 'SELECT i FROM numbers', "SELECT * FROM read_csv('/etc/passwd')"])
    await expect(ask(sharedPlan([text])), text).rejects.toThrow()
  for (const text of ['SELECT * FROM secret', 'DROP VIEW words', 'SELECT 1; SELECT 2'])
    await expect(ask(sharedPlan([], { rollup: { name: 'rollup', text, values: [] } })), text).rejects.toThrow()
})

it('leaves no rollup behind', async () => {
  await ask(sharedPlan(['SELECT k FROM parquetry_rollup']))
  const later = await test.ask('SELECT * FROM parquetry_rollup').catch(code)
  expect(later).toBe('table_missing')
})

describe('a cached rollup', () => {
  const total = 'SELECT SUM(n) AS n FROM parquetry_rollup'
  const nothing = { name: 'rollup', text: 'SELECT 1 AS n', values: [] }

  it('answers later plans by its key alone, and cannot be read by anything else', async () => {
    await ask(sharedPlan([], { cacheKey: 'a' }))
    expect(summarize(await ask(sharedPlan([total], { cacheKey: 'a', rollup: nothing })))).toEqual([[{ n: 300_000 }]])
    expect(summarize(await ask(sharedPlan([total], { cacheKey: 'b', rollup: nothing })))).toEqual([[{ n: 1 }]])
    expect(summarize(await ask(sharedPlan([total], { rollup: nothing })))).toEqual([[{ n: 1 }]])
    expect(await test.ask('SELECT * FROM parquetry_rollup').catch(code)).toBe('table_missing')
    await expect(ask(sharedPlan(['SELECT i FROM numbers'], { cacheKey: 'a' }))).rejects.toThrow()
  })

  it('answers several plans concurrently, each with its own result', async () => {
    await ask(sharedPlan([], { cacheKey: 'several' }))
    const texts = Array.from({ length: 6 }, (_, index) => `SELECT SUM(n) + ${index} AS n FROM parquetry_rollup`)
    const answers = await Promise.all(
      texts.map((text) => ask(sharedPlan([text], { cacheKey: 'several', rollup: nothing }))),
    )
    expect(answers.map(summarize)).toEqual(texts.map((_, index) => [[{ n: 300_000 + index }]]))
  })

  it('is rebuilt when it was canceled while in use', async () => {
    await ask(sharedPlan([], { cacheKey: 'c' }))
    const stop = new AbortController()
    const slow = `SELECT COUNT(*) AS n FROM ${Array.from({ length: 18 }, (_, index) => `parquetry_rollup AS l${index}`).join(', ')}`
    // The first result shows that the rollup is in use.
    const plan = sharedPlan([total, slow], { cacheKey: 'c', rollup: nothing })
    const answers = test.runners.runShared(plan, stop.signal)[Symbol.asyncIterator]()
    expect(summarize([(await answers.next()).value as SharedScanResult])).toEqual([[{ n: 300_000 }]])
    stop.abort()
    expect(await answers.next().catch(code)).toBe('query_stopped')
    expect(summarize(await ask(sharedPlan([total], { cacheKey: 'c', rollup: nothing })))).toEqual([[{ n: 1 }]])
  })

  it('is dropped when its tables change', async () => {
    await ask(sharedPlan([], { cacheKey: 'd' }))
    await test.runners.tablesChanged(test.source)
    expect(summarize(await ask(sharedPlan([total], { cacheKey: 'd', rollup: nothing })))).toEqual([[{ n: 1 }]])
  })
})

it('rejects a rollup with too many groups', async () => {
  expect(await ask(sharedPlan(['SELECT 1 AS x FROM parquetry_rollup'], { maxGroups: 2 })).catch(code)).toBe(
    'result_too_large',
  )
})

it('ends when it is canceled', async () => {
  const stop = new AbortController()
  const text = 'SELECT COUNT(*) AS n FROM numbers AS a, numbers AS b, words AS c WHERE a.i + b.i < 7'
  await until(() => test.runners.stats().running === 0)
  const pending = ask(sharedPlan([], { rollup: { name: 'rollup', text, values: [] } }), stop.signal).catch(code)
  await until(() => test.runners.stats().runners.some(({ id, busy }) => id === 'test' && busy === 1))
  // With the timers of this process faked, the runner is not killed: it receives the cancel and ends the job itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true })
  try {
    stop.abort()
    expect(await pending).toBe('query_stopped')
    while (test.runners.stats().running > 0) await new Promise((resolve) => setImmediate(resolve))
  } finally {
    vi.useRealTimers()
  }
})

it('ends at its time limit', async () => {
  const text = 'SELECT COUNT(*) AS n FROM numbers AS a, numbers AS b, words AS c WHERE a.i + b.i < 7'
  const limits = { ...defaultLimits, timeoutMs: 300 }
  expect(await ask(sharedPlan([], { rollup: { name: 'rollup', text, values: [] }, limits })).catch(code)).toBe(
    'query_timeout',
  )
})

const url = process.env['PARQUETRY_TEST_POSTGRES']

describe.skipIf(!url)('on PostgreSQL', () => {
  const schema = `shared_${process.pid}`
  const source: Source = { ...networkSource(url ?? 'postgresql://nobody', 'shared'), schema } as Source
  const admin = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rowCount } = await client.query(text)
    await client.end()
    return rowCount
  }
  beforeAll(() =>
    admin(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.words AS SELECT 'hidden' AS a;
      CREATE TABLE ${schema}.parquetry_rollup AS SELECT 1 AS n;
      CREATE TABLE ${schema}.numbers AS SELECT i FROM generate_series(0, 299999) AS i`),
  )
  afterAll(() => admin(`DROP SCHEMA ${schema} CASCADE`))

  const rollup = (text: string, values: SharedScanPlan['rollup']['values'] = []) => ({ name: 'rollup', text, values })
  const over = (answers: string[], own: Partial<SharedScanPlan> = {}) => ask(sharedPlan(answers, { source, ...own }))
  const total = 'SELECT SUM(n)::bigint AS n FROM parquetry_rollup'

  it('answers each query from the rollup, and a failing one does not affect the others', async () => {
    const texts = [
      total,
      'SELECT 1 / (n - n) AS x FROM parquetry_rollup',
      'SELECT k FROM parquetry_rollup ORDER BY k LIMIT 2',
    ]
    expect(summarize(await over(texts))).toEqual([[{ n: 300_000 }], 'query_failed', [{ k: 0 }, { k: 1 }]])
    const bound = rollup('SELECT i % 3 AS k, COUNT(*) AS n FROM numbers WHERE i < $1::bigint GROUP BY i % 3', [30])
    expect(summarize(await over([total], { rollup: bound }))).toEqual([[{ n: 30 }]])
  })

  it('lets answers read only the rollup, and the rollup not itself', async () => {
    for (const text of [
      'SELECT a FROM words',
      `SELECT n FROM ${schema}.parquetry_rollup`,
      'SELECT n FROM parquetry_rollup WHERE n > (SELECT COUNT(*) FROM words)',
      `SELECT pg_read_file('/etc/hostname') AS a FROM parquetry_rollup`,
      'SELECT 1; SELECT 2',
      'DELETE FROM parquetry_rollup',
    ])
      await expect(over([text]), text).rejects.toThrow()
    for (const text of [
      'SELECT n FROM parquetry_rollup',
      'SELECT i FROM numbers WHERE i IN (SELECT n FROM Parquetry_Rollup)',
      'WITH d AS (DELETE FROM words RETURNING a) SELECT a FROM d',
      'SELECT 1 AS a; DROP TABLE words',
      'SELECT pg_sleep(5)::text AS a',
    ])
      await expect(over([total], { rollup: rollup(text) }), text).rejects.toThrow()
    expect(
      summarize(await over(['SELECT COUNT(*) AS n FROM parquetry_rollup'], { rollup: rollup('SELECT a FROM words') })),
    ).toEqual([[{ n: 1 }]])
  })

  it('rejects a rollup with too many groups or other types', async () => {
    expect(await over([total], { maxGroups: 2 }).catch(code)).toBe('result_too_large')
    expect(await over([total], { types: { n: 'numeric' } }).catch(code)).toBe('conflict')
    expect(summarize(await over([total], { types: { n: 'bigint', k: 'integer' } }))).toEqual([[{ n: 300_000 }]])
  })

  it('rejects a LIMIT ordered by a floating-point value and allows one ordered by an integer', async () => {
    const cut = (value: string) => `SELECT k, ${value} AS v FROM parquetry_rollup ORDER BY v DESC LIMIT 3`
    const answers = summarize(await over([cut('s::float8'), cut('s'), cut('s::numeric'), cut('(s % 7)::integer')]))
    expect(answers.map((answer) => (typeof answer === 'string' ? answer : 'rows'))).toEqual([
      'unsupported',
      'rows',
      'rows',
      'rows',
    ])
  })

  it('ends when it is canceled, and leaves no rollup behind', async () => {
    const stop = new AbortController()
    const text = 'SELECT COUNT(*) AS n FROM numbers AS a, numbers AS b WHERE a.i + b.i < 7'
    const pending = ask(sharedPlan([], { source, rollup: rollup(text) }), stop.signal).catch(code)
    const running = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%a.i + b.i < 7%' AND state = 'active' AND pid <> pg_backend_pid()`
    await expect.poll(() => admin(running)).toBe(1)
    stop.abort()
    expect(await pending).toBe('query_stopped')
    await expect.poll(() => admin(running)).toBe(0)
    await over([total])
    expect(await test.ask('SELECT n FROM parquetry_rollup', { source })).toEqual([{ n: 1 }])
  })
})
