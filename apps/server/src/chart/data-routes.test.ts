import { loadStoredForm, namedQueries } from '@parquetry/charts'
import { createRandom, listSeeds, nameCase } from '@parquetry/model/testing/random'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, revoke } from '../security/grants.ts'
import { startCarsServer, type CarsServer } from './testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
})
afterAll(() => cars.close())

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
const byOrigin = { columns: ['Origin'], metrics: [count], orderby: [['Origin', true]] }
const context = (query: object, more: object = {}) => ({
  datasource: { id: cars.dataset, type: 'table' },
  queries: [query],
  ...more,
})
const post = async (body: unknown) => {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const response = await cars.server.as('alpha').send('POST', '/api/v1/chart/data', { payload, headers })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}

interface Entry {
  colnames: string[]
  data: Record<string, unknown>[]
  query: string
}
async function fetchEntry(query: object, more: object = {}): Promise<Entry> {
  const { status, body } = await post(context(query, more))
  expect(status, JSON.stringify(body)).toBe(200)
  return (body['result'] as [Entry])[0]
}

it('regression: supports the steps histogram and rank', async () => {
  const histogram = { operation: 'histogram', options: { column: 'Horsepower', groupby: [], bins: 4 } }
  const rank = { operation: 'rank', options: { metric: 'n' } }
  const { data } = await fetchEntry({ columns: ['Horsepower'], metrics: [], post_processing: [histogram] })
  expect(data).toHaveLength(1)
  const { colnames } = await fetchEntry({ ...byOrigin, post_processing: [rank] })
  expect(colnames).toContain('rank')
})

it('compares with the range directly before, and with one that starts at a date', async () => {
  const inRange = (val: string) => ({
    columns: ['Origin'],
    metrics: [count],
    filters: [{ col: 'Year', op: 'TEMPORAL_RANGE', val }],
    orderby: [['Origin', true]],
  })
  const numbers = async (val: string) => (await fetchEntry(inRange(val))).data.map(({ n }) => n)
  const { data } = await fetchEntry({
    ...inRange('1974-01-01 : 1976-01-01'),
    time_offsets: ['inherit', '1978-01-01'],
  })
  // The same number of days each.
  expect(data.map((row) => row['n'])).toEqual(await numbers('1974-01-01 : 1976-01-01'))
  expect(data.map((row) => row['n__inherit'])).toEqual(await numbers('1972-01-02 : 1974-01-01'))
  expect(data.map((row) => row['n__1978-01-01'])).toEqual(await numbers('1978-01-01 : 1980-01-01'))
  expect(new Set(data.flatMap(Object.values)).size).toBeGreaterThan(6)
})

const forecast = (options: object) => ({
  operation: 'prophet',
  options: { time_grain: 'P1Y', periods: 2, confidence_interval: 0.8, index: 'Year', ...options },
})

it('forecasts, and explains when it cannot', async () => {
  const byYear = { columns: ['Year'], metrics: [count], orderby: [['Year', true]] }
  const known = await fetchEntry(byYear)
  const { colnames, data } = await fetchEntry({ ...byYear, post_processing: [forecast({})] })
  expect(colnames).toEqual(['Year', 'n', 'n__yhat', 'n__yhat_lower', 'n__yhat_upper'])
  expect(data).toHaveLength(known.data.length + 2)
  expect(data.at(-1)).toMatchObject({ Year: Date.UTC(1984, 0, 1), n: null, n__yhat: expect.any(Number) as number })
  const postQuery = (query: object) => post(context(query))
  const few = { ...byYear, row_limit: 4, post_processing: [forecast({})] }
  expect(await postQuery(few)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('at least 5 points in time') as string },
  })
  const names = { ...byOrigin, post_processing: [forecast({ index: 'Origin' })] }
  expect(await postQuery(names)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('a temporal column') as string },
  })
})

