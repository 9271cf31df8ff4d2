import { subjectId } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { addUser } from '../security/users.ts'
import { defaultConfig } from '../settings/config.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
const count = { expressionType: 'SQL', label: 'n', sqlExpression: 'count(*)' }
const ids = { chart: 0, secret: 0, alpha: 0, other: 0, admin: 0 }
const as = (user: string) => cars.server.as(user as TestUser)
let last = 0

beforeAll(async () => {
  const config = { ...structuredClone(defaultConfig), SMTP_HOST: 'localhost', SMTP_MAIL_FROM: 'bi@example.com' }
  cars = await startCarsServer({ settings: { config } })
  const { db } = cars.server.deps
  ids.other = await addUser(db, { username: 'other', password: 'other', roles: ['Alpha'] }, new Date())
  const idOf = async (name: string) =>
    (await db.selectFrom('user').select('id').where('username', '=', name).executeTakeFirstOrThrow()).id
  ids.alpha = await idOf('alpha')
  ids.admin = await idOf('admin')
  const create = async (path: string, body: object) => (await as('admin').post(path, body)).json<{ id: number }>().id
  ids.chart = await create('/api/v1/chart/', {
    slice_name: 'Cars <img src=x onerror=alert(1)>',
    viz_type: 'table',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({
      viz_type: 'table',
      query_mode: 'aggregate',
      groupby: ['Origin'],
      metrics: [count],
      row_limit: 100,
    }),
  })
  const role = await db.selectFrom('role').select('id').where('name', '=', 'Alpha').executeTakeFirstOrThrow()
  await create('/api/v1/rowlevelsecurity/', {
    name: 'Alpha sees Japan',
    filter_type: 'Regular',
    tables: [cars.dataset],
    roles: [role.id],
    clause: `"Origin" = 'Japan'`,
  })
})
afterAll(() => cars.close())

const body = (own: object = {}) => ({
  type: 'Report',
  name: `report ${++last}`,
  crontab: '0 9 * * *',
  chart: ids.chart,
  report_format: 'CSV',
  recipients: [{ type: 'User', recipient_config_json: { target: subjectId('user', ids.other) } }],
  extra: {},
  ...own,
})

describe('an Alpha whom a rule shows only cars from Japan', () => {
  const test = async (own: object) => {
    const response = await as('alpha').post('/api/v1/report/test_condition', {
      database: 1,
      validator_type: 'operator',
      validator_config_json: { op: '>', threshold: 0 },
      ...own,
    })
    return response.statusCode === 200
      ? response.json<{ result: { value: number } }>().result.value
      : response.statusCode
  }

  it('reads no other rows with the SQL of an alert', async () => {
    const japan = await test({ sql: 'SELECT count(*) FROM cars' })
    expect(japan).toBe(79)
    expect(await test({ sql: `SELECT count(*) FROM cars WHERE "Origin" = 'USA'` })).toBe(0)
    for (const sql of [
      `SELECT count(*) FROM cars WHERE 1 = 1 OR "Origin" = 'USA'`,
      `WITH cars AS (SELECT * FROM cars) SELECT count(*) FROM cars`,
      `SELECT count(*) FROM (SELECT * FROM main.cars) AS c`,
      `SELECT (SELECT count(*) FROM cars)`,
    ])
      expect(await test({ sql }), sql).toBeOneOf([79, 400, 403, 422])
    for (const sql of [
      `SELECT count(*) FROM cars; SELECT 1`,
      `DELETE FROM cars`,
      `SELECT count(*) FROM read_csv_auto('/etc/passwd')`,
      `SELECT 1 AS a, 2 AS b`,
      `SELECT * FROM range(3)`,
    ])
      expect(await test({ sql }), sql).toBeOneOf([400, 403, 422])
  })

  it('reads no other rows with the metric and the filters of an alert', async () => {
    const metric = (own: object) => ({
      extra: { parquetry: { metric: { dataset: cars.dataset, metric: count, ...own } } },
    })
    expect(await test(metric({}))).toBe(79)
    const where = (sqlExpression: string) => [{ expressionType: 'SQL', clause: 'WHERE', sqlExpression }]
    expect(await test(metric({ adhoc_filters: where(`1 = 1) OR (1 = 1`) }))).toBeOneOf([79, 400, 422])
    expect(await test(metric({ adhoc_filters: where(`1 = 1 OR "Origin" = 'USA'`) }))).toBe(79)
    const sql = { expressionType: 'SQL', label: 'x', sqlExpression: '(SELECT count(*) FROM cars)' }
    expect(await test(metric({ metric: sql }))).toBeOneOf([79, 400, 403, 422])
    expect(await test(metric({ dataset: 987_654 }))).toBeOneOf([400, 404, 422])
  })

  it('reads no other rows in a preview, and no code of others', async () => {
    const preview = (report_format: string, own: object = {}) =>
      as('alpha').post('/api/v1/report/preview', { chart: ids.chart, report_format, ...own })
    const csv = await preview('CSV')
    expect([csv.statusCode, csv.body]).toEqual([200, expect.stringContaining('Japan')])
    expect(csv.body).not.toContain('USA')
    const table = await preview('TEXT')
    expect([table.statusCode, table.body]).toEqual([200, expect.stringContaining('Japan')])
    expect(table.body).not.toMatch(/USA|<img|<script/)
    expect(table.headers['content-disposition']).toBe('attachment')
    for (const wrong of [{ custom_width: 2_000_000_000 }, { custom_width: -1 }, { timezone: 'Mars/Base' }])
      expect((await preview('PNG', wrong)).statusCode).toBe(400)
  })
})

