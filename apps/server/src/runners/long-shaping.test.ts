import { readdirSync } from 'node:fs'
import { decodeMessage, postProcess } from '@parquetry/frame'
import { createEncoder } from '@parquetry/frame/encode'
import { hostileOptions } from '@parquetry/frame/testing/hostile-steps'
import { createRandom } from '@parquetry/model/testing/random'
import { type AppError, type Plan, type PostProcessing, postProcessingOperations } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { code, neverAborted, startTestRunners, type TestRunners, until } from './testing.ts'

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners()
  await test.ask('SELECT 1 AS n')
})
afterAll(() => test.close())

const step = (operation: string, options: Record<string, unknown>): PostProcessing => ({ operation, options })
const columns = (...names: string[]): Plan['columns'] => names.map((name) => ({ name, kind: null }))
const longRolling = step('rolling', { columns: { i: 'i' }, rolling_type: 'kurt', window: 50_000, min_periods: 4 })
const manyRows = 'SELECT i FROM numbers ORDER BY i LIMIT 50000'

/** Starts post-processing that would take minutes, and waits until a process works on it. */
async function startLong(signal: AbortSignal, limits: Partial<Plan['limits']> = {}) {
  const isIdle = () => test.runners.stats().runners.every(({ kind, busy }) => kind !== 'shape' || busy === 0)
  await until(isIdle)
  const steps = [longRolling, longRolling]
  const run = test.runners.run(test.plan(manyRows, { columns: columns('i'), steps, limits }), signal)
  const outcome = run.then(
    () => null,
    (error: AppError) => error,
  )
  await until(() => !isIdle())
  return { outcome }
}

describe('post-processing that takes long', () => {
  it('blocks no other statement, and stops when it is canceled', async () => {
    const pids = test.pids('embedded')
    const stop = new AbortController()
    const { outcome } = await startLong(stop.signal)
    for (let n = 0; n < 5; n++) expect(await test.ask(`SELECT ${n} AS n`)).toEqual([{ n }])
    expect(test.runners.stats().runners.filter(({ kind, busy }) => kind === 'shape' && busy > 0)).toHaveLength(1)
    stop.abort()
    expect(await outcome).toMatchObject({ code: 'query_stopped' })
    expect(test.pids('embedded')).toEqual(pids)
    // The rows that were handed over are gone with it.
    const spilled = readdirSync(test.spillFolder, { recursive: true, encoding: 'utf8' })
    expect(spilled.filter((path) => /\w{8}-\w{4}/.test(path))).toEqual([])
  })

  it('ends at the time limit of its query, with a message that says so', async () => {
    const { outcome } = await startLong(neverAborted, { timeoutMs: 3000 })
    expect(await outcome).toMatchObject({
      code: 'query_timeout',
      message: expect.stringMatching(/^The post-processing/),
    })
    expect(await test.ask('SELECT 2 AS n')).toEqual([{ n: 2 }])
  })

  it('ends with a clear error when its process dies, for example for lack of memory', async () => {
    const pids = test.pids('embedded')
    const { outcome } = await startLong(neverAborted)
    for (const pid of test.pids('shape')) process.kill(pid, 'SIGKILL')
    expect(await outcome).toMatchObject({ code: 'result_too_large', message: expect.stringMatching(/too much memory/) })
    expect(test.pids('embedded')).toEqual(pids)
  })

  it('gives the same bytes and names as the steps do anywhere, in every encoding', async () => {
    const raw = test.plan('SELECT i % 50 AS a, t, i FROM numbers ORDER BY i LIMIT 20000', {
      columns: columns('a', 't', 'i'),
    })
    const steps = [
      step('rolling', { columns: { i: 'i' }, rolling_type: 'sum', window: 5000, min_periods: 2 }),
      step('sort', { by: 'a', ascending: false }),
    ]
    const { body } = await test.runners.run({ ...raw, encode: { as: 'frames' } }, neverAborted)
    const expected = postProcess(decodeMessage(body.subarray(0, firstMessageLength(body))).frame!, steps)
    const encodings: Plan['encode'][] = [
      { as: 'rows', times: 'ms' },
      { as: 'csv', escape: true, separator: ',', header: true },
      { as: 'frames' },
    ]
    for (const encode of encodings) {
      const { header, body: handed } = await test.runners.run({ ...raw, steps, encode }, neverAborted)
      const encoder = createEncoder(encode)
      const own = [encoder.start(expected.frame.columns), encoder.frame(expected.frame), encoder.end()].flat()
      expect(handed.equals(Buffer.concat(own)), encode.as).toBe(true)
      const { labelMap, indexNames, stepError } = expected
      expect(header).toMatchObject({ labelMap, indexNames, stepError, rowcount: 19_998, sql_rowcount: 20_000 })
    }
    expect(test.pids('shape').length).toBeGreaterThan(0)
  })

  it('of a file is written in that process too', async () => {
    const plan = test.plan(manyRows, {
      columns: columns('i'),
      steps: [step('rolling', { columns: { i: 'i' }, rolling_type: 'sum', window: 5000, min_periods: 1 })],
      encode: { as: 'xlsx' },
    })
    const { header, body } = await test.runners.run(plan, neverAborted)
    expect(header.rowcount).toBe(49_999)
    expect(body.subarray(0, 2).toString()).toBe('PK')
  })
})

