import type { DatasetObject } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
const as = (user: TestUser) => cars.server.as(user)
const userId = async (username: TestUser) =>
  (await cars.server.deps.db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow())
    .id

const get = async (user: TestUser = 'alpha') => {
  const response = await as(user).get(`/datasource/get/table/${cars.dataset}/`)
  return { status: response.statusCode, body: response.json<DatasetObject & { error?: string }>() }
}
const save = async (data: object | undefined, user: TestUser = 'alpha') => {
  const payload = new URLSearchParams(data === undefined ? {} : { data: JSON.stringify(data) }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await as(user).send('POST', '/datasource/save/', { payload, headers })
  return { status: response.statusCode, body: response.json<DatasetObject & { error?: string }>() }
}

beforeAll(async () => {
  cars = await startCarsServer()
  await cars.server.deps.db
    .insertInto('dataset_owner')
    .values({ dataset_id: cars.dataset, user_id: await userId('alpha') })
    .execute()
}, 60_000)
afterAll(() => cars.close())

it('API-073, API-075: returns the dataset object by type and id, and by its key', async () => {
  const { status, body } = await get()
  expect(status).toBe(200)
  expect(body.table_name).toBe('cars')
  const byKey = await as('alpha').get(`/superset/fetch_datasource_metadata?datasourceKey=${cars.dataset}__table`)
  expect(byKey.json()).toEqual(body)
  const hidden = await as('gamma').get(`/superset/fetch_datasource_metadata?datasourceKey=${cars.dataset}__table`)
  expect(hidden.statusCode).toBe(404)
  expect(hidden.body).not.toContain('cars')
  expect((await get('gamma')).status).toBe(404)
})

it('API-074: accepts the whole object, with certification and warnings in `extra`, and returns its new state', async () => {
  const { body: object } = await get()
  const extra = JSON.stringify({ certification: { certified_by: 'Ana', details: 'checked' }, warning_markdown: 'old' })
  const { status, body } = await save({
    ...object,
    description: 'saved',
    cache_timeout: 30,
    schema: '',
    owners: [await userId('alpha'), await userId('admin')],
    columns: object.columns.map((column) =>
      column.column_name === 'Origin'
        ? {
            ...column,
            verbose_name: 'Made in',
            extra,
          }
        : column,
    ),
    metrics: [
      ...object.metrics,
      {
        id: 'new-1',
        metric_name: 'power',
        expression: 'AVG(Horsepower)',
        d3format: ',.1f',
        extra,
        verbose_name: 'Power',
      },
    ],
  })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({
    description: 'saved',
    cache_timeout: 30,
    verbose_map: { Origin: 'Made in', power: 'Power' },
  })
  expect(body.owners).toHaveLength(2)
  expect(body.columns.find(({ column_name }) => column_name === 'Origin')).toMatchObject({
    is_certified: true,
    certified_by: 'Ana',
    certification_details: 'checked',
    warning_markdown: 'old',
  })
  expect(body.metrics.find(({ metric_name }) => metric_name === 'power')).toMatchObject({ certified_by: 'Ana' })
  expect((await get()).body).toEqual(body)
})

it('API-074: keeps the values of the flat fields when `extra` is not sent', async () => {
  const { body: object } = await get()
  const { body } = await save({ ...object, description: 'again', owners: object.owners })
  expect(body).toEqual({ ...object, description: 'again' })
})

it('API-074: refuses duplicate columns, external URLs, users who are not owners, and a form without data', async () => {
  const { body: object } = await get()
  const [first] = object.columns
  const twice = await save({ ...object, columns: [...object.columns, { ...first, id: 'x' }] })
  expect(twice.status).toBe(409)
  expect(twice.body.error).toContain(first?.column_name)
  const elsewhere = await save({ ...object, default_endpoint: 'https://elsewhere.example/' })
  expect(elsewhere.status).toBe(400)
  expect(elsewhere.body.error).toContain('not considered safe')
  expect((await save(undefined)).status).toBe(400)
  expect((await save(object, 'gamma')).status).toBe(403)
  await cars.server.deps.db.deleteFrom('dataset_owner').execute()
  const stranger = await save({ ...object, description: 'theirs' })
  expect(stranger.status).toBe(403)
  expect((await get()).body.description).toBe('again')
})

it('API-071, API-072: columns of a new query replace all, and datasets are found by name and owner, newest first', async () => {
  const admin = await userId('admin')
  const { database } = (await get()).body
  const made = await as('admin').post('/api/v1/dataset/', {
    database: database.id,
    table_name: 'old query',
    sql: 'SELECT Name FROM cars',
    owners: [admin],
  })
  expect(made.statusCode, made.body).toBe(201)
  const { id } = made.json<{ id: number }>()
  const response = await as('admin').put(`/api/v1/dataset/${id}?override_columns=true`, {
    sql: 'SELECT Origin, Year FROM cars',
    columns: [
      { column_name: 'Origin', type: 'VARCHAR', is_dttm: false },
      { column_name: 'Year', type: 'TIMESTAMP', is_dttm: true },
    ],
    owners: [admin],
    database_id: database.id,
  })
  expect(response.statusCode, response.body).toBe(200)
  expect(response.json()).toMatchObject({ result: { sql: 'SELECT Origin, Year FROM cars' } })
  const { columns } = (await as('admin').get(`/datasource/get/table/${id}/`)).json<DatasetObject>()
  expect(columns.map(({ column_name, is_dttm }) => [column_name, is_dttm])).toEqual([
    ['Origin', false],
    ['Year', true],
  ])
  const q = `(filters:!((col:table_name,opr:ct,value:query),(col:owners,opr:rel_m_m,value:${admin})),order_column:changed_on_delta_humanized,order_direction:desc)`
  const list = (await as('admin').get(`/api/v1/dataset?q=${encodeURIComponent(q)}`)).json<{
    count: number
    result: { id: number; table_name: string; owners: { id: number }[] }[]
  }>()
  expect(list.count).toBe(1)
  expect(list.result[0]).toMatchObject({ id, table_name: 'old query', owners: [{ id: admin }] })
})

it('DSET-005: creates a dataset from a SQL Lab result', async () => {
  const { database } = (await get()).body
  const data = {
    schema: 'main',
    sql: 'SELECT Origin, Year FROM cars',
    dbId: database.id,
    templateParams: '{"a": 1}',
    datasourceName: 'a result',
    metrics: [],
    columns: [
      {
        column_name: 'Origin',
        is_dttm: false,
      },
      {
        column_name: 'Year',
        is_dttm: true,
      },
    ],
  }
  const payload = new URLSearchParams({ data: JSON.stringify(data) }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await as('admin').send('POST', '/superset/sqllab_viz/', { payload, headers })
  expect(response.statusCode, response.body).toBe(200)
  const { table_id } = response.json<{ table_id: number }>()
  const object = (await as('admin').get(`/datasource/get/table/${table_id}/`)).json<DatasetObject>()
  expect(object).toMatchObject({
    table_name: 'a result',
    schema: 'main',
    sql: data.sql,
    template_params: '{"a": 1}',
    is_sqllab_view: true,
  })
  expect(object.metrics).toHaveLength(1)
  expect(object.columns.map(({ column_name, is_dttm }) => [column_name, is_dttm])).toEqual([
    ['Origin', false],
    ['Year', true],
  ])
})
