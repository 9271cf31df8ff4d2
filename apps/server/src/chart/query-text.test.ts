import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from './testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
})
afterAll(() => cars.close())

it('TIME-028: the SQL of a query comes with the bounds of its time range, if it has a start', async () => {
  const ask = async (more: object) => {
    const query = { columns: ['Origin'], metrics: [], ...more }
    const body = { datasource: { id: cars.dataset, type: 'table' }, queries: [query], result_type: 'query' }
    const response = await cars.server.as('admin').post('/api/v1/chart/data', body)
    expect(response.statusCode, response.body).toBe(200)
    return response.json<{ result: Record<string, unknown>[] }>().result[0] ?? {}
  }
  const range = await ask({ granularity: 'Year', time_range: '1975-01-01 : 1980-06-01' })
  expect(range).toMatchObject({ from_dttm: Date.UTC(1975, 0, 1), to_dttm: Date.UTC(1980, 5, 1), language: 'sql' })
  expect(await ask({ granularity: 'Year', time_range: '1975-01-01 : ' })).toMatchObject({ to_dttm: null })
  expect(Object.keys(await ask({}))).toEqual(['query', 'language'])
})