describe('owners of one report', () => {
  const rightsOf = async (id: number) =>
    (await cars.server.deps.db.selectFrom('report').select('run_as_fk').where('id', '=', id).executeTakeFirstOrThrow())
      .run_as_fk
  const create = async (own: object = {}) => {
    const response = await as('admin').post('/api/v1/report/', body(own))
    expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
    return response.json<{ id: number }>().id
  }
  const put = (id: number, own: object, user = 'alpha') => as(user).put(`/api/v1/report/${id}`, own)

  it('cannot send what only another owner may see: what they change is sent with their own rights', async () => {
    for (const change of [
      { recipients: [{ type: 'User', recipient_config_json: { target: subjectId('user', ids.alpha) } }] },
      { report_format: 'XLSX' },
      { extra: { parquetry: { rows: 'owner', orientation: 'portrait' } } },
    ]) {
      const id = await create({ owners: [ids.alpha, ids.admin] })
      expect(await rightsOf(id)).toBe(ids.admin)
      const response = await put(id, change)
      if (response.statusCode === 200) expect(await rightsOf(id), JSON.stringify(change)).toBe(ids.alpha)
      else expect(response.statusCode, response.body).toBeOneOf([400, 422])
    }
  })

  it('see nothing of a report that is not theirs, under any address', async () => {
    const id = await create()
    for (const path of [`/api/v1/report/${id}`, `/api/v1/report/${id}/log/1`])
      expect((await as('other').get(path)).statusCode, path).toBe(404)
    expect((await as('other').get(`/api/v1/report/${id}/log/`)).json()).toMatchObject({ count: 0, result: [] })
    const search = await as('other').get(`/api/v1/report/?q=(filters:!((col:chart_id,opr:eq,value:${ids.chart})))`)
    expect(search.json()).toMatchObject({ count: 0 })
    for (const user of ['gamma', 'nobody'])
      for (const [method, path] of [
        ['GET', `/api/v1/report/${id}`],
        ['POST', '/api/v1/report/'],
        ['POST', '/api/v1/report/preview'],
        ['POST', '/api/v1/report/test_condition'],
        ['GET', '/api/v1/report/channels/'],
        ['GET', '/api/v1/report/slack_channels/'],
        ['PUT', `/api/v1/report/${id}`],
        ['DELETE', `/api/v1/report/${id}`],
      ] as const)
        expect((await as(user).send(method, path)).statusCode, `${user} ${method} ${path}`).toBeOneOf([401, 403])
  })
})

describe('the cost of a report', () => {
  const post = (own: object) => as('alpha').post('/api/v1/report/', body(own))
  const email = (target: string) => ({ type: 'Email', recipient_config_json: { target } })

  it('is limited: schedules by the minute, and a thousand addresses', async () => {
    for (const crontab of ['* * * * * *', '@every 1s', '*/1 * * * * * *'])
      expect((await post({ crontab })).statusCode, crontab).toBe(400)
    const hundred = (start: number) =>
      Array.from({ length: 100 }, (_, index) => `a${start + index}@example.com`).join(',')
    const lists = Array.from({ length: 11 }, (_, index) => email(hundred(index * 100)))
    const response = await post({ recipients: lists })
    expect([response.statusCode, response.body]).toEqual([422, expect.stringContaining('1,000')])
  })
})
