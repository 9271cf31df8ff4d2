import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { revoke } from '../security/grants.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
let dashboard: number
let chart: number
let now = new Date('2026-03-04T05:06:07.000Z')

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a client would read them
type Body = any
const create = async (path: string, body: object): Promise<number> =>
  (await cars.server.as('admin').post(path, body)).json<{ id: number }>().id
const stored = async (id: number): Promise<Body> =>
  (await cars.server.as('admin').get(`/api/v1/dashboard/${id}`)).json<Body>().result

/** Sends the form of older clients, whose only field is JSON. */
async function post(path: string, data: object, user: TestUser = 'admin') {
  const response = await cars.server.as(user).send('POST', `/superset/${path}/`, {
    payload: new URLSearchParams({ data: JSON.stringify(data) }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return { status: response.statusCode, body: response.json<Body>() }
}
const positions = () => ({
  DASHBOARD_VERSION_KEY: 'v2',
  ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
  GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1'] },
  'ROW-1': { id: 'ROW-1', type: 'ROW', children: ['CHART-1'], meta: {} },
  'CHART-1': { id: 'CHART-1', type: 'CHART', children: [], meta: { chartId: chart, width: 4, height: 50 } },
})

beforeAll(async () => {
  cars = await startCarsServer({ now: () => now })
  const form = { datasource_id: cars.dataset, datasource_type: 'table', viz_type: 'pie', params: '{}' }
  chart = await create('/api/v1/chart/', { slice_name: 'Sales', ...form })
  dashboard = await create('/api/v1/dashboard/', {
    dashboard_title: 'Board',
    json_metadata: JSON.stringify({ color_scheme: 'one', refresh_frequency: 30 }),
  })
}, 60_000)
afterAll(() => cars.close())

it('saves the layout and settings of a dashboard, and keeps settings that were not sent', async () => {
  const data = { dashboard_title: 'Saved', css: 'a {}', color_scheme: 'two', unknown: 1, positions: positions() }
  expect(await post(`save_dash/${dashboard}`, data)).toEqual({
    status: 200,
    body: { status: 'SUCCESS', last_modified_time: Math.floor(now.getTime() / 1000) },
  })
  const saved = await stored(dashboard)
  expect(saved).toMatchObject({ dashboard_title: 'Saved', css: 'a {}', charts: ['Sales'] })
  expect(JSON.parse(saved.json_metadata)).toMatchObject({ color_scheme: 'two', refresh_frequency: 30 })
  expect(saved.json_metadata).not.toContain('unknown')
  expect(JSON.parse(saved.position_json)).toMatchObject(positions())
})

it('refuses to overwrite a later change, and to save dashboards of others', async () => {
  const opened = Math.floor(now.getTime() / 1000)
  now = new Date(now.getTime() + 60_000)
  const { body } = await post(`save_dash/${dashboard}`, { css: 'b {}', last_modified_time: opened })
  expect(body).toMatchObject({ last_modified_time: opened + 60 })
  expect((await post(`save_dash/${dashboard}`, { css: 'c {}', last_modified_time: opened })).status).toBe(412)
  expect((await stored(dashboard)).css).toBe('b {}')
  for (const [user, status] of [
    ['alpha', 404],
    ['gamma', 404],
  ] as const)
    for (const call of ['save_dash', 'copy_dash'])
      expect([call, user, (await post(`${call}/${dashboard}`, { css: '' }, user)).status]).toEqual([call, user, status])
  await cars.server.as('admin').put(`/api/v1/dashboard/${dashboard}`, { published: true })
  expect((await post(`save_dash/${dashboard}`, { css: '' }, 'alpha')).status).toBe(403)
})

it('copies a dashboard, and its charts if asked to', async () => {
  const plain = await post(`copy_dash/${dashboard}`, { dashboard_title: 'Copy', positions: positions() }, 'alpha')
  expect(plain.status).toBe(200)
  expect(plain.body).toMatchObject({
    dashboard_title: 'Copy',
    published: false,
    css: 'b {}',
    metadata: { color_scheme: 'two', refresh_frequency: 30 },
    position_json: positions(),
  })
  const listed = await cars.server.as('alpha').get(`/api/v1/dashboard/${plain.body.id}`)
  expect(listed.json<Body>().result).toMatchObject({ owners: [{ first_name: expect.any(String) }], charts: ['Sales'] })

  const deep = await post(`copy_dash/${dashboard}`, { duplicate_slices: true, positions: positions() })
  const { chartId } = deep.body.position_json['CHART-1'].meta
  expect(chartId).not.toBe(chart)
  expect((await cars.server.as('admin').get(`/api/v1/chart/${chartId}`)).statusCode).toBe(200)
})

it('asks for the permission of the Save menu and for that of the calls of today', async () => {
  const { db } = cars.server.deps
  const statuses = async () => [
    (await post(`save_dash/${dashboard}`, { css: '' }, 'alpha')).status,
    (await post(`copy_dash/${dashboard}`, {}, 'alpha')).status,
  ]
  expect(await statuses()).toEqual([403, 200])
  await revoke(db, 'Alpha', ['can_write', 'Dashboard'])
  expect(await statuses()).toEqual([403, 403])
})

it('adds charts to a dashboard, keeps those on it, and adds none that the caller may not see or to dashboards of others', async () => {
  const add = async (data: object, user: TestUser = 'admin') => {
    const response = await cars.server.as(user).send('POST', `/superset/add_slices/${target}/`, {
      payload: new URLSearchParams({ data: JSON.stringify(data) }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    return [response.statusCode, response.body]
  }
  const form = { datasource_id: cars.dataset, datasource_type: 'table', viz_type: 'pie', params: '{}' }
  const target = await create('/api/v1/dashboard/', { dashboard_title: 'Target', owners: [1] })
  const first = await create('/api/v1/chart/', { slice_name: 'First', dashboards: [target], ...form })
  const second = await create('/api/v1/chart/', { slice_name: 'Second', ...form })
  expect(await add({ slice_ids: [first, second, second] })).toEqual([200, 'SLICES ADDED'])
  expect((await stored(target)).charts.toSorted()).toEqual(['First', 'Second'])
  expect((await add({ slice_ids: [987_654] }))[0]).toBe(404)
  expect((await add({ slice_ids: 'all' }))[0]).toBe(400)
  const { db } = cars.server.deps
  const copied = await db.selectFrom('chart').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
  const copies = Array.from({ length: 1998 }, (_, index) => {
    const { id: own, ...chart } = copied
    void own
    return { ...chart, uuid: randomUUID(), slice_name: `Copy ${index}` }
  })
  const placed: { id: number }[] = []
  for (let at = 0; at < copies.length; at += 300)
    placed.push(
      ...(await db
        .insertInto('chart')
        .values(copies.slice(at, at + 300))
        .returning('id')
        .execute()),
    )
  const values = placed.map(({ id }) => ({ dashboard_id: target, chart_id: id }))
  await db.insertInto('dashboard_chart').values(values).execute()
  expect((await add({ slice_ids: [second] }))[0], 'all 2,000 are on it').toBe(200)
  const third = await create('/api/v1/chart/', { slice_name: 'Third', ...form })
  const refused = await add({ slice_ids: [third] })
  expect(refused[0]).toBe(400)
  expect(refused[1]).toContain('up to 2,000 charts')
  expect((await stored(target)).charts).not.toContain('Third')
  await cars.server.as('admin').put(`/api/v1/dashboard/${target}`, { published: true })
  expect((await add({ slice_ids: [second] }, 'alpha'))[0]).toBe(403)
  expect((await add({ slice_ids: [second] }, 'gamma'))[0]).toBe(404)
  const { result } = (await cars.server.as('admin').get(`/api/v1/dashboard/${target}/versions/`)).json<Body>()
  expect(result.length).toBeGreaterThan(1)
})
