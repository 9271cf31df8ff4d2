import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import type { TestServer, TestUser } from '../testing.ts'

let cars: CarsServer
let server: TestServer
const now = new Date('2026-03-04T05:06:07.000Z')
let adminId: number
let gammaId: number
let chart: number
let dashboard: number

const get = async (path: string, user: TestUser = 'admin') => {
  const response = await server.as(user).get(path)
  return { status: response.statusCode, body: response.json<Record<string, unknown>[]>() }
}
const idOf = async (user: TestUser): Promise<number> =>
  (await server.as(user).get('/api/v1/me/')).json<{ result: { id: number } }>().result.id

beforeAll(async () => {
  cars = await startCarsServer({ now: () => now })
  server = cars.server
  const admin = server.as('admin')
  adminId = await idOf('admin')
  gammaId = await idOf('gamma')
  const form = { datasource_id: cars.dataset, datasource_type: 'table', viz_type: 'pie', params: '{"color": 1}' }
  chart = (await admin.post('/api/v1/chart/', { slice_name: 'Sales', ...form })).json<{ id: number }>().id
  const board = { dashboard_title: 'A <b> & "c"', slug: 'a-b' }
  dashboard = (await admin.post('/api/v1/dashboard/', board)).json<{ id: number }>().id
})
afterAll(() => cars.close())

it('lists the charts and dashboards that a user created', async () => {
  const shown = { id: chart, title: 'Sales', url: `/explore/?slice_id=${chart}`, dttm: now.getTime(), viz_type: 'pie' }
  expect(await get('/superset/created_slices')).toEqual({ status: 200, body: [shown] })
  expect((await get(`/superset/created_slices/${adminId}/`)).body).toEqual([shown])
  expect((await get(`/superset/created_slices/${gammaId}/`)).body).toEqual([])
  expect((await get(`/superset/created_dashboards/${adminId}/`)).body).toEqual([
    {
      id: dashboard,
      title: 'A <b> & "c"',
      url: '/superset/dashboard/a-b/',
      dashboard: '<a href="/superset/dashboard/a-b/">A &#60;b&#62; &#38; &#34;c&#34;</a>',
      dttm: now.getTime(),
    },
  ])
})

it('lists favorites with their creators, and owned charts with their form data', async () => {
  expect((await get('/superset/fave_slices')).body).toEqual([])
  await server.as('admin').post(`/api/v1/chart/${chart}/favorites/`)
  await server.as('admin').post(`/api/v1/dashboard/${dashboard}/favorites/`)
  const creator = { creator: 'Ada Admin', creator_url: '/superset/profile/admin/' }
  expect((await get('/superset/fave_slices')).body).toMatchObject([{ id: chart, ...creator }])
  expect((await get(`/superset/fave_slices/${adminId}/`)).body).toMatchObject([{ id: chart }])
  expect((await get(`/superset/fave_dashboards/${adminId}/`)).body).toMatchObject([{ id: dashboard, ...creator }])
  expect((await get('/superset/fave_dashboards_by_username/admin/')).body).toMatchObject([{ id: dashboard }])
  const data = { color: 1, slice_id: chart, viz_type: 'pie', datasource: `${cars.dataset}__table` }
  expect((await get('/superset/user_slices')).body).toMatchObject([{ id: chart, data }])
  expect((await get(`/superset/user_slices/${adminId}/`)).body).toMatchObject([{ id: chart }])
})

it('shows nothing of other users and of objects that the caller may not see', async () => {
  expect((await get(`/superset/created_slices/${adminId}/`, 'gamma')).body).toEqual([])
  expect((await get(`/superset/created_dashboards/${adminId}/`, 'gamma')).body).toEqual([])
  for (const path of [
    `fave_slices/${adminId}/`,
    `fave_dashboards/${adminId}/`,
    'fave_dashboards_by_username/admin/',
    'fave_dashboards_by_username/nobody/',
    `user_slices/${adminId}/`,
    `recent_activity/${adminId}/`,
  ])
    expect([path, await get(`/superset/${path}`, 'gamma')]).toEqual([
      path,
      { status: 403, body: { message: 'Access is Denied', severity: 'danger' } },
    ])
  expect((await get(`/superset/fave_slices/${gammaId}/`, 'gamma')).status).toBe(200)
})

it('lists CSS templates and own saved queries with counts and keys', async () => {
  const template = { template_name: 'Dark', css: 'a {}' }
  const { id } = (await server.as('admin').post('/api/v1/css_template/', template)).json<{ id: number }>()
  const shown = { count: 1, pks: [id], result: [{ id, ...template }] }
  expect((await get('/csstemplateasyncmodelview/api/read')).body).toMatchObject(shown)
  const saved = await server.as('admin').post('/api/v1/saved_query/', { label: 'Mine', sql: 'select 1', db_id: 1 })
  expect(saved.statusCode).toBe(201)
  const mine = (await get('/savedqueryviewapi/api/read')).body
  expect(mine).toMatchObject({ count: 1, result: [{ label: 'Mine', sql: 'select 1' }] })
  expect((await get('/savedqueryviewapi/api/read', 'sqllab')).body).toMatchObject({ count: 0 })
})

it('adds entries of administrators to the action log and lists their recent activity', async () => {
  const entry = { action: 'explore', slice_id: chart, json: '{"a":1}', duration_ms: 5 }
  const added = await server.as('admin').post('/api/v1/log/', entry)
  const { id } = added.json<{ id: number }>()
  expect([added.statusCode, added.json()]).toEqual([201, { id, result: entry }])
  const { result } = (await server.as('admin').get(`/api/v1/log/${id}`)).json<{ result: object }>()
  expect(result).toMatchObject({ ...entry, user_id: adminId })
  expect((await get(`/superset/recent_activity/${adminId}/?limit=1`)).body).toMatchObject([
    { action: 'explore', item_type: 'chart', item_title: 'Sales', time: now.getTime() },
  ])
  expect((await server.as('admin').post('/api/v1/log/', { action: '' })).statusCode).toBe(422)
  expect((await server.as('alpha').post('/api/v1/log/', entry)).statusCode).toBe(403)
})
