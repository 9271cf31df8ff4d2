import type { AsyncEvent } from '@parquetry/model'
import { measureEventLoop } from '@parquetry/testing/processor-time'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { grant, revoke } from '../security/grants.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
}, 60_000)
afterAll(() => cars.close())

const path = '/superset/explore_json/'
const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
const bars = (more: object = {}) => ({
  datasource: `${cars.dataset}__table`,
  viz_type: 'dist_bar',
  groupby: ['Origin'],
  metrics: [count],
  ...more,
})
const carsByOrigin = { Europe: 73, Japan: 79, USA: 254 }
const barData = [{ key: 'n', values: Object.entries(carsByOrigin).map(([x, y]) => ({ x, y })) }]

interface Payload extends Record<string, unknown> {
  data: unknown
  form_data: Record<string, unknown>
  errors: { message: string; error_type: string }[]
}
interface TestRequest {
  as?: TestUser | 'nobody'
  by?: 'bearer' | 'session'
  to?: string
}

/** Sends the request like older clients: a form whose only field is JSON. */
async function post(form: object | string, { as = 'alpha', by = 'bearer', to = path }: TestRequest = {}) {
  const form_data = typeof form === 'string' ? form : JSON.stringify(form)
  const response = await cars.server.as(as, by).send('POST', to, {
    payload: new URLSearchParams({ form_data }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return {
    status: response.statusCode,
    text: response.body,
    headers: response.headers,
    body: () => response.json<Payload>(),
  }
}
const get = async (to: string) => {
  const response = await cars.server.as('alpha').get(to)
  return { status: response.statusCode, body: response.json<Payload>() }
}
const inAddress = (form: object) => `form_data=${encodeURIComponent(JSON.stringify(form))}`

describe('API-057: the legacy route for chart data', () => {
  it('reads the form from a field, the URL or JSON, and the dataset from the path', async () => {
    const { datasource: _, ...loose } = bars()
    const ofDataset = `${path}table/${cars.dataset}/`
    const alpha = cars.server.as('alpha')
    const answers = [
      (await post(bars())).body(),
      (await post(loose, { to: ofDataset })).body(),
      (await get(`${path}?${inAddress(bars())}`)).body,
      (await get(`${ofDataset}?${inAddress(loose)}`)).body,
      (await alpha.post(path, bars())).json<Payload>(),
      (await alpha.post(path, { form_data: bars() })).json<Payload>(),
      (await post(bars({ viz_type: 'table' }), { to: `${path}?${inAddress({ viz_type: 'dist_bar' })}` })).body(),
    ]
    expect(answers.map(({ data }) => data)).toEqual(answers.map(() => barData))
  })

  it('returns all metadata of a result and caches it', async () => {
    const form = bars({
      adhoc_filters: [],
      extra_filters: [
        { col: 'Origin', op: 'in', val: ['Japan'] },
        { col: 'nope', op: '==', val: 1 },
      ],
    })
    const runs = cars.runs()
    const first = (await post(form)).body()
    expect(first).toMatchObject({
      is_cached: false,
      cached_dttm: null,
      status: 'success',
      errors: [],
      stacktrace: null,
      rowcount: 1,
      colnames: ['Origin', 'n'],
      coltypes: [1, 0],
      from_dttm: null,
      applied_filters: [{ column: 'Origin' }],
      rejected_filters: [{ column: 'nope', reason: 'not_in_datasource' }],
      data: [{ key: 'n', values: [{ x: 'Japan', y: 79 }] }],
    })
    expect(first['query']).toContain('GROUP BY')
    expect(first.form_data).toMatchObject({
      filters: [{ col: 'Origin', op: 'in', val: ['Japan'] }, { col: 'nope' }],
      where: '',
    })
    const again = (await post({ ...form, slice_id: 7 })).body()
    expect([again['is_cached'], again['cache_key'], again.data]).toEqual([true, first['cache_key'], first.data])
    expect((await post(form, { to: `${path}?force=true` })).body()['is_cached']).toBe(false)
    // Each uncached response may also run a statement for its expression.
    expect(cars.runs() - runs).toBeLessThanOrEqual(4)
  })

  it('fills in a saved chart by its id alone, for users who may see it', async () => {
    const { datasource: _, viz_type, ...params } = bars()
    const chart = {
      slice_name: 'Bars',
      viz_type,
      datasource_id: cars.dataset,
      datasource_type: 'table',
      params: JSON.stringify(params),
    }
    const { id } = (await cars.server.as('admin').post('/api/v1/chart/', chart)).json<{ id: number }>()
    const { body } = await get(`${path}?${inAddress({ slice_id: id })}`)
    expect([body.data, body.form_data['slice_id']]).toEqual([barData, id])
    expect((await post({ slice_id: id }, { as: 'gamma' })).status).toBe(403)
  })

  it('returns the SQL, the rows, samples or a file instead', async () => {
    const to = (name: string) => ({ to: `${path}?${name}=true` })
    const query = (await post(bars(), to('query'))).body()
    expect(query).toEqual({ query: expect.stringContaining('COUNT(*)') as string, language: 'sql' })
    expect((await post(bars(), to('results'))).body()).toEqual({
      colnames: ['Origin', 'n'],
      coltypes: [1, 0],
      data: expect.arrayContaining([{ Origin: 'Japan', n: 79 }]) as unknown,
    })
    const samples = (await post(bars({ row_limit: 2 }), to('samples'))).body()
    expect(samples.data).toHaveLength(406)
    expect(samples['colnames']).toContain('Horsepower')
    const file = await post(bars(), to('csv'))
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(file.text.trim().split('\n').toSorted()).toEqual(['Europe,73', 'Japan,79', 'Origin,n', 'USA,254'])
  })

  it('runs one query per filter of a filter box', async () => {
    const filters = [{ column: 'Origin', metric: count }, { column: 'Cylinders' }]
    const { data } = (await post(bars({ viz_type: 'filter_box', filter_configs: filters }))).body()
    expect(data).toMatchObject({ Origin: [{ id: 'USA', text: 'USA', metric: 254 }, {}, {}] })
    expect((data as { Cylinders: { id: number }[] }).Cylinders.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([
      3, 4, 5, 6, 8,
    ])
  })

  it('combines charts into layers, with the access rights of the caller', async () => {
    const line = {
      datasource: `${cars.dataset}__table`,
      viz_type: 'echarts_timeseries_line',
      x_axis: 'Year',
      time_grain_sqla: 'P1Y',
      metrics: [count],
      groupby: [],
    }
    const made = await cars.server.as('admin').post('/api/v1/chart/', {
      slice_name: 'Cars of a year',
      viz_type: line.viz_type,
      datasource_id: cars.dataset,
      datasource_type: 'table',
      params: JSON.stringify(line),
    })
    const { id } = made.json<{ id: number }>()
    const gone = 999_999
    const lines = { datasource: line.datasource, viz_type: 'line_multi', line_charts: [gone], line_charts_2: [id] }
    const answer = (await post({ ...lines, prefix_metric_with_slice_name: true })).body()
    expect(answer.data).toEqual([
      {
        key: 'Cars of a year: n',
        yAxis: 2,
        type: 'line',
        values: expect.arrayContaining([{ x: Date.UTC(1970, 0), y: 35 }]) as unknown,
      },
    ])
    expect(answer.errors.map(({ message }) => message)).toEqual(['Error: The chart does not exist'])
    const maps = { datasource: line.datasource, viz_type: 'deck_multi', deck_slices: [id] }
    expect((await post(maps)).body().data).toMatchObject({
      slices: [{ slice_id: id, slice_name: 'Cars of a year', form_data: line }],
    })
    expect((await post({ ...lines, line_charts_2: [], line_charts: [] })).status).toBe(400)
  })

  it('regression: thousands of filters in a box or over a form do not block the event loop', async () => {
    const many = <T>(length: number, of: (index: number) => T) => Array.from({ length }, (_, index) => of(index))
    const box = {
      viz_type: 'filter_box',
      filter_configs: many(3000, (index) => ({ column: `c${index}`, metric: count })),
    }
    const filters = {
      adhoc_filters: many(4000, (index) => ({
        expressionType: 'SIMPLE',
        clause: 'WHERE',
        subject: 'Origin',
        operator: 'IN',
        comparator: [`x${index}`],
      })),
      extra_filters: many(4000, (index) => ({ col: 'Origin', op: 'IN', val: [`y${index}`] })),
    }
    for (const form of [bars(box), bars(filters)]) {
      const { result, longestMs } = await measureEventLoop(() => post(form))
      const { status, text } = result
      // Before the fix, these took 0.4 and 17 seconds and blocked all other requests.
      expect([status, text.includes('up to') || text.includes('maximum length')]).toEqual([400, true])
      expect(longestMs).toBeLessThan(3000)
    }
  })

  it('regression: property names of Object.prototype are not settings, and the number of levels is limited', async () => {
    const line = { viz_type: 'line', granularity_sqla: 'Year', rolling_periods: 3, time_range: '1970 : 1983' }
    for (const more of [
      { rolling_type: '__proto__' },
      { rolling_type: 'constructor' },
      { comparison_type: '__defineGetter__', time_compare: ['1 year'] },
    ]) {
      const { status, text } = await post(bars({ ...line, ...more }))
      expect(status, text).toBe(200)
      const plain = await post(bars({ ...line, ...('time_compare' in more && { time_compare: ['1 year'] }) }))
      expect((JSON.parse(text) as Payload).data).toEqual(plain.body().data)
    }
    const groupby = Array.from({ length: 1500 }, (_, index) => ({
      expressionType: 'SQL',
      sqlExpression: 'Origin',
      label: `level ${index}`,
    }))
    for (const viz_type of ['partition', 'treemap'])
      expect((await post(bars({ viz_type, groupby }))).text).toContain('at most 100 dimensions')
  })

  it('compares with an earlier period', async () => {
    const form = {
      ...bars(),
      viz_type: 'line',
      groupby: [],
      granularity_sqla: 'Year',
      time_grain_sqla: 'P1Y',
      time_range: '1975-01-01 : 1977-01-01',
      time_compare: ['1 year'],
    }
    const { data } = (await post(form)).body()
    expect(data).toEqual([
      { key: 'n', values: [1975, 1976].map((year) => ({ x: Date.UTC(year, 0), y: expect.any(Number) as number })) },
      {
        key: ['n', '1 year offset'],
        classed: 'time-shift-0',
        values: [1975, 1976].map((year) => ({ x: Date.UTC(year, 0), y: expect.any(Number) as number })),
      },
    ])
    const [now, before] = data as { values: { y: number }[] }[]
    expect(before?.values[1]?.y).toBe(now?.values[0]?.y)
  })
})

describe('refuses', () => {
  it.each([
    ['a metric that is not there', { metrics: ['nope'] }, "Metric 'nope' does not exist"],
    ['a column that is not there', { groupby: ['nope'] }, "Columns missing in datasource: ['nope']"],
    ['settings of other kinds', { metrics: [7], groupby: [{}] }, 'Request is incorrect'],
    ['SQL that is none', { metrics: [{ ...count, sqlExpression: 'COUNT(' }] }, ''],
    ['another query in an expression', { where: '1 < (SELECT COUNT(*) FROM cars)' }, ''],
    ['SQL that opens what it does not close', { where: "1 = 1) OR ('a' = 'a" }, ''],
  ])('%s with an error in the chart response', async (_, more, sentence) => {
    const { status, body, text } = await post(bars(more))
    expect([status, text.includes('    at ')]).toEqual([400, false])
    const bodyText = JSON.stringify(body())
    expect(bodyText).toContain(sentence)
    expect(bodyText).not.toContain('"data"')
  })

  it.each([
    ['a type of chart that it does not answer', { viz_type: 'pie' }, 400],
    ['no type', { viz_type: undefined }, 400],
    ['a form without metrics', { metrics: [] }, 400],
    ['a range that is none', { time_range: '2020-01-02 : 2020-01-01' }, 400],
    ['a dataset that is not there', { datasource: '9999__table' }, 404],
  ])('%s with a message', async (_, more, status) => {
    const response = await post(bars(more))
    expect([response.status, response.body()]).toEqual([status, { error: expect.stringMatching(/\w/) as string }])
  })

  it('a body that is not a form, because it names no dataset', async () => {
    for (const body of ['{', '[]', '7', 'null', '{}', '{"datasource":"None__table"}'])
      expect((await post(body)).body()).toEqual({
        errors: [
          {
            message: 'The dataset associated with this chart no longer exists',
            error_type: 'FAILED_FETCHING_DATASOURCE_INFO_ERROR',
            level: 'error',
            extra: null,
          },
        ],
      })
  })

  it('users who are not signed in, lack the permission, or may not read the dataset', async () => {
    expect((await post(bars(), { as: 'nobody' })).status).toBe(401)
    const gamma = await post(bars(), { as: 'gamma' })
    expect([gamma.status, gamma.body().errors[0]?.error_type]).toEqual([403, 'DATASOURCE_SECURITY_ACCESS_ERROR'])
    const { app, deps } = cars.server
    for (const [pair, to] of [
      ['can_explore_json', path],
      ['can_csv', `${path}?csv=true`],
    ] as const) {
      await revoke(deps.db, 'Alpha', [pair, 'Superset'])
      app.authenticator.forget()
      const { status, text } = await post(bars(), { to })
      await grant(deps.db, 'Alpha', [pair, 'Superset'])
      app.authenticator.forget()
      expect([status, text.includes('USA')], pair).toEqual([403, false])
    }
  })
})

describe('server settings', () => {
  const setFlag = (name: string, value: boolean) => void (cars.server.deps.settings.flags[name] = value)
  afterEach(() => {
    setFlag('ENABLE_EXPLORE_JSON_CSRF_PROTECTION', false)
    setFlag('GLOBAL_ASYNC_QUERIES', false)
  })

  it('ENABLE_EXPLORE_JSON_CSRF_PROTECTION: allows only POST, and from a session only with its token', async () => {
    setFlag('ENABLE_EXPLORE_JSON_CSRF_PROTECTION', true)
    expect((await get(`${path}?${inAddress(bars())}`)).status).toBe(405)
    expect((await post(bars())).status).toBe(200)
  })

  it('GLOBAL_ASYNC_QUERIES: accepts the form and returns the result to its requester when it is ready', async () => {
    setFlag('GLOBAL_ASYNC_QUERIES', true)
    const form = bars({ row_limit: 3 })
    const accepted = await post(form, { as: 'admin' })
    const { job_id } = accepted.body() as unknown as AsyncEvent
    expect(accepted.status).toBe(202)
    const event = await waitForEnd(job_id)
    expect(event).toMatchObject({ status: 'done', result_url: `/superset/explore_json/data/${job_id}` })
    const response = await cars.server.as('admin').get(String(event.result_url))
    expect([response.statusCode, response.json()]).toMatchObject([200, { is_cached: true, data: barData }])
    expect((await get(String(event.result_url))).status).toBe(404)
    const failed = (await post(bars({ metrics: ['nope'] }), { as: 'admin' })).body() as unknown as AsyncEvent
    expect(await waitForEnd(failed.job_id)).toMatchObject({
      status: 'error',
      errors: [{ message: "Metric 'nope' does not exist" }],
    })
  })
})

/** Polls for the event of a job, as clients do. */
async function waitForEnd(jobId: string): Promise<AsyncEvent> {
  for (;;) {
    const events = await cars.server.as('admin').get('/api/v1/async_event/')
    const found = events.json<{ result: AsyncEvent[] }>().result.find(({ job_id }) => job_id === jobId)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
