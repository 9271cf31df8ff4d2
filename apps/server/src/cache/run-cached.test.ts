import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { defaultLimits, framesType, type Plan, type RunHeader } from '@parquetry/model'
import type { TestUser } from '../testing.ts'
import type { CacheEntry } from './cache.ts'
import { createMemoryCache } from './memory-cache.ts'
import { cacheKey, runCached } from './run-cached.ts'
import { addRowLevelSecurityRule as insertRule } from '../row-level-security/rules.testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
})
afterAll(() => cars.close())
afterEach(async () => {
  vi.restoreAllMocks()
  const { db } = cars.server.deps
  for (const table of ['row_rule_role', 'row_rule_dataset', 'row_rule'] as const) await db.deleteFrom(table).execute()
})

const neverAborted = new AbortController().signal

const networkPlan = (own: object): Plan => ({
  source: { kind: 'network', engine: 'trino', id: 'x', settings: {}, schema: 'default', ...own },
  statements: [{ name: 'query', text: 'SELECT 1', values: [] }],
  joins: [],
  steps: [],
  columns: [],
  encode: { as: 'rows', times: 'ms' },
  limits: defaultLimits,
  guard: 'ours',
})

/** Cars by origin; `probe` makes the query unique among the tests. */
const question = (probe: number, more: object = {}) => ({
  datasource: { id: cars.dataset, type: 'table' },
  queries: [
    { columns: ['Origin'], metrics: [count], orderby: [['Origin', true]], extras: { where: `${probe} = ${probe}` } },
  ],
  ...more,
})
const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }

interface Answer {
  is_cached: boolean | null
  cached_dttm: string | null
  cache_key: string
  data: { Origin: string; n: number }[]
}

async function ask(user: TestUser, body: object): Promise<Answer> {
  const response = await cars.server.as(user).post('/api/v1/chart/data', body)
  expect(response.statusCode, response.body).toBe(200)
  return response.json<{ result: [Answer] }>().result[0]
}
const origins = ({ data }: Answer) => data.map(({ Origin }) => Origin)

const addRule = (roleName: string, clause: string, filter_type?: 'Regular' | 'Base') =>
  insertRule(cars.server.deps.db, cars.dataset, roleName, clause, filter_type)