it('compares a number with that of another time', async () => {
  const asked = { columns: [], metrics: [count], granularity: 'Year', time_range: '1975-01-01 : 1976-01-01' }
  const other = await fetchEntry({ ...asked, time_range: '1974-01-01 : 1975-01-01' })
  const { data } = await fetchEntry({ ...asked, time_offsets: ['1 year ago'] })
  const [now] = (await fetchEntry(asked)).data
  expect(data).toEqual([{ n: now?.['n'], 'n__1 year ago': other.data[0]?.['n'] }])
  expect(now?.['n']).not.toBe(other.data[0]?.['n'])
})

describe('API-056: POST /api/v1/chart/data rejects with the messages of the API', () => {
  const places: [what: string, query: object, problem: string][] = [
    ['a number for columns', { columns: 5 }, "'columns': ['Not a valid list.']"],
    ['a list for a time range', { ...byOrigin, time_range: [] }, "'time_range': ['Not a valid string.']"],
    ['a word for a limit', { ...byOrigin, row_limit: 'all' }, "'row_limit': ['Not a valid integer.']"],
    [
      'a limit under zero',
      { ...byOrigin, row_limit: -1 },
      "'row_limit': ['`row_limit` must be greater than or equal to 0']",
    ],
    ['a limit beyond any integer', { ...byOrigin, row_limit: 1e300 }, "'row_limit': ['Not a valid integer.']"],
    ['text for filters', { ...byOrigin, filters: 'x' }, "'filters': ['Not a valid list.']"],
    [
      'a filter without an operator',
      { ...byOrigin, filters: [{ col: 'Origin' }] },
      "{'op': ['Missing data for required field.']}",
    ],
    ['null for a filter', { ...byOrigin, filters: [null] }, "'filters': {0: {'_schema': ['Invalid input type.']}}"],
    ['an order of one', { ...byOrigin, orderby: [['Origin']] }, "'orderby': {0: ['Length must be 2.']}"],
    ['an unknown result type', { ...byOrigin, result_type: 'all' }, "'result_type': ['Invalid enum value all']"],
    [
      'a step of another name',
      { ...byOrigin, post_processing: [{ operation: 'eval' }] },
      "'operation': ['Must be one of:",
    ],
    [
      'a step that is a list',
      { ...byOrigin, post_processing: [[]] },
      "'post_processing': {0: {'_schema': ['Invalid input type.']}}",
    ],
  ]
  it.each(places)('%s', async (_what, query, problem) => {
    const { status, body } = await post(context(query))
    expect(status).toBe(400)
    expect(body['message']).toContain('Request is incorrect: {')
    expect(body['message']).toContain(problem)
  })

  it('more than 100 queries', async () => {
    const { status, body } = await post({ ...context(byOrigin), queries: Array(101).fill(byOrigin) })
    expect([status, body['message']]).toEqual([
      400,
      "Request is incorrect: {'queries': ['Longer than maximum length 100.']}",
    ])
  })

  it.each(['[]', '"text"', '7', 'null', '{', ''])('the body %s', async (body) => {
    const { status, body: said } = await post(body)
    expect(status).toBe(400)
    expect(JSON.stringify(said)).not.toContain('at ')
  })

  it.each([
    ['a dataset that is not there', { id: 99_999, type: 'table' }, 404],
    ['an id under zero', { id: -1, type: 'table' }, 404],
    ['an id that is SQL', { id: '1 OR 1=1', type: 'table' }, 400],
    ['an id that is a word', { id: 'nope', type: 'table' }, 400],
    ['a uuid that nobody has', { id: '00000000-0000-4000-8000-000000000000', type: 'table' }, 404],
    ['a kind of dataset that holds no rows here', { id: 1, type: 'saved_query' }, 404],
    ['a kind that nobody knows', { id: 1, type: 'constructor' }, 400],
  ])('%s', async (_what, datasource, status) => {
    expect((await post({ ...context(byOrigin), datasource })).status).toBe(status)
  })

  it('a user who is not signed in', async () => {
    const response = await cars.server.as('nobody').post('/api/v1/chart/data', context(byOrigin))
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ msg: 'Missing Authorization Header' })
  })

  it('files without `can_csv`', async () => {
    const { app, deps } = cars.server
    const pair = ['can_csv', 'Superset'] as const
    await revoke(deps.db, 'Alpha', pair)
    app.authenticator.forget()
    const { status } = await post(context(byOrigin, { result_format: 'csv' }))
    await grant(deps.db, 'Alpha', pair)
    app.authenticator.forget()
    expect(status).toBe(403)
  })
})