describe('hostile steps over a query', () => {
  const rows = 'SELECT i, t, i % 3 AS g, i % 1000 AS h FROM numbers ORDER BY i LIMIT 50000'
  const all = columns('i', 't', 'g', 'h')
  const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value)
  const attacks: Record<string, PostProcessing[]> = {
    'a pivot of every value by every other': [
      step('pivot', { index: ['i'], columns: ['t'], aggregates: { g: { operator: 'sum' } } }),
    ],
    'every combination of index values': [
      step('pivot', {
        index: ['i', 'h', 'g'],
        aggregates: { g: { operator: 'sum' } },
        drop_missing_columns: false,
      }),
    ],
    'a column for each of many values': [
      step('pivot', {
        index: ['g'],
        columns: ['t', 'h', 'i'],
        aggregates: { g: { operator: 'sum' }, h: { operator: 'median' } },
      }),
      step('flatten', {}),
    ],
    'very many bins for very many groups': [step('histogram', { column: 'i', groupby: ['t'], bins: 10_000 })],
    'repeated columns': [step('select', { columns: repeat(90_000, 't') })],
    'repeated metrics of a box plot': [
      step('boxplot', { groupby: ['t'], metrics: repeat(20_000, 'i'), whisker_type: 'tukey' }),
    ],
    'shares under ever new names': [
      step('contribution', {
        columns: repeat(10_000, 'i'),
        rename_columns: repeat(10_000, 0).map((_, index) => `s${index}`),
      }),
    ],
    'forecasts without an end': [
      step('prophet', { index: 'i', time_grain: 'P1D', periods: 1e12, confidence_interval: 0.9 }),
    ],
  }

  it.each(Object.entries(attacks))('%s: an error of this query only', async (_, steps) => {
    const pids = test.pids('embedded')
    const asked = test.runners.run(
      test.plan(rows, { columns: all, steps, limits: { timeoutMs: 20_000 } }),
      neverAborted,
    )
    const outcome = asked.then(() => 'fits', code)
    for (let n = 0; n < 3; n++)
      expect(await test.ask(`SELECT ${n} AS n`, { limits: { timeoutMs: 5000 } })).toEqual([{ n }])
    expect(['result_too_large', 'invalid_post_processing', 'query_timeout', 'fits']).toContain(await outcome)
    expect(test.pids('embedded')).toEqual(pids)
  })

  it('of random kinds end in an error of their own, or in a result', async () => {
    const pids = test.pids('embedded')
    const names = ['t', 'few', 'many', 'place', 'n', 'm']
    const sql = (rows: number) =>
      `SELECT TIMESTAMP '2020-01-01' + INTERVAL 1 DAY * i AS t, 'g' || (i % 3) AS few, t AS many, (i % 80) || ', ' || i AS place, i % 7 AS n, i / 3 AS m FROM numbers WHERE i < ${rows}`
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed)
      const steps = Array.from({ length: 1 + random.int(3) }, () => {
        const name = random.pick(postProcessingOperations)
        return step(name, hostileOptions[name](random))
      })
      const plan = test.plan(sql(random.pick([300, 20_000])), {
        columns: columns(...names),
        steps,
        limits: { timeoutMs: 3000 },
      })
      const outcome = test.runners.run(plan, neverAborted).then(() => 'fits', code)
      expect(await test.ask('SELECT 1 AS n')).toEqual([{ n: 1 }])
      const expected = ['fits', 'result_too_large', 'invalid_post_processing', 'unknown_column', 'query_timeout']
      expect(expected, `seed ${seed}: ${JSON.stringify(steps).slice(0, 300)}`).toContain(await outcome)
    }
    expect(test.pids('embedded')).toEqual(pids)
  })

  it('cannot make a response that is too large from texts that are stored once', async () => {
    const sql = `SELECT repeat('x', 100000) || (i % 2) AS t, i FROM numbers WHERE i < 400`
    const pairs = step('pivot', {
      index: ['t', 'i'],
      aggregates: { i: { operator: 'sum' } },
      drop_missing_columns: false,
    })
    for (const encode of [
      { as: 'rows', times: 'ms' },
      { as: 'csv', escape: true, separator: ',', header: true },
    ] as const) {
      const plan = test.plan(sql, { columns: columns('t', 'i'), steps: [pairs, step('flatten', {})], encode })
      expect(await test.runners.run(plan, neverAborted).then(() => 'fits', code)).toBe('result_too_large')
    }
  })
})

/** A result of frames is one message with the rows and one that ends it, which has only a head. */
function firstMessageLength(body: Buffer): number {
  const end = createEncoder({ as: 'frames' }).end()[0]!.length
  return body.length - end
}
