import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
})
afterAll(() => cars.close())

async function answer(method: string, path: string, body?: object, user: TestUser | 'nobody' = 'admin') {
  const found = await cars.server.as(user).send(method, path, body === undefined ? {} : { payload: body })
  return [found.statusCode, found.json<unknown>()]
}
const values = (id: number) => `/api/v1/datasource/table/${id}/column/Origin/values/`

describe('regression: each route reports errors in its own format', () => {
  it('for databases', async () => {
    expect(await answer('POST', '/api/v1/database/99999/validate_sql/', { sql: 'SELECT 1' })).toEqual([
      404,
      { message: 'Not found' },
    ])
    expect(await answer('POST', '/api/v1/database/', { database_name: 'without an address' })).toEqual([
      422,
      { message: { sqlalchemy_uri: ['Field is required'] } },
    ])
    const { database_id } = await cars.server.deps.db
      .selectFrom('dataset')
      .select('database_id')
      .executeTakeFirstOrThrow()
    expect(await answer('DELETE', `/api/v1/database/${database_id}`)).toEqual([
      422,
      { message: expect.stringMatching(/^Datasets use this database/) as string },
    ])
  })

  it('for datasets', async () => {
    expect(await answer('POST', '/api/v1/dataset/duplicate', { base_model_id: 99_999, table_name: 'copy' })).toEqual([
      422,
      { message: 'Dataset parameters are invalid.' },
    ])
    expect(await answer('GET', values(99_999))).toEqual([404, { message: 'Datasource does not exist' }])
    expect(await answer('GET', values(cars.dataset), undefined, 'gamma')).toEqual([
      403,
      { message: expect.stringContaining('requires the datasource') as string },
    ])
  })

  it.each([
    'database',
    'dataset',
    'chart',
    'dashboard',
    'query',
    'saved_query',
    'css_template',
    'theme',
    'tag',
    'task',
    'annotation_layer',
    'rowlevelsecurity',
    'report',
  ])('for an unknown related column of %s', async (resource) => {
    for (const column of ['nope', '__proto__', 'constructor'])
      expect(await answer('GET', `/api/v1/${resource}/related/${column}`, undefined, 'admin')).toEqual([
        404,
        { message: 'Not found' },
      ])
  })

  it('for legacy routes without sign-in', async () => {
    for (const path of [`/api/v1/time_range/?q='Last week'`, '/api/v1/form_data/?slice_id=1', '/superset/queries/0'])
      expect(await answer('GET', path, undefined, 'nobody')).toMatchObject([
        401,
        { message: 'Access is Denied', severity: 'danger' },
      ])
    expect(await answer('GET', `/api/v1/time_range/?q='2 days : today'`)).toMatchObject([
      400,
      { message: expect.stringContaining('ambiguous') as string },
    ])
  })
})
