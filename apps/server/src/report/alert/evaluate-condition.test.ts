import type { ReportConditionRequest, ReportConditionResult } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../../chart/testing.ts'
import { grant } from '../../security/grants.ts'
import type { TestUser } from '../../testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
  const { db } = cars.server.deps
  // Gamma may write alerts here, and reads the cars alone.
  for (const pair of [
    ['can_write', 'ReportSchedule'],
    ['datasource_access', `[d].[cars](id:${cars.dataset})`],
  ] as const)
    await grant(db, 'Gamma', pair)
})
afterAll(() => cars.close())

const test = (body: Partial<ReportConditionRequest>, user: TestUser = 'admin') =>
  cars.server.as(user).post('/api/v1/report/test_condition', {
    validator_type: 'operator',
    validator_config_json: { op: '>', threshold: 100 },
    ...body,
  })
const evaluate = async (body: Partial<ReportConditionRequest>, user?: TestUser): Promise<ReportConditionResult> => {
  const response = await test(body, user)
  expect([response.statusCode, response.body]).toEqual([200, expect.anything()])
  return response.json<{ result: ReportConditionResult }>().result
}
const sqlOf = (sql: string) => ({ database: 1, sql })
const metricOf = (sqlExpression: string, more: object = {}) => ({
  extra: {
    parquetry: {
      metric: { dataset: cars.dataset, metric: { expressionType: 'SQL', sqlExpression, label: 'value' }, ...more },
    },
  },
})

it('compares the value of SQL', async () => {
  expect(await evaluate(sqlOf('SELECT count(*) AS n FROM cars'))).toEqual({
    value: 406,
    row: { n: 406 },
    is_triggered: true,
  })
  expect(await evaluate(sqlOf('SELECT count(*) AS n FROM cars WHERE 1 = 0'))).toMatchObject({ is_triggered: false })
})

it('compares a metric of a dataset, with its filters', async () => {
  expect(await evaluate(metricOf('COUNT(*)'))).toMatchObject({ value: 406, is_triggered: true })
  const japan = [{ expressionType: 'SIMPLE', clause: 'WHERE', subject: 'Origin', operator: '==', comparator: 'Japan' }]
  expect(await evaluate(metricOf('COUNT(*)', { adhoc_filters: japan }))).toMatchObject({
    value: 79,
    is_triggered: false,
  })
  expect(await evaluate(metricOf('COUNT(*)', { time_range: '1982-01-01 : 1983-01-01' }))).toMatchObject({ value: 61 })
})

it('a query without rows has no value', async () => {
  const none = sqlOf('SELECT "Cylinders" FROM cars WHERE 1 = 0')
  expect(await evaluate(none)).toEqual({ value: null, row: null, is_triggered: false })
  expect(await evaluate({ ...none, validator_config_json: { op: '<', threshold: 1 } })).toMatchObject({
    is_triggered: true,
  })
  expect(await evaluate({ ...none, validator_type: 'not null' })).toMatchObject({ is_triggered: false })
})

it('refuses several rows or columns and text, with the field', async () => {
  for (const sql of ['SELECT 1, 2', 'SELECT "Cylinders" FROM cars', `SELECT 'text'`]) {
    const response = await test(sqlOf(sql))
    expect([response.statusCode, response.json()], sql).toEqual([422, { message: { sql: [expect.any(String)] } }])
  }
  expect(await evaluate({ ...sqlOf(`SELECT 'text' AS t`), validator_type: 'not null' })).toEqual({
    value: null,
    row: { t: 'text' },
    is_triggered: true,
  })
})

it('only reads, and only what its author may read', async () => {
  for (const sql of ['DROP TABLE cars', 'SELECT 1; SELECT 2', `SELECT count(*) FROM read_csv('/etc/passwd')`])
    expect((await test(sqlOf(sql))).statusCode, sql).toBeGreaterThanOrEqual(400)
  expect(await evaluate(sqlOf('SELECT count(*) FROM cars'), 'gamma')).toMatchObject({ value: 406 })
  expect((await test(sqlOf('SELECT count(*) FROM information_schema.tables'), 'gamma')).statusCode).toBe(403)
  expect((await test({ ...sqlOf('SELECT 1'), database: 99 }, 'gamma')).json()).toEqual({
    message: { database: 'Database does not exist' },
  })
  expect((await cars.server.as('sqllab').post('/api/v1/report/test_condition', {})).statusCode).not.toBe(200)
})

it('nothing comes from the cache', async () => {
  const before = cars.runs()
  await evaluate(metricOf('COUNT(*) + 0'))
  await evaluate(metricOf('COUNT(*) + 0'))
  expect(cars.countRunsWith('COUNT(*) + 0')).toBe(2)
  expect(cars.runs()).toBeGreaterThanOrEqual(before + 2)
})

it('says which fields a condition needs', async () => {
  const response = await test({})
  expect([response.statusCode, response.json()]).toEqual([
    400,
    { message: { database: ['Missing data for required field.'] } },
  ])
})
