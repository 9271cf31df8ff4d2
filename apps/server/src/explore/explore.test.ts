import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
}, 60_000)
afterAll(() => cars.close())

const admin = () => cars.server.as('admin')
const form = () => ({
  viz_type: 'table',
  datasource: `${cars.dataset}__table`,
  groupby: ['Origin'],
  metrics: ['count'],
})

it('EXP-067, EXP-071: returns all documented fields of a chart and of the owners of its dataset', async () => {
  const made = await admin().post('/api/v1/chart/', {
    slice_name: 'By origin',
    description: 'From *where*',
    viz_type: 'table',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify(form()),
    cache_timeout: 60,
    certified_by: 'Ada',
    certification_details: 'Looked at',
  })
  const { id } = made.json<{ id: number }>()
  const owner = (await admin().get('/api/v1/me/')).json<{ result: { id: number; username: string } }>().result
  await admin().put(`/api/v1/dataset/${cars.dataset}`, { owners: [owner.id] })
  const { slice, dataset } = (await admin().get(`/api/v1/explore/?slice_id=${id}`)).json<{
    result: { slice: Record<string, unknown>; dataset: { owners: object[] } }
  }>().result
  expect(slice).toMatchObject({
    slice_id: id,
    slice_name: 'By origin',
    slice_url: `/explore/?slice_id=${id}`,
    form_data: { viz_type: 'table', groupby: ['Origin'] },
    owners: [owner.id],
    description: 'From *where*',
    viz_type: 'table',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    cache_timeout: 60,
    certified_by: 'Ada',
    certification_details: 'Looked at',
    is_managed_externally: false,
  })
  const all =
    'slice_id slice_url slice_name form_data owners description description_markdown viz_type datasource_name datasource_url datasource_id datasource_type changed_on modified thumbnail_url created_by cache_timeout certified_by certification_details is_managed_externally'
  expect(all.split(' ').filter((field) => !(field in slice))).toEqual([])
  expect(dataset.owners).toHaveLength(1)
  for (const field of ['id', 'first_name', 'last_name', 'username']) expect(dataset.owners[0]).toHaveProperty(field)
  expect(dataset.owners[0]).toMatchObject({ id: owner.id, username: owner.username })
})

it('SHARE-001: form data is stored under a key as JSON text', async () => {
  const kept = { ...form(), row_limit: 7 }
  const made = await admin().post('/api/v1/explore/form_data?tab_id=1', {
    datasource_id: cars.dataset,
    datasource_type: 'table',
    form_data: JSON.stringify(kept),
  })
  expect(made.statusCode).toBe(201)
  const { key } = made.json<{ key: string }>()
  const read = (await admin().get(`/api/v1/explore/form_data/${key}`)).json<{ form_data: string }>()
  expect(typeof read.form_data).toBe('string')
  expect(JSON.parse(read.form_data)).toEqual(kept)
  const opened = await admin().get(
    `/api/v1/explore/?form_data_key=${key}&datasource_id=${cars.dataset}&datasource_type=table`,
  )
  expect(opened.json<{ result: { form_data: object } }>().result.form_data).toMatchObject({ row_limit: 7 })
})

it('SHARE-003: creating a permalink of form data and parameters returns a URL that opens both', async () => {
  const made = await admin().post('/api/v1/explore/permalink', {
    formData: { ...form(), row_limit: 9 },
    urlParams: [['standalone', '1']],
  })
  expect(made.statusCode).toBe(201)
  const { key, url } = made.json<{ key: string; url: string }>()
  expect(new URL(url).pathname).toBe(`/superset/explore/p/${key}/`)
  const opened = await admin().get(`/api/v1/explore/?permalink_key=${key}`)
  expect(opened.json<{ result: { form_data: object } }>().result.form_data).toMatchObject({
    row_limit: 9,
    url_params: { standalone: '1' },
  })
})

it('EXP-069: accepts all documented fields of a query object', async () => {
  const query = {
    columns: ['Origin'],
    metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }],
    orderby: [['Origin', true]],
    filters: [],
    extras: { where: '', having: '', time_grain_sqla: 'P1D', relative_start: 'today', relative_end: 'today' },
    time_range: 'No filter',
    since: null,
    until: null,
    granularity: 'Year',
    row_limit: 5,
    row_offset: 0,
    series_columns: [],
    series_limit: 0,
    series_limit_metric: null,
    order_desc: true,
    annotation_layers: [],
    url_params: {},
    custom_params: {},
    custom_form_data: {},
    post_processing: [],
  }
  const ask = (more: object = {}) =>
    admin().post('/api/v1/chart/data', {
      datasource: { id: cars.dataset, type: 'table' },
      queries: [{ ...query, ...more }],
      result_format: 'json',
      result_type: 'full',
    })
  const response = await ask()
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200)
  const [first] = response.json<{ result: { data: object[] }[] }>().result
  expect(first?.data[0]).toMatchObject({ Origin: 'Europe' })
})

it('opens Explore with form data from a form, stored for its caller, and refuses data sources that are not readable', async () => {
  const open = async (path: string, fields: Record<string, string>, user: 'admin' | 'gamma' = 'admin') =>
    cars.server.as(user).send('POST', path, {
      payload: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const form_data = JSON.stringify({ ...form(), row_limit: 9 })
  const opened = await open('/superset/explore/', { form_data })
  expect(opened.statusCode).toBe(302)
  const url = new URL(String(opened.headers.location), 'http://host')
  expect([url.pathname, url.searchParams.get('datasource_id')]).toEqual(['/explore/', String(cars.dataset)])
  const key = url.searchParams.get('form_data_key')
  const stored = await admin().get(`/api/v1/explore/form_data/${key}`)
  expect(JSON.parse(stored.json<{ form_data: string }>().form_data)).toMatchObject({ row_limit: 9 })

  const ofTable = `/superset/explore/table/${cars.dataset}/`
  expect((await open(ofTable, {})).headers.location).toBe(
    `/explore/?datasource_type=table&datasource_id=${cars.dataset}`,
  )
  expect((await open(ofTable, { form_data: '{"row_limit":3}' })).headers.location).toContain('form_data_key=')
  expect((await open('/superset/explore/', {})).headers.location).toBe('/explore/')
  expect((await open('/superset/explore/', { form_data: '[]' })).statusCode).toBe(400)
  expect((await open('/superset/explore/', { form_data: '{}' })).statusCode).toBe(400)
  expect((await open('/superset/explore/', { form_data }, 'gamma')).statusCode).toBe(404)
})
