import { readQueryContext } from '@parquetry/query'
import { dirname, join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { flightsFile } from '@parquetry/testing/sample-tables'
import { loadPrincipal } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { ResponseStore } from '../cache/response-store.ts'
import { dataFolderOf, resolveSource } from '../connection/source.ts'
import { buildJsonResponse } from './json-response.ts'
import { ResponseCache } from './response-cache.ts'
import { resolveQuery } from './resolve-query.ts'
import { type CarsServer, startCarsServer } from './testing.ts'

let cars: CarsServer
let finished: ResponseCache
/** Server clock. */
let at = Date.parse('2026-03-04T10:20:30.000Z')

beforeAll(async () => {
  cars = await startCarsServer({
    now: () => new Date(at),
    settings: { timeZone: 'UTC', flags: { ENABLE_TEMPLATE_PROCESSING: true, DASHBOARD_RBAC: true } },
  })
}, 60_000)
afterAll(() => cars.close())
beforeEach(() => {
  finished = new ResponseCache({ ...cars.server.deps, responses: new ResponseStore(cars.server.deps) })
})

const db = () => cars.server.deps.db
/** Loads the current state of a user. */
const loadUser = async (name: string): Promise<Principal> =>
  loadPrincipal(db(), await db().selectFrom('user').selectAll().where('username', '=', name).executeTakeFirstOrThrow())

const sql = (label: string, sqlExpression: string) => ({ expressionType: 'SQL', sqlExpression, label })
const byOrigin = { columns: ['Origin'], metrics: [sql('n', 'COUNT(*)')], orderby: [['Origin', true]] }

interface Entry {
  data: Record<string, unknown>[]
  cached_dttm: string | null
  cache_timeout: number
  from_dttm: number | null
  to_dttm: number | null
  query: string
}
interface Answered extends Entry {
  /** `again`: nothing was read; `found`: permissions were read; `made`: computed completely. */
  way: 'again' | 'found' | 'made'
}

async function ask(principal: Principal, query: object, more: object = {}): Promise<Answered> {
  const text = JSON.stringify({ datasource: { id: cars.dataset, type: 'table' }, queries: [query], ...more })
  const request = finished.toRequest({ headers: {} }, text)!
  const fetchResponse = async () => {
    const known = await finished.findRepeated(principal, request)
    if (known) return { body: known.body, way: 'again' as const }
    const resolved = await resolveQuery(readQueryContext(JSON.parse(text)), cars.server.deps, principal)
    const { signal } = new AbortController()
    const { body, isHit } = await finished.getOrBuild(resolved, request, signal, (each) =>
      buildJsonResponse(each, signal),
    )
    return { body, way: isHit ? ('found' as const) : ('made' as const) }
  }
  const { body, way } = await fetchResponse()
  return { ...(JSON.parse(String(body)) as { result: [Entry] }).result[0], way }
}

/** Repeats the request until its response is cached: first the result, then the finished response. */
async function askUntilCached(principal: Principal, query: object, more: object = {}): Promise<Answered> {
  await ask(principal, query, more)
  await ask(principal, query, more)
  const kept = await ask(principal, query, more)
  expect(kept.way).toBe('again')
  return kept
}
const origins = ({ data }: Entry) => data.map(({ Origin }) => Origin)

const everybody = ['Europe', 'Japan', 'USA']

/** Runs `work` while a rule applies to users with a role. */
async function withRule(
  clause: string,
  role: string,
  work: () => Promise<void>,
  dataset = cars.dataset,
): Promise<void> {
  await addRowLevelSecurityRule(db(), dataset, role, clause)
  try {
    await work()
  } finally {
    for (const table of ['row_rule_role', 'row_rule_dataset', 'row_rule'] as const)
      await db().deleteFrom(table).execute()
  }
}

describe('a finished response', () => {
  it('is reused for the same principal immediately, and for others with the same permissions after a check', async () => {
    const alpha = await loadUser('alpha')
    const first = await ask(alpha, byOrigin)
    const second = await ask(alpha, byOrigin)
    expect([first.way, second.way]).toEqual(['made', 'made'])
    const third = await ask(alpha, byOrigin)
    expect(third).toEqual({ ...second, way: 'again' })
    expect(await ask(await loadUser('alpha'), byOrigin)).toEqual({ ...second, way: 'found' })
    expect(await ask(await loadUser('admin'), byOrigin)).toEqual({ ...second, way: 'found' })
  })

  it('is cached separately for each accepted encoding and format', async () => {
    const alpha = await loadUser('alpha')
    const text = JSON.stringify({ datasource: { id: cars.dataset, type: 'table' }, queries: [byOrigin] })
    const keys = ['gzip', 'zstd, gzip', 'identity'].map(
      (encoding) => finished.toRequest({ headers: { 'accept-encoding': encoding } }, text)!.key,
    )
    expect(new Set(keys).size).toBe(3)
    expect(finished.toRequest({ headers: { accept: 'application/vnd.parquetry.frames' } }, text)!.key).not.toBe(
      finished.toRequest({ headers: {} }, text)!.key,
    )
    await askUntilCached(alpha, byOrigin)
  })

  it('stays within its memory limit', async () => {
    const responses = new ResponseStore(cars.server.deps, 6000)
    finished = new ResponseCache({ ...cars.server.deps, responses })
    const alpha = await loadUser('alpha')
    for (let limit = 1; limit <= 10; limit += 1) await askUntilCached(alpha, { ...byOrigin, row_limit: limit })
    expect((await ask(alpha, { ...byOrigin, row_limit: 10 })).way).toBe('again')
    expect((await ask(alpha, { ...byOrigin, row_limit: 1 })).way).toBe('made')
  })
})

describe('cached responses never mix permissions', () => {
  it('between users with different row-level security rules', async () => {
    await withRule("Origin <> 'USA'", 'Alpha', async () => {
      const [admin, alpha] = [await loadUser('admin'), await loadUser('alpha')]
      expect(origins(await askUntilCached(admin, byOrigin))).toEqual(everybody)
      expect(origins(await ask(alpha, byOrigin))).toEqual(['Europe', 'Japan'])
      expect(origins(await askUntilCached(alpha, byOrigin))).toEqual(['Europe', 'Japan'])
      expect(origins(await ask(admin, byOrigin))).toEqual(everybody)
      expect(await ask(await loadUser('alpha'), byOrigin)).toMatchObject({ way: 'found', data: [{}, {}] })
      expect(await ask(await loadUser('admin'), byOrigin)).toMatchObject({ way: 'found', data: [{}, {}, {}] })
    })
  })

  it('after a rule is added or removed', async () => {
    const alpha = await loadUser('alpha')
    expect(origins(await askUntilCached(alpha, byOrigin))).toEqual(everybody)
    await withRule("Origin = 'Japan'", 'Alpha', async () => {
      expect(await ask(alpha, byOrigin)).toMatchObject({ way: 'made', data: [{ Origin: 'Japan' }] })
      expect(origins(await askUntilCached(alpha, byOrigin))).toEqual(['Japan'])
    })
    expect(await ask(alpha, byOrigin)).toMatchObject({ way: 'found', data: [{}, {}, {}] })
  })

  it('with a rule on the table that a virtual dataset reads', async () => {
    const alpha = await loadUser('alpha')
    await db()
      .updateTable('dataset')
      .set({ sql: 'SELECT * FROM cars', table_name: 'all_cars' })
      .where('id', '=', cars.dataset)
      .execute()
    const row = await db().selectFrom('dataset').selectAll().where('id', '=', cars.dataset).executeTakeFirstOrThrow()
    const { id: _, uuid: __, ...table } = row
    const own = await db()
      .insertInto('dataset')
      .values({ ...table, uuid: crypto.randomUUID(), table_name: 'cars', sql: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    try {
      expect(origins(await askUntilCached(alpha, byOrigin))).toEqual(everybody)
      await withRule(
        "Origin = 'Europe'",
        'Alpha',
        async () => expect(origins(await ask(alpha, byOrigin))).toEqual(['Europe']),
        own.id,
      )
    } finally {
      await db().deleteFrom('dataset').where('id', '=', own.id).execute()
      await db().updateTable('dataset').set({ sql: null, table_name: 'cars' }).where('id', '=', cars.dataset).execute()
    }
  })

  it('between guests with different rules in their tokens', async () => {
    const guest = async (clause: string): Promise<Principal> => ({
      ...(await loadUser('admin')),
      kind: 'guest',
      id: null,
      roles: [],
      isAdmin: false,
      permissions: new Set(['all_datasource_access all_datasource_access']),
      guest: { resources: [], rlsRules: [{ dataset: null, clause }] },
    })
    expect(origins(await askUntilCached(await guest("Origin = 'Japan'"), byOrigin))).toEqual(['Japan'])
    expect(origins(await askUntilCached(await guest("Origin = 'USA'"), byOrigin))).toEqual(['USA'])
    expect(await ask(await guest("Origin = 'Japan'"), byOrigin)).toMatchObject({
      way: 'found',
      data: [{ Origin: 'Japan' }],
    })
  })

  it('after a role is revoked', async () => {
    const alpha = await loadUser('alpha')
    await askUntilCached(alpha, byOrigin)
    const held = await db().selectFrom('user_role').selectAll().where('user_id', '=', alpha.id!).execute()
    await db().deleteFrom('user_role').where('user_id', '=', alpha.id!).execute()
    try {
      await expect(ask(await loadUser('alpha'), byOrigin)).rejects.toMatchObject({ code: 'dataset_access' })
    } finally {
      await db().insertInto('user_role').values(held).execute()
    }
    expect((await ask(await loadUser('alpha'), byOrigin)).way).toBe('found')
  })

  it('when a template inserts the user name', async () => {
    const named = { columns: ['Origin'], metrics: [sql('who', "MAX('{{ current_username() }}')")], row_limit: 1 }
    for (const name of ['alpha', 'admin', 'alpha']) {
      const user = await loadUser(name)
      for (let time = 0; time < 3; time += 1)
        expect(await ask(user, named)).toMatchObject({ way: 'made', data: [{ who: name }] })
    }
    await withRule("'{{ current_username() }}' = 'admin'", 'Alpha', async () => {
      for (let time = 0; time < 3; time += 1)
        expect(await ask(await loadUser('alpha'), byOrigin)).toMatchObject({ way: 'made', data: [] })
    })
  })
})

describe('cached responses are not reused', () => {
  it('after a dataset is edited', async () => {
    const alpha = await loadUser('alpha')
    const saved = { columns: [], metrics: ['m'] }
    const texts = { verbose_name: null, description: null, metric_type: null, d3format: null, currency: null }
    const at = { created_on: '2026-01-01T00:00:00.000', changed_on: '2026-01-01T00:00:00.000' }
    const of = { ...texts, ...at, warning_text: null, extra: null, dataset_id: cars.dataset, uuid: crypto.randomUUID() }
    const { id } = await db()
      .insertInto('dataset_metric')
      .values({ ...of, metric_name: 'm', expression: 'MAX(1)' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await askUntilCached(alpha, saved)).data).toEqual([{ m: 1 }])
    await db().updateTable('dataset_metric').set({ expression: 'MAX(2)' }).where('id', '=', id).execute()
    expect(await ask(alpha, saved)).toMatchObject({ way: 'made', data: [{ m: 2 }] })
    await db().deleteFrom('dataset_metric').where('id', '=', id).execute()
    await expect(ask(alpha, saved)).rejects.toMatchObject({ code: 'invalid_query' })
  })

  it('after a chart is edited', async () => {
    const alpha = await loadUser('alpha')
    const chart = { slice_name: 'c', viz_type: 'table', datasource_id: cars.dataset, datasource_type: 'table' }
    const made = await cars.server.as('admin').post('/api/v1/chart/', { ...chart, params: '{}', cache_timeout: 77 })
    const { id } = made.json<{ id: number }>()
    const of = { form_data: { slice_id: id } }
    expect((await askUntilCached(alpha, byOrigin, of)).cache_timeout).toBe(77)
    await db().updateTable('chart').set({ cache_timeout: 78 }).where('id', '=', id).execute()
    expect(await ask(alpha, byOrigin, of)).toMatchObject({ way: 'made', cache_timeout: 78 })
    await db().deleteFrom('chart').where('id', '=', id).execute()
  })

  it('after a connection is edited', async () => {
    const alpha = await loadUser('alpha')
    await askUntilCached(alpha, byOrigin)
    await db()
      .updateTable('database')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .execute()
    expect((await ask(alpha, byOrigin)).way).toBe('made')
  })

  it('after data is uploaded again', async () => {
    const alpha = await loadUser('alpha')
    expect(origins(await askUntilCached(alpha, byOrigin))).toEqual(everybody)
    const { deps } = cars.server
    const place = await db()
      .selectFrom('database')
      .selectAll()
      .where('database_name', '=', 'd')
      .executeTakeFirstOrThrow()
    const before = await db().selectFrom('embedded_table').selectAll().executeTakeFirstOrThrow()
    const table = { name: 'cars', file: 'cars.2.duckdb', version: 2, format: 'duckdb', table: 'data' } as const
    const select = `SELECT Name, Cylinders, Horsepower, CAST(Year AS TIMESTAMP) AS Year, Origin FROM source WHERE Origin = 'USA'`
    const source = { path: join(dirname(flightsFile.path), 'cars.json'), format: 'json', select } as const
    await deps.runners.load(dataFolderOf(cars.server.home, place.uuid), table, source, new AbortController().signal)
    const replaceBy = async ({ file, version }: { file: string; version: number }) => {
      await db().updateTable('embedded_table').set({ file, version }).execute()
      await deps.runners.tablesChanged(await resolveSource(deps, place, 'system'))
    }
    await replaceBy(table)
    expect(await ask(alpha, byOrigin)).toMatchObject({ way: 'made', data: [{ Origin: 'USA' }] })
    await replaceBy(before)
    expect(origins(await ask(alpha, byOrigin))).toEqual(everybody)
  })

  it('after the cache is refreshed by force', async () => {
    const alpha = await loadUser('alpha')
    const kept = await askUntilCached(alpha, byOrigin)
    at += 5000
    expect(await ask(alpha, byOrigin, { force: true })).toMatchObject({ way: 'made', cached_dttm: null })
    expect(await ask(alpha, byOrigin, { force: true })).toMatchObject({ way: 'made', cached_dttm: null })
    const renewed = await ask(alpha, byOrigin)
    expect(renewed.way).toBe('made')
    expect(Date.parse(renewed.cached_dttm!) - Date.parse(kept.cached_dttm!)).toBe(5000)
  })

  it('when caching is disabled for the query', async () => {
    const alpha = await loadUser('alpha')
    for (let time = 0; time < 3; time += 1)
      expect((await ask(alpha, byOrigin, { custom_cache_timeout: -1 })).way).toBe('made')
  })
})

describe('cached responses never mix times', () => {
  const withTimeRange = (time_range: string) => ({ ...byOrigin, granularity: 'Year', time_range })
  const day = 86_400_000

  it.each([
    ['Last day', day],
    ['today : tomorrow', day],
    ['Last week', day],
    ["DATETRUNC(DATETIME('now'), day) : ", day],
    ["DATETRUNC(DATETIME('now'), hour) : ", 3_600_000],
    ["DATETRUNC(DATETIME('now'), minute) : ", 60_000],
  ])('%s', async (range, step) => {
    at = Date.parse('2026-03-04T10:20:30.200Z')
    const alpha = await loadUser('alpha')
    await ask(alpha, withTimeRange(range))
    const first = await ask(alpha, withTimeRange(range))
    expect(first.from_dttm).not.toBeNull()
    at = (Math.floor(at / step) + 1) * step - 1
    expect((await ask(alpha, withTimeRange(range))).from_dttm).toBe(first.from_dttm)
    await ask(alpha, withTimeRange(range))
    at += 1
    const next = await ask(alpha, withTimeRange(range))
    expect(next.way).toBe('made')
    expect(next.from_dttm! - first.from_dttm!).toBe(step)
  })

  it('a range that moves continuously is not cached', async () => {
    const alpha = await loadUser('alpha')
    for (let time = 0; time < 4; time += 1, at += 1)
      expect(await ask(alpha, withTimeRange("DATETIME('now') : "))).toMatchObject({ way: 'made', from_dttm: at })
  })

  it('a response is reused while its range is unchanged', async () => {
    at = Date.parse('2026-03-04T10:20:30.200Z')
    const alpha = await loadUser('alpha')
    await askUntilCached(alpha, withTimeRange('Last day'))
    at = Date.parse('2026-03-04T10:29:59.999Z')
    expect((await ask(alpha, withTimeRange('Last day'))).way).toBe('again')
    at += 1
    expect((await ask(alpha, withTimeRange('Last day'))).way).toBe('made')
  })

  it.each(['now()', 'current_date', 'CURRENT_TIMESTAMP', 'today()', "CAST('now' AS VARCHAR)", 'random()', 'localtime'])(
    'SQL that reads the clock is not cached: %s',
    async (expression) => {
      const alpha = await loadUser('alpha')
      const query = { columns: [], metrics: [sql('m', `MAX(CAST(${expression} AS VARCHAR))`)] }
      for (let time = 0; time < 3; time += 1) expect((await ask(alpha, query)).way).toBe('made')
    },
  )

  it('SQL of a virtual dataset that reads the clock is not cached', async () => {
    const alpha = await loadUser('alpha')
    const sets = (text: string | null) =>
      db().updateTable('dataset').set({ sql: text }).where('id', '=', cars.dataset).execute()
    await sets('SELECT *, current_date AS d FROM cars')
    try {
      for (let time = 0; time < 3; time += 1) expect((await ask(alpha, byOrigin)).way).toBe('made')
    } finally {
      await sets(null)
    }
  })
})

describe('POST /api/v1/chart/data', () => {
  const post = (body: object, headers: Record<string, string> = {}, user: 'alpha' | 'gamma' = 'alpha') =>
    cars.server.as(user).send('POST', '/api/v1/chart/data', {
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const wide = { columns: ['Name', 'Origin'], metrics: [sql('n', 'COUNT(*)')], orderby: [['Name', true]] }
  const body = (query: object) => ({ datasource: { id: cars.dataset, type: 'table' }, queries: [query] })

  it('returns the same bytes, compressed or not, and logs each call', async () => {
    const events = async () => {
      await cars.server.app.audit.flush()
      const { n } = await db()
        .selectFrom('log')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('action', '=', 'ChartDataRestApi.data')
        .executeTakeFirstOrThrow()
      return Number(n)
    }
    const before = await events()
    await post(body(wide))
    const plain = await post(body(wide))
    const again = await post(body(wide))
    expect(again.payload).toBe(plain.payload)
    for (let time = 0; time < 3; time += 1) {
      const packed = await post(body(wide), { 'accept-encoding': 'gzip, zstd' })
      expect(packed.headers).toMatchObject({
        'content-encoding': 'zstd',
        vary: 'Accept-Encoding',
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
      expect(String(zstdDecompressSync(packed.rawPayload))).toBe(plain.payload)
    }
    expect((await events()) - before).toBe(6)
  })

  it('checks the session and roles on every request', async () => {
    for (let time = 0; time < 3; time += 1) expect((await post(body(byOrigin))).statusCode).toBe(200)
    const { id } = await db().selectFrom('user').select('id').where('username', '=', 'alpha').executeTakeFirstOrThrow()
    const held = await db().selectFrom('user_role').selectAll().where('user_id', '=', id).execute()
    await db().deleteFrom('user_role').where('user_id', '=', id).execute()
    at += 1001
    expect((await post(body(byOrigin))).statusCode).toBe(403)
    await db().insertInto('user_role').values(held).execute()
    at += 1001
    expect((await post(body(byOrigin))).statusCode).toBe(200)
    await db().deleteFrom('session').where('user_id', '=', id).execute()
    at += 1001
    expect((await post(body(byOrigin))).statusCode).toBe(401)
  })
})