describe('compatibility of requests', () => {
  it('ignores unknown fields of a query', async () => {
    const { data } = await fetchEntry({ ...byOrigin, later_field: { any: 1 } })
    expect(data).toHaveLength(3)
  })

  it('regression: rejects unknown fields of the context and of extras, except those of a saved chart', async () => {
    expect(await post(context(byOrigin, { nope: 1 }))).toEqual({
      status: 400,
      body: { message: `Request is incorrect: {'nope': ['Unknown field.']}` },
    })
    expect(await post(context({ ...byOrigin, extras: { where: '', nope: 1 } }))).toEqual({
      status: 400,
      body: { message: `Request is incorrect: {'queries': {0: {'extras': {'nope': ['Unknown field.']}}}}` },
    })
    const saved = { ...context({ ...byOrigin, extras: { nope: 1 } }), nope: 1 }
    const chart = { slice_name: 'old', datasource_id: cars.dataset, datasource_type: 'table', viz_type: 'table' }
    const made = await cars.server
      .as('admin')
      .post('/api/v1/chart/', { ...chart, query_context: JSON.stringify(saved) })
    const response = await cars.server.as('admin').get(`/api/v1/chart/${made.json<{ id: number }>().id}/data/`)
    expect(response.statusCode).toBe(200)
  })

  it('regression: rejects an unknown metric in every result type', async () => {
    for (const result_type of ['full', 'results', 'query', 'samples', 'drill_detail', 'columns', 'timegrains'])
      expect(await post(context({ columns: ['Origin'], metrics: ['nope'] }, { result_type }))).toEqual({
        status: 400,
        body: { message: `Error: Metric 'nope' does not exist` },
      })
  })

  it('supports deprecated field names', async () => {
    const old = { groupby: ['Origin'], metrics: [count], where: `"Origin" <> 'USA'`, timeseries_limit: 0 }
    expect((await fetchEntry(old)).data).toHaveLength(2)
  })

  it('accepts a form post for downloads', async () => {
    const response = await cars.server.as('alpha').send('POST', '/api/v1/chart/data', {
      payload: new URLSearchParams({
        form_data: JSON.stringify(context(byOrigin, { result_format: 'csv' })),
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([response.statusCode, response.body]).toEqual([200, 'Origin,n\nEurope,73\nJapan,79\nUSA,254\n'])
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename=\d{8}_\d{6}\.csv$/)
  })
})

const hostile = ['__proto__', 'constructor', 'toString', '"; DROP TABLE cars; --', "it's", '💥', 'a'.repeat(300)]

describe('hostile names', () => {
  it.each(hostile)('are preserved as labels: %j', async (label) => {
    const response = await post(
      context({ columns: ['Origin'], metrics: [{ ...count, label }], orderby: [['Origin', true]] }),
    )
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    const [{ colnames, data }] = response.body['result'] as [Entry]
    expect(colnames).toEqual(['Origin', label])
    expect(Object.getOwnPropertyDescriptor(data[0], label)?.value).toBe(73)
  })

  it.each(hostile)('are reported as missing when used as columns: %j', async (name) => {
    const { status, body } = await post(context({ columns: [name], metrics: [count] }))
    expect(status).toBe(400)
    expect(body['message']).toContain('Columns missing in dataset: [')
  })

  it('with NUL are rejected, because no database accepts them', async () => {
    const nul = 'a\u0000b'
    const asked = [
      { columns: ['Origin'], metrics: [{ ...count, label: nul }] },
      { columns: [nul], metrics: [count] },
      { ...byOrigin, filters: [{ col: 'Origin', op: '==', val: nul }] },
    ]
    for (const query of asked) expect((await post(context(query))).status).toBe(400)
  })

  it.each(hostile)('are compared as text when used as values: %j', async (val) => {
    const response = await post(context({ ...byOrigin, filters: [{ col: 'Origin', op: '==', val }] }))
    expect((response.body['result'] as [Entry])[0].data).toEqual([])
  })

  it.each([
    'COUNT(*) FROM cars; DROP TABLE cars',
    '(SELECT MAX(Name) FROM cars)',
    '1) FROM cars --',
    "(SELECT content FROM read_text('/etc/passwd'))",
  ])('cannot break out of their parentheses when used as expressions: %s', async (sqlExpression) => {
    const { status, body } = await post(context({ columns: ['Origin'], metrics: [{ ...count, sqlExpression }] }))
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain('root:')
    expect((await fetchEntry(byOrigin)).data).toHaveLength(3)
  })
})

describe('GET /api/v1/chart/{id}/data/', () => {
  async function save(query_context: unknown): Promise<number> {
    const response = await cars.server.as('admin').post('/api/v1/chart/', {
      slice_name: 'c',
      viz_type: 'table',
      datasource_id: cars.dataset,
      datasource_type: 'table',
      ...(query_context !== undefined && { query_context: JSON.stringify(query_context) }),
    })
    expect(response.statusCode, response.body).toBe(201)
    return response.json<{ id: number }>().id
  }
  const get = (id: number | string, query = '') => cars.server.as('alpha').get(`/api/v1/chart/${id}/data/${query}`)

  it('returns the saved query in the requested format', async () => {
    const id = await save(context(byOrigin))
    expect((await get(id)).json<{ result: [Entry] }>().result[0].data).toHaveLength(3)
    expect((await get(id, '?format=csv')).body).toBe('Origin,n\nEurope,73\nJapan,79\nUSA,254\n')
    expect((await get(id, '?type=query')).json<{ result: [Entry] }>().result[0].query).toContain('GROUP BY')
  })

  it('rejects invalid requests', async () => {
    const id = await save(context(byOrigin))
    const without = await save(undefined)
    expect((await get(id, '?format=zz')).statusCode).toBe(400)
    expect((await get(id, '?type=zz')).statusCode).toBe(400)
    expect((await get(without)).json()).toEqual({
      message: 'Chart has no query context saved. Please save the chart again.',
    })
    expect((await get(99_999)).statusCode).toBe(404)
    expect((await get('nope')).statusCode).toBe(404)
  })

  it('returns 404 for a chart whose data the user may not read', async () => {
    const id = await save(context(byOrigin))
    const response = await cars.server.as('gamma').get(`/api/v1/chart/${id}/data/`)
    expect(response.statusCode).toBe(404)
  })

  it('returns 404 for an unknown result key', async () => {
    const response = await cars.server.as('alpha').get('/api/v1/chart/data/nope')
    expect([response.statusCode, response.json()]).toEqual([404, { message: 'Not found' }])
  })
})

describe('tables', () => {
  const table = { viz_type: 'table', groupby: ['Cylinders'], metrics: [count], show_totals: true }
  /** Answers of the queries of a form, by their names. */
  async function answersOf(form: object, state: Record<string, unknown> = {}): Promise<Record<string, Entry['data']>> {
    const opened = await loadStoredForm({ ...table, ...form, datasource: `${cars.dataset}__table` })
    const queries = namedQueries(opened!.chart, opened!.form, state)
    const { status, body } = await post({ ...context({}), queries: Object.values(queries) })
    expect(status, JSON.stringify(body)).toBe(200)
    const results = body['result'] as Entry[]
    return Object.fromEntries(Object.keys(queries).map((name, index) => [name, results[index]!.data]))
  }
  const sumOf = (rows: Entry['data'] | undefined, name: string) =>
    (rows ?? []).reduce((sum, row) => sum + Number(row[name]), 0)

  it('C045: the total under a HAVING filter is that of the rows, with and without pages, shown or not', async () => {
    for (const having of ['COUNT(*) > 50', 'AVG("Horsepower") > 100']) {
      const { rows, totals } = await answersOf({ having })
      expect(rows!.length).toBeGreaterThan(0)
      expect(totals).toEqual([{ n: sumOf(rows, 'n') }])
      const paged = await answersOf({ having, server_pagination: true, server_page_length: 1 })
      expect(paged['rows']).toHaveLength(1)
      expect([paged['totals'], paged['count']]).toEqual([totals, [{ rowcount: rows!.length }]])
    }
  })

  it('C046: percentages are of the rows or of all records, the same on each page, and have a total', async () => {
    const largest = { timeseries_limit_metric: count, order_desc: true }
    const form = { metrics: [], percent_metrics: [count], ...largest, row_limit: 2 }
    const all = (await answersOf({})).rows!
    const [first, second] = all.map((row) => Number(row['n']))
    const whole = sumOf(all, 'n')
    const sharesOf = (rows: Entry['data'] | undefined) => rows?.map((row) => row['%n'])
    const limited = await answersOf(form)
    expect(Object.keys(limited['rows']![0]!)).toEqual(['Cylinders', '%n'])
    expect(sharesOf(limited['rows'])).toEqual([first! / (first! + second!), second! / (first! + second!)])
    expect(limited['totals']).toEqual([{ '%n': 1 }])
    const ofAll = await answersOf({ ...form, percent_metric_calculation: 'all_records' })
    expect(sharesOf(ofAll['rows'])).toEqual([first! / whole, second! / whole])
    const paged = { ...form, server_pagination: true, server_page_length: 1 }
    expect(sharesOf((await answersOf(paged)).rows)).toEqual([first! / whole])
    expect(sharesOf((await answersOf(paged, { currentPage: 1 })).rows)).toEqual([second! / whole])
  })
})

it('a cached result equals a fresh one, whatever is queried', async () => {
  const metrics = [count, { ...count, sqlExpression: 'AVG("Horsepower")', label: 'hp' }]
  const seeds = listSeeds(200)
  const queries = seeds.map((seed) => {
    const random = createRandom(seed)
    return {
      columns: [random.pick(['Origin', 'Cylinders', 'Horsepower']), ...random.pick([[], ['Year']])],
      metrics: random.pick([[], metrics.slice(0, 1), metrics]),
      filters: random.pick([[], [{ col: 'Cylinders', op: random.pick(['>', '<=', '!=']), val: 3 + random.int(5) }]]),
      extras: random.pick([{}, { having: `COUNT(*) > ${random.int(9)}` }]),
      orderby: random.pick([[], [[count, random.pick([true, false])]]]),
      row_offset: random.pick([0, 3]),
      row_limit: random.pick([5, 1000]),
    }
  })
  const fetchAnswers = async (more: object) => {
    const found: { case: string; colnames: unknown; data: unknown }[] = []
    for (let from = 0; from < queries.length; from += 20) {
      const { status, body } = await post({ ...context({}), queries: queries.slice(from, from + 20), ...more })
      expect(status, JSON.stringify(body)).toBe(200)
      for (const { colnames, data } of body['result'] as Entry[])
        found.push({ case: nameCase(seeds[found.length]!), colnames, data })
    }
    return found
  }
  const fresh = await fetchAnswers({})
  expect(await fetchAnswers({})).toEqual(fresh)
  expect(await fetchAnswers({ force: true })).toEqual(fresh)
  expect(new Set(fresh.map(({ data }) => JSON.stringify(data))).size).toBeGreaterThan(Math.min(50, seeds.length / 2))
})
