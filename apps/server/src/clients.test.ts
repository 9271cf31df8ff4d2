// Replays calls of public clients. `npm run clients -- --record FOLDER` runs the clients themselves and records their calls.
import { readRecordedClients } from '@parquetry/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from './chart/testing.ts'
import { replayClient, type RecordedClient } from './replay-client.testing.ts'

let cars: CarsServer
let database = 0
beforeAll(async () => {
  cars = await startCarsServer()
  const found = await cars.server.deps.db.selectFrom('database').select('id').executeTakeFirstOrThrow()
  database = found.id
  await create('rowlevelsecurity', {
    name: 'Only Japan',
    filter_type: 'Regular',
    tables: [cars.dataset],
    roles: [await create('security/roles', { name: 'Sales' })],
    clause: `"Origin" = 'Japan'`,
  })
  await create('security/groups', { name: 'north', roles: [] })
}, 60_000)
afterAll(() => cars.close())

async function create(kind: string, body: object): Promise<number> {
  const response = await cars.server.as('admin').post(`/api/v1/${kind}/`, body)
  expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
  return response.json<{ id: number }>().id
}

for (const recorded of readRecordedClients<RecordedClient>())
  it(`${recorded.client} gets what it reads`, async () => {
    const slug = recorded.client.replaceAll(/\W+/g, '-')
    const { dataset } = cars
    const dashboard = await create('dashboard', { dashboard_title: slug, slug, published: true, owners: [1] })
    const chart = await create('chart', {
      slice_name: slug,
      viz_type: 'table',
      datasource_id: dataset,
      datasource_type: 'table',
      params: '{}',
      dashboards: [dashboard],
    })
    await cars.server.as('admin').put(`/api/v1/dashboard/${dashboard}`, {
      json_metadata: JSON.stringify({
        positions: { 'CHART-1': { type: 'CHART', id: 'CHART-1', children: [], meta: { chartId: chart } } },
      }),
    })
    const exported = await cars.server.as('admin').get('/api/v1/assets/export/')
    const assets = exported.rawPayload.toString('latin1')
    await replayClient(cars.server, recorded, { database, dataset, dashboard, chart, slug, assets })
  })