describe('a cached result', () => {
  it('is returned to any user who may see the same rows', async () => {
    const first = await ask('admin', question(1))
    const again = await ask('alpha', question(1))
    expect([first.is_cached, first.cached_dttm]).toEqual([null, null])
    expect(again).toMatchObject({ is_cached: true, cache_key: first.cache_key, data: first.data })
    expect(again.cached_dttm).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('is the only response to only-if-cached requests, with the same permission checks and without querying a database', async () => {
    const run = vi.spyOn(cars.server.deps.runners, 'run')
    const askCacheOnly = (user: TestUser, headers: object = {}) =>
      cars.server.as(user).send('POST', '/api/v1/chart/data', {
        payload: JSON.stringify(question(15)),
        headers: { 'content-type': 'application/json', 'cache-control': 'only-if-cached', ...headers },
      })
    expect((await askCacheOnly('alpha')).statusCode).toBe(204)
    expect((await askCacheOnly('alpha', { accept: framesType })).statusCode).toBe(204)
    expect(run).not.toHaveBeenCalled()
    const { data } = await ask('admin', question(15))
    expect((await askCacheOnly('alpha')).json()).toMatchObject({ result: [{ is_cached: true, data }] })
    expect((await askCacheOnly('gamma')).statusCode).toBe(403)
    await addRule('Alpha', `"Origin" = 'Japan'`)
    expect((await askCacheOnly('alpha')).statusCode).toBe(204)
  })

  it('is never returned to a user with other row-level security rules, regardless of who queried first', async () => {
    await addRule('Alpha', `"Origin" = 'Japan'`)
    expect(origins(await ask('admin', question(2)))).toEqual(['Europe', 'Japan', 'USA'])
    const ruled = await ask('alpha', question(2))
    expect([ruled.is_cached, origins(ruled)]).toEqual([null, ['Japan']])
    expect(await ask('alpha', question(2))).toMatchObject({ is_cached: true, data: ruled.data })
    expect(origins(await ask('alpha', question(3)))).toEqual(['Japan'])
    expect(origins(await ask('admin', question(3)))).toEqual(['Europe', 'Japan', 'USA'])
  })

  it('is not returned after a rule was added or changed', async () => {
    expect(origins(await ask('alpha', question(4)))).toHaveLength(3)
    await addRule('Alpha', `"Origin" <> 'USA'`)
    expect(origins(await ask('alpha', question(4)))).toEqual(['Europe', 'Japan'])
    await cars.server.deps.db.updateTable('row_rule').set({ clause: `"Origin" = 'USA'` }).execute()
    expect(origins(await ask('alpha', question(4)))).toEqual(['USA'])
  })

  it('is not returned to a user who may not read the dataset', async () => {
    await ask('admin', question(5))
    const refused = await cars.server.as('gamma').post('/api/v1/chart/data', question(5))
    expect(refused.statusCode).toBe(403)
    expect(refused.body).not.toContain('Japan')
  })

  it('is separate for each impersonated user and catalog', () => {
    const key = (own: object) => cacheKey(networkPlan(own), { connectionVersion: 1 })
    const keys = [{}, { user: 'alpha' }, { user: 'admin' }, { catalog: 'other' }].map(key)
    expect(new Set(keys).size).toBe(4)
    expect(key({ user: 'alpha' })).toBe(keys[1])
  })

  it('is refreshed by `force`, without reading the cache', async () => {
    await ask('admin', question(7))
    const before = cars.runs()
    expect((await ask('admin', question(7, { force: true }))).is_cached).toBeNull()
    expect(cars.runs()).toBe(before + 1)
    expect((await ask('admin', question(7))).is_cached).toBe(true)
  })

  it('is neither read nor stored with a `custom_cache_timeout` of -1', async () => {
    await ask('admin', question(8, { custom_cache_timeout: -1 }))
    await ask('admin', question(8))
    expect((await ask('admin', question(8, { custom_cache_timeout: -1 }))).is_cached).toBeNull()
    expect((await ask('admin', question(8))).is_cached).toBe(true)
  })

  it('is returned without querying the database for the type of an expression', async () => {
    const filters = [
      { col: { sqlExpression: 'UPPER("Origin")', label: 'u', expressionType: 'SQL' }, op: '==', val: 'USA' },
    ]
    const body = { ...question(10), queries: [{ ...question(10).queries[0], filters }] }
    expect(origins(await ask('admin', body))).toEqual(['USA'])
    const before = cars.runs()
    expect((await ask('admin', body)).is_cached).toBe(true)
    expect(cars.runs()).toBe(before)
  })

  it('is separate for each encoding', async () => {
    const rows = await ask('admin', question(9))
    const file = await cars.server.as('admin').post('/api/v1/chart/data', question(9, { result_format: 'csv' }))
    expect(rows.is_cached).toBeNull()
    expect(file.body).toBe('Origin,n\nEurope,73\nJapan,79\nUSA,254\n')
  })
})

describe('concurrent equal queries', () => {
  /** Sends all requests while runners are blocked, and unblocks them when every request is waiting. */
  async function atOnce(...calls: [TestUser, object][]): Promise<{ answers: Answer[]; runs: number }> {
    const before = cars.runs()
    const joined = vi.spyOn(cars.server.deps.cache, 'singleFlight')
    cars.gate.close()
    const answers = calls.map(([user, body]) => ask(user, body))
    await vi.waitFor(() => expect(joined).toHaveBeenCalledTimes(calls.length))
    cars.gate.open()
    return { answers: await Promise.all(answers), runs: cars.runs() - before }
  }

  it('run once for all users who may see the same rows', async () => {
    const { answers, runs } = await atOnce(['admin', question(20)], ['alpha', question(20)], ['admin', question(20)])
    expect(runs).toBe(1)
    expect(answers.map(origins)).toEqual(Array(3).fill(['Europe', 'Japan', 'USA']))
  })

  it('run once per set of row-level security rules', async () => {
    await addRule('Alpha', `"Origin" = 'Japan'`)
    const { answers, runs } = await atOnce(['admin', question(21)], ['alpha', question(21)], ['alpha', question(21)])
    expect(runs).toBe(2)
    expect(answers.map(origins)).toEqual([['Europe', 'Japan', 'USA'], ['Japan'], ['Japan']])
  })

  it('with `force` do not join one without', async () => {
    const { runs } = await atOnce(['admin', question(22)], ['admin', question(22, { force: true })])
    expect(runs).toBe(2)
  })
})

describe('a query in flight', () => {
  const invalidate = async () => {
    const body = { datasource_uids: [`${cars.dataset}__table`] }
    expect((await cars.server.as('admin').post('/api/v1/cachekey/invalidate', body)).statusCode).toBe(201)
  }
  /** Starts a request and waits until its plan is about to be sent to a runner. */
  async function start(body: object): Promise<{ answer: Promise<Answer> }> {
    const before = cars.runs()
    const answer = ask('admin', body)
    await expect.poll(() => cars.runs() - before).toBe(1)
    return { answer }
  }

  it('is neither joined nor cached when its dataset is invalidated meanwhile', async () => {
    cars.gate.close()
    const old = await start(question(23))
    await invalidate()
    const fresh = await start(question(23))
    cars.gate.open()
    expect([await old.answer, await fresh.answer]).toMatchObject([{ is_cached: null }, { is_cached: null }])
    cars.gate.close()
    const last = await start(question(24))
    await invalidate()
    cars.gate.open()
    await last.answer
    expect((await ask('admin', question(24))).is_cached).toBeNull()
  })

  it('does not replace the result of a forced query that started later', async () => {
    const cache = createMemoryCache()
    const deps = { cache, runners: cars.server.deps.runners, now: () => new Date() }
    const ends = new Map<string, PromiseWithResolvers<CacheEntry>>()
    const run = (name: string, force: boolean) => {
      const end = Promise.withResolvers<CacheEntry>()
      ends.set(name, end)
      const options = { connectionVersion: 1, timeoutSeconds: 60, force, signal: neverAborted }
      return runCached(networkPlan({}), deps, options, () => end.promise)
    }
    const end = (name: string) =>
      ends
        .get(name)!
        .resolve({ header: { stepError: null } as RunHeader, body: Buffer.from(name), cachedAt: '', startedAt: 0 })
    const old = run('old', false)
    // It looks into the cache before it starts.
    await expect.poll(() => ends.size).toBe(1)
    const forced = run('forced', true)
    await expect.poll(() => ends.size).toBe(2)
    end('forced')
    await forced
    end('old')
    expect((await old).body.toString()).toBe('old')
    expect((await run('next', false)).body.toString()).toBe('forced')
  })
})

describe('row-level security rules', () => {
  it('are joined with OR within a group and with AND across groups, and a base rule applies to all but its roles', async () => {
    await addRule('Alpha', `"Origin" = 'Japan'`)
    await addRule('Alpha', '"Cylinders" = 4')
    await addRule('Admin', '"Horsepower" > 1000', 'Base')
    expect((await ask('alpha', question(30))).data).toEqual([])
    await cars.server.deps.db.deleteFrom('row_rule').where('filter_type', '=', 'Base').execute()
    expect((await ask('alpha', question(30))).data).toEqual([{ Origin: 'Japan', n: 69 }])
    await cars.server.deps.db.updateTable('row_rule').set({ group_key: 'either' }).execute()
    expect(origins(await ask('alpha', question(30)))).toEqual(['Europe', 'Japan', 'USA'])
  })

  it.each(['samples', 'drill_detail', 'results'])('also apply to %s', async (result_type) => {
    await addRule('Alpha', `"Origin" = 'Japan'`)
    const rows = { ...question(31), queries: [{ columns: ['Origin'], row_limit: 500 }], result_type }
    expect(new Set(origins(await ask('alpha', rows)))).toEqual(new Set(['Japan']))
  })

  it('cannot be bypassed by a clause of the query', async () => {
    await addRule('Alpha', `"Origin" = 'Japan'`)
    for (const where of ['1 = 1) OR (1 = 1', '1 = 1 OR 1 = 1', '1 = 1 --', "1 = 1 /* ' */ OR true"]) {
      const body = { ...question(32), queries: [{ columns: ['Origin'], metrics: [count], extras: { where } }] }
      const response = await cars.server.as('alpha').post('/api/v1/chart/data', body)
      if (response.statusCode === 200)
        expect(origins(response.json<{ result: [Answer] }>().result[0]), where).toEqual(['Japan'])
      else expect(response.statusCode, where).toBe(400)
    }
  })
})
